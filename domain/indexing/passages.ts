/** What is left to a passage if the subject is long: half of it. */
const leastTokens = 64;
/** More of a subject would leave no room in 128 tokens. */
export const subjectCharacters = 250;
/** Text after this many characters is not looked at: four passages of short words have fewer. */
const mostCharacters = 20_000;

/**
 * Cuts a mail's text into passages of at most `tokens`, its subject among them, for an encoder that reads so many. Tokens
 * are estimated: of some a sixth is not read. At least one passage, which is empty for a mail without text.
 *
 * @param own what its author wrote in it; comes first. The rest of `text` is quoted or added by a program.
 */
export function passagesOf(
  { subject, text, own }: { subject: string; text: string; own: string },
  { tokens, ofEmail }: { tokens: number; ofEmail: number },
): string[] {
  const room = Math.max(leastTokens, tokens - edgeTokens - tokensOf(subject));
  const ordered = ownFirst(text, own).slice(0, mostCharacters);
  const passages: string[] = [];
  let begin = 0, used = 0, end = 0;
  for (const { 0: word, index } of ordered.matchAll(/\S+/g)) {
    const cost = Math.min(room, tokensOf(word));
    if (used + cost > room) {
      passages.push(ordered.slice(begin, end));
      if (passages.length === ofEmail) return passages;
      [begin, used] = [index, 0];
    } else if (used === 0) begin = index;
    used += cost;
    end = index + word.length;
  }
  if (used > 0) passages.push(ordered.slice(begin, end));
  return passages.length > 0 ? passages : [""];
}

/** `[CLS]`, `[SEP]` and the like. */
const edgeTokens = 2;

/** The lines of its own, then the others. */
function ownFirst(text: string, own: string): string {
  if (own === "" || text.startsWith(own)) return text;
  const lines = new Set(own.split("\n"));
  return `${own}\n\n${text.split("\n").filter((line) => !lines.has(line)).join("\n")}`;
}

/** Runs of one kind: Latin letters, digits, scripts without spaces, other letters, a sign. */
const runs =
  /(\p{Script=Latin}+)|(\p{N}+)|([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+)|([\p{L}\p{M}]+)|[^\s]/gu;

/** About how many tokens a text has. */
function tokensOf(text: string): number {
  let count = 0;
  for (const [, latin, digits, dense, letters] of text.matchAll(runs)) {
    if (latin) count += Math.max(1, Math.ceil((latin.length - 2) / 4));
    else if (digits) count += Math.ceil(digits.length / 2);
    else if (dense) count += Math.ceil(dense.length * 0.8);
    else if (letters) count += Math.ceil(letters.length / 3);
    else count += 1;
  }
  return count;
}
