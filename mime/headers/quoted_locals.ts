/** Stand for a quoted local part; they are for private use in Unicode. */
const opens = "\ue000", closes = "\ue001";

/** A text whose quoted local parts are replaced by marks, which parsers take for words. */
export interface MarkedLocals {
  text: string;
  locals: readonly string[];
}

/**
 * Replaces the quoted local parts of an address list (RFC 5322, section 3.4.1), such as `"odd user"@example.com`:
 * postal-mime drops the quotes, and what stays is no address. Linear.
 */
export function markLocals(text: string): MarkedLocals {
  if (!/"\s*@/.test(text) || text.includes(opens)) return { text, locals: [] };
  const locals: string[] = [];
  const pieces: string[] = [];
  let copied = 0;
  for (let at = text.indexOf('"'); at >= 0;) {
    const close = endOfQuoted(text, at + 1);
    if (close < 0) break;
    let next = close + 1;
    while (text[next] === " " || text[next] === "\t") next++;
    if (text[next] === "@") {
      pieces.push(text.slice(copied, at), opens, String(locals.length), closes);
      locals.push(text.slice(at + 1, close).replace(/\\(.)/gs, "$1"));
      copied = next;
    }
    at = text.indexOf('"', next);
  }
  return { text: pieces.join("") + text.slice(copied), locals };
}

/**
 * The address with the text of the local parts in place of their marks. Old mail has local parts that are quoted in
 * part, such as `"a"."b"` (RFC 5322, section 4.4): the address gets one pair of quotes if it needs them.
 */
export function unmarkLocal(address: string, locals: readonly string[]): string {
  const at = Math.max(address.lastIndexOf("@"), 0);
  const marked = address.slice(0, at);
  const local = unmarkName(marked, locals);
  return local === marked ? address : quoteLocal(local) + address.slice(at);
}

/** A name with the text of the local parts in place of their marks. */
export function unmarkName(name: string, locals: readonly string[]): string {
  if (locals.length === 0) return name;
  return name.replace(/\ue000(\d{1,6})\ue001/g, (mark, n) => locals[Number(n)] ?? mark);
}

/** A local part in the shortest form of RFC 5321, section 4.1.2: with quotes only if it needs them. */
function quoteLocal(content: string): string {
  if (dotString.test(content)) return content;
  return `"${content.replace(/["\\]/g, "\\$&")}"`;
}

/** An address as it is written, but without quotes that its local part does not need: `"ada"@host` is `ada@host`. */
export function shortestAddress(text: string): string {
  const [, content, domain] = quotedAddress.exec(text) ?? [];
  return content === undefined ? text : quoteLocal(content.replace(/\\(.)/g, "$1")) + domain;
}

/** RFC 5321, section 4.1.2; letters beyond ASCII are of RFC 6531. */
const dotString = /^[^\s"(),:;<>@[\\\]\p{Cc}]+$/u;
/** Quoted text of printable characters, blanks among them, and what follows. */
// deno-lint-ignore no-control-regex -- control characters are what is refused here
const quotedAddress = /^"((?:[^"\\\x00-\x1f\x7f-\x9f]|\\[\x20-\x7e])+)"(@[^\s"@]+)$/;

/** Index of the quote that ends a quoted string, or -1. */
function endOfQuoted(text: string, at: number): number {
  for (; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === "\\") at++;
  }
  return -1;
}
