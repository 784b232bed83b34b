import {
  confidentialMarks,
  disclaimerStart,
  farewells,
  forwardedMarks,
  headerFrom,
  headerOther,
  mobileSignature,
  originalMessage,
  wrotePatterns,
} from "./reply_patterns.ts";

/** Lines that are read: nobody writes more above a quote. */
const maxLines = 20_000;

/** Characters of a line that the patterns see, so that one long line costs little. */
const maxLineChars = 400;

/** More lines than this below a farewell are text, not a signature. */
const maxSignatureLines = 12;

/**
 * The part of `text` (line ends LF) that the sender wrote: without quoted lines and the lines that
 * announce them, the answered mail below, signature, list footer and confidentiality notice. Answers
 * between quoted lines are kept, in order, and so is a forwarded mail, which the reader has not seen.
 * May be empty.
 */
export function newTextOf(text: string): string {
  const lines = text.split("\n", maxLines).map((line) => line.trimEnd());
  const forwardedAt = lines.findIndex((line) => forwardedMarks.test(head(line)));
  const own = forwardedAt < 0 ? lines : lines.slice(0, forwardedAt);
  const kept = withoutDisclaimer(withoutSignature(withoutQuotes(own)));
  const forwarded = forwardedAt < 0 ? [] : lines.slice(forwardedAt);
  return [...kept, ...(kept.length > 0 && forwarded.length > 0 ? [""] : []), ...forwarded]
    .join("\n").replace(/\n{3,}/g, "\n\n").trim();
}

const head = (line: string) => line.slice(0, maxLineChars);
const isQuoted = (line: string) => /^\s{0,3}[>|＞]/.test(line);
const isBlank = (line: string) => line.trim() === "";

/** Lines (without blanks at their ends) that are no quote, no attribution and no answered mail below. */
export function withoutQuotes(lines: string[]): string[] {
  const out: string[] = [];
  for (let n = 0; n < lines.length; n++) {
    const line = head(lines[n]);
    if (isQuoted(line)) continue;
    if (originalMessage.test(line) || beginsHeaderBlock(lines, n)) break;
    const announced = attributionEnd(lines, n);
    if (announced > n) {
      let next = announced;
      while (next < lines.length && isBlank(lines[next])) next++;
      if (next >= lines.length || !isQuoted(lines[next])) break;
      n = announced - 1;
      continue;
    }
    out.push(lines[n]);
  }
  // Outlook draws a rule above the header block.
  while (out.length > 0 && /^[\s_=-]*$/.test(out[out.length - 1])) out.pop();
  return out;
}

/** `From:` and at least two more header fields in the five lines below it. */
function beginsHeaderBlock(lines: string[], n: number): boolean {
  if (!headerFrom.test(head(lines[n]))) return false;
  const below = lines.slice(n + 1, n + 8).filter((line) => !isBlank(line)).slice(0, 5);
  return below.filter((line) => headerOther.test(head(line))).length >= 2;
}

/** Index after an attribution of one to three lines that begins at `n`, or `n` if there is none. */
function attributionEnd(lines: string[], n: number): number {
  if (isBlank(lines[n])) return n;
  let joined = "";
  for (let end = n + 1; end <= Math.min(n + 3, lines.length); end++) {
    const line = lines[end - 1].trim();
    if (line === "" || isQuoted(line)) return n;
    joined += ` ${line}`;
    if (joined.length > maxLineChars) return n;
    if (!/[:：]$/.test(line)) continue;
    // Two of three: a word for "wrote", an address or a time, a quote below.
    const dated = /@|\b\d{1,2}[:.]\d{2}\b|\b(?:19|20)\d\d(?!\d)/.test(joined);
    const clues = [wrotePatterns.test(joined), dated, followedByQuote(lines, end)];
    return clues.filter(Boolean).length >= 2 ? end : n;
  }
  return n;
}

function followedByQuote(lines: string[], from: number): boolean {
  const next = lines.slice(from, from + 3).find((line) => !isBlank(line));
  return next !== undefined && isQuoted(next);
}

function withoutSignature(lines: string[]): string[] {
  // The separator of RFC 3676, section 4.3, without its blank, which clients lose.
  const separator = lines.indexOf("--");
  const end = separator < 0 ? lines.length : separator;
  let below: string[] = [];
  let cut = end;
  for (let n = end - 1; n >= 0 && below.length <= maxSignatureLines; n--) {
    const line = head(lines[n]);
    if (isBlank(line)) continue;
    const isRule = /^[_=*-]{20,}$/.test(line) && isListFooter(below);
    const isMobile = mobileSignature.test(line) && line.length < 120;
    const isFarewell = n > 0 && farewells.test(line) && below.every((one) => one.length <= 100);
    if (isRule || isMobile || isFarewell) cut = n;
    below = [line, ...below];
  }
  return lines.slice(0, cut);
}

function isListFooter(below: string[]): boolean {
  return below.slice(0, 5).some((line) =>
    /mailing list|mailman|unsubscribe|https?:/i.test(head(line))
  );
}

/** Removes notices at the end: from the first of the last six paragraphs that begins like one. */
function withoutDisclaimer(lines: string[]): string[] {
  const starts = lines.flatMap((line, n) =>
    n > 0 && !isBlank(line) && isBlank(lines[n - 1]) ? [n] : []
  );
  const start = starts.slice(-6).find((n) => {
    const rest = lines.slice(n).join(" ").slice(0, 3000);
    return disclaimerStart.test(head(rest)) && confidentialMarks.test(rest);
  });
  return start === undefined ? lines : lines.slice(0, start);
}
