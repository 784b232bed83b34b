/** Two texts as what both begin with, what each has for itself, and what both end with; the common parts are cut. */
export interface Difference {
  begin: string;
  removed: string;
  added: string;
  end: string;
}

/** So many words of the common parts are shown. */
const context = 8;

/** From the first word that differs to the last one; null if the texts are equal. Linear time. */
export function differenceOf(before: string, after: string): Difference | null {
  if (before === after) return null;
  const old = wordsOf(before), fresh = wordsOf(after);
  const least = Math.min(old.length, fresh.length);
  let begin = 0, end = 0;
  while (begin < least && old[begin] === fresh[begin]) begin++;
  while (end < least - begin && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const first = Math.max(0, begin - context);
  const last = Math.max(fresh.length - end, Math.min(fresh.length, fresh.length - end + context));
  return {
    begin: (first > 0 ? "… " : "") + fresh.slice(first, begin).join(""),
    removed: old.slice(begin, old.length - end).join(""),
    added: fresh.slice(begin, fresh.length - end).join(""),
    end: fresh.slice(fresh.length - end, last).join("") + (last < fresh.length ? "…" : ""),
  };
}

/** Each with the blanks after it. */
function wordsOf(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
