import { htmlTexts } from "../body/html_text.ts";
import { unseenIn } from "../text/unseen_characters.ts";
import { type LineOrigin, lineOrigins } from "./line_origins.ts";

export type SegmentOrigin = LineOrigin | "hidden";

/** A part of a mail's text, with its origin. */
export interface Segment {
  /**
   * `new`: the sender wrote it in this mail. `quoted`: from an earlier mail, with the line that announces it.
   * `forwarded`: another mail that is forwarded. `signature`, `disclaimer`: the sender's program or firm adds it.
   * `hidden`: the HTML has it but does not show it, or characters that nobody sees spell it.
   */
  origin: SegmentOrigin;
  text: string;
}

/** Characters of hidden text in all. */
const maxHiddenChars = 1_000_000;

/**
 * Divides a mail's text by origin. `text` and `html` are those of `parseBody`; `subject` is the header field, which
 * distinguishes Outlook's forwards from its replies. The texts of all segments except `hidden`, joined in order, are
 * `text`; the hidden ones come last, without what `text` contains anyway. Linear time; never throws. The sender writes
 * the marks on which the origins are based, so they are a reading aid and prove nothing. `unseen` is what
 * characters that nobody sees say in the text.
 */
export function segmentsOf(
  text: string,
  html: string | null,
  { subject = "", unseen = "" }: { subject?: string; unseen?: string } = {},
): Segment[] {
  return [...shownSegments(text, html, subject), ...hiddenSegments(text, html, unseen)];
}

function shownSegments(text: string, html: string | null, subject: string): Segment[] {
  if (text === "") return [];
  const { origins } = lineOrigins(text, html, forwardOf(subject, text));
  const segments: Segment[] = [];
  let at = 0;
  let begin = 0;
  let origin: LineOrigin | null = null;
  for (const each of withoutBlanks(text, origins)) {
    if (each !== origin) {
      if (origin !== null) segments.push({ origin, text: text.slice(begin, at) });
      begin = at;
      origin = each;
    }
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  // Lines after the last one that was read have the origin of that one.
  segments.push({ origin: origin ?? "new", text: text.slice(begin) });
  return segments;
}

/** Gives empty lines the origin of the line above, so that a segment ends with them. */
function withoutBlanks(text: string, origins: readonly LineOrigin[]): LineOrigin[] {
  const out: LineOrigin[] = [];
  let at = 0;
  let last: LineOrigin | null = null;
  for (const origin of origins) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end < 0 ? text.length : end);
    at = end + 1;
    if (line.trim() !== "") last = origin;
    out.push(last ?? origin);
  }
  const first = out.find((_, n) => n + 1 === out.length || origins[n] !== "new") ?? "new";
  return last === null ? out.map(() => first) : out;
}

/** Subjects of forwards and of replies, by the mail program's language. */
const forwardSubject =
  /^\s{0,3}(?:fwd?|fw|wg|tr|rv|enc|i|vb|vl|pd|doorst|ilt|i̇lt|vs|vid|fs|továbbítás|πρθ|转发|轉寄|전달|転送)\s{0,2}[:：]/iu;
const replySubject =
  /^\s{0,3}(?:re|aw|antw|antwort|sv|res|r|ref|réf|odp|ynt|απ|vá|回复|回覆|答复|회신|返信)(?:\[\d{1,3}\])?\s{0,2}[:：]/iu;

function forwardOf(subject: string, text: string): boolean | null {
  // "VS" is a forward in Danish and a reply in Finnish.
  const isFinnish = /^\s{0,3}vs/i.test(subject) &&
    /^[*_\s]{0,4}lähettäjä/imu.test(text.slice(0, 100_000));
  if (forwardSubject.test(subject)) return !isFinnish;
  return replySubject.test(subject) ? false : null;
}

function hiddenSegments(text: string, html: string | null, unseen: string): Segment[] {
  const texts = html === null ? null : htmlTexts(html);
  const unseenOfHtml = texts === null ? "" : unseenIn(texts.shown);
  const hidden = [
    ...texts?.hidden ?? [],
    ...new Set([unseen, unseenOfHtml].filter((each) => each !== "")),
  ];
  if (hidden.length === 0) return [];
  const lineOf = (line: string) => line.replace(/\s+/g, " ").trim();
  const said = new Set(text.split("\n").map(lineOf));
  const segments: Segment[] = [];
  let left = maxHiddenChars;
  for (const each of hidden) {
    // Words that the text part of the message has are not hidden.
    const isSaid = each.split("\n").every((line) => said.has(lineOf(line)) || line.trim() === "");
    if (isSaid || left <= 0) continue;
    segments.push({ origin: "hidden", text: each.slice(0, left) });
    left -= each.length;
  }
  return segments;
}
