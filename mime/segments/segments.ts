import { htmlTexts } from "../body/html_text.ts";
import { unseenIn } from "../text/unseen_characters.ts";
import type { MailHead } from "../headers/mail_head.ts";
import { lineOrigins } from "./line_origins.ts";
import type { LineOrigin } from "./lines.ts";

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
 * Divides a mail's text by origin. `text` and `html` are those of `parseBody`. The texts of all segments except `hidden`, joined in order, are
 * `text`; the hidden ones come last, without what `text` contains anyway. Linear time; never throws. The sender writes
 * the marks on which the origins are based, so they are a reading aid and prove nothing. `unseen` is what
 * characters that nobody sees say in the text.
 */
export function segmentsOf(
  text: string,
  html: string | null,
  { unseen = "", ...mail }: MailHead & { unseen?: string } = {},
): Segment[] {
  return [...shownSegments(text, html, mail), ...hiddenSegments(text, html, unseen)];
}

function shownSegments(text: string, html: string | null, mail: MailHead): Segment[] {
  if (text === "") return [];
  const segments: Segment[] = [];
  const { lines, starts, origins } = lineOrigins(text, html, mail);
  let origin = firstOrigin(lines, origins);
  let begin = 0;
  for (let n = 0; n < lines.length; n++) {
    // An empty line has the origin of the line above, so that a segment ends with it.
    if (origins[n] === origin || lines[n].trim() === "") continue;
    if (starts[n] > 0) segments.push({ origin, text: text.slice(begin, starts[n]) });
    begin = starts[n];
    origin = origins[n];
  }
  // Lines after the last one that was read have the origin of that one.
  segments.push({ origin, text: text.slice(begin) });
  return segments;
}

/** That of the first line with text. */
function firstOrigin(lines: readonly string[], origins: readonly LineOrigin[]): LineOrigin {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first >= 0 ? origins[first] : origins.find((origin) => origin !== "new") ?? "new";
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
