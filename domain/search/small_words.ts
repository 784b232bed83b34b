/** Words that say nothing about what a text is about. */
const SMALL = new Set(
  ("a about after all also am an and any are as at be been but by can could did do does for from get got had has have " +
    "he her here him his how i if in into is it its just like me more my new no not now of on one only or other our " +
    "out over please she should so some than that the their them then there these they this to too up us was we were " +
    "what when where which who will with would you your").split(" "),
);

/** Whether a word, as compared, is one of those by which nobody looks for mail. */
export function isSmallWord(word: string): boolean {
  return SMALL.has(word);
}
