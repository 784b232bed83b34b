import { decodeHeaderText } from "./encoded_words.ts";

/**
 * Longest id, with its brackets. Real ones have fewer than 250 characters. A longer one is left out, not cut: different
 * messages could have the same cut id.
 */
const maxIdChars = 500;

/** In longer fields encoded words are not decoded: no mail software writes them. */
const maxDecodedChars = 64 * 1024;

/**
 * The message ids in a Message-ID, In-Reply-To or References field, each once, in document order (RFC 5322, section
 * 3.6.4).
 *
 * An id is normalised: angle brackets around it, white space and control characters (folds inside an id) taken out, the
 * case of letters kept. In a field without any angle bracket, each word with an `@` is an id; so is a single word
 * without one.
 */
export function messageIds(value: string | null): string[] {
  if (value === null) return [];
  const text = value.includes("=?") && value.length <= maxDecodedChars
    ? decodeHeaderText(value)
    : value;
  const ids = new Set<string>();
  for (let open = text.indexOf("<"); open >= 0;) {
    const next = nextBracket(text, open + 1);
    if (text[next] === ">" && next > open + 1) add(ids, text.slice(open + 1, next));
    open = text[next] === "<" ? next : text.indexOf("<", next);
  }
  if (ids.size === 0 && !text.includes("<")) {
    const words = text.split(/[\s,]+/).filter((word) => word !== "");
    for (const word of words) {
      if (words.length === 1 || word.includes("@")) add(ids, withoutClosing(word));
    }
  }
  return [...ids];
}

/**
 * The ids in an In-Reply-To field. Old mail software wrote prose there (RFC 822, section 4.6.2): `Message from Ann
 * <ann@example.com> of "Mon, 3 Aug" <id@example.com>`. The first bracket of such a sentence names a person; taken as an
 * id it would join all messages of that person in one thread.
 */
export function idsOfReply(value: string | null): string[] {
  const ids = messageIds(value);
  return /^\W*(?:your )?(?:message|mail|note|letter)\s+from\b/i.test(value ?? "")
    ? ids.slice(1)
    : ids;
}

/** Index of the next angle bracket, or the length. */
function nextBracket(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3c || code === 0x3e) break;
  }
  return at;
}

// Not a regular expression: one took 73 s for 256 kB of brackets before another letter.
function withoutClosing(word: string): string {
  let end = word.length;
  while (word[end - 1] === ">") end--;
  return word.slice(0, end);
}

function add(ids: Set<string>, inner: string): void {
  // deno-lint-ignore no-control-regex
  const id = inner.replace(/[\s\x00-\x1f\x7f]+/g, "");
  if (id !== "" && id.length + 2 <= maxIdChars) ids.add(`<${id.toWellFormed()}>`);
}
