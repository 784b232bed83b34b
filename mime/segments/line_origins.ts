import { findMarks, type HtmlMarks } from "./html_marks.ts";
import {
  head,
  isBannerAt,
  isBlank,
  maxLineChars,
  noticesAt,
  pgpFrame,
  postscriptIn,
  signatureAt,
} from "./own_parts.ts";
import {
  forwardedMarks,
  headerFrom,
  headerLine,
  headerOther,
  originalMessage,
  ruleWithWords,
  wrotePatterns,
} from "../body/reply_patterns.ts";

/** Who wrote a line, and why it is in the mail. */
export type LineOrigin = "new" | "quoted" | "forwarded" | "signature" | "disclaimer";

/** How many lines are read: nobody writes more above a quote. */
const maxLines = 20_000;

export interface OriginLines {
  /** Without blanks at their ends; at most {@link maxLines}. */
  lines: string[];
  /** One for each line. An empty line is `new` unless another kind of text has begun above it. */
  origins: LineOrigin[];
}

/**
 * The origin of each line of `text` (line ends LF). `isForward`: the subject calls the mail a forward (true),
 * a reply (false) or neither (null). One pass, linear.
 */
export function lineOrigins(
  text: string,
  html: string | null,
  isForward: boolean | null,
): OriginLines {
  const lines = text.split("\n", maxLines).map((line) => line.trimEnd());
  const reader = new OriginReader(lines, html === null ? null : findMarks(html), isForward);
  return { lines, origins: reader.read() };
}

/**
 * The `lines` (without blanks at their ends) that are no quote, no attribution and no answered mail. Signatures and
 * forwarded mail are kept.
 */
export function withoutQuotes(lines: string[]): string[] {
  const origins = new OriginReader(lines, null, false).readQuotes();
  const kept = lines.filter((_, n) => origins[n] !== "quoted");
  while (kept.length > 0 && isRule(kept[kept.length - 1])) kept.pop();
  return kept;
}

/** A bar at the beginning quotes, unless there is one at the end too: that is the frame of a table. */
function isQuoted(line: string): boolean {
  const first = line.charCodeAt(0);
  // Most lines begin with a letter.
  if (first > 0x20 && first !== 0x3e && first !== 0x7c && first !== 0xff1e && first !== 0xa0) {
    return false;
  }
  return /^\s{0,3}(?:[>＞]|\|(?![-|_+=])(?!.*\|$))/.test(line);
}

const colon = 0x3a;
const wideColon = 0xff1a;

/** True for the marks of direction that Gmail writes around addresses in Hebrew and Arabic. */
const isDirection = (unit: number) =>
  unit === 0x200e || unit === 0x200f || (unit >= 0x202a && unit <= 0x202e) ||
  (unit >= 0x2066 && unit <= 0x2069);

/** True if a colon ends a line that has no blanks at its end. */
function endsInColon(line: string): boolean {
  let end = line.length;
  while (end > 0 && isDirection(line.charCodeAt(end - 1))) end--;
  const last = line.charCodeAt(end - 1);
  return last === colon || last === wideColon;
}

/** True if a line may announce another mail: it ends in a colon, or does not begin with a letter. */
function mayAnnounce(line: string): boolean {
  const first = line.charCodeAt(0);
  return first < 0x30 || (first > 0x39 && first < 0x41) || first === 0x5f || endsInColon(line);
}

class OriginReader {
  private readonly origins: LineOrigin[] = [];
  private hasOwn = false;
  /** No line from `colonFree` to before `nextColon` ends in a colon. */
  private colonFree = 0;
  private nextColon = -1;
  private hasQuoted = false;

  constructor(
    private readonly lines: string[],
    private readonly marks: HtmlMarks | null,
    private readonly isForward: boolean | null,
  ) {}

  read(): LineOrigin[] {
    this.readQuotes();
    this.endOwn();
    return this.origins;
  }

  /** The same, with signatures and notices among the new lines. */
  readQuotes(): LineOrigin[] {
    const { lines, origins } = this;
    let n = 0;
    while (n < lines.length) {
      const line = head(lines[n]);
      if (isBlank(line)) origins[n++] = "new";
      else if (isQuoted(line)) {
        if (!this.hasQuoted && forwardedMarks.test(line.replace(/^\s{0,3}>\s?/, ""))) {
          // Apple Mail quotes what it forwards.
          this.fill(n, lines.length, "forwarded");
          break;
        }
        this.hasQuoted = true;
        origins[n++] = "quoted";
      } else {
        const announced = this.attributionEnd(n);
        const rest = this.originFrom(n, line, announced);
        if (rest !== null) {
          this.fill(this.ruleBefore(n), lines.length, rest);
          break;
        }
        if (announced > n) {
          this.fill(n, announced, "quoted");
          this.hasQuoted = true;
          n = announced;
        } else {
          origins[n++] = "new";
          this.hasOwn = true;
        }
      }
    }
    return origins;
  }

  private fill(from: number, to: number, origin: LineOrigin): void {
    for (let n = from; n < to; n++) this.origins[n] = origin;
  }

  /** The origin of everything from line `n`, if another mail begins there; else null. */
  private originFrom(n: number, line: string, announced: number): LineOrigin | null {
    const { lines } = this;
    const marked = this.marks?.quoteAt(line) ?? null;
    if (mayAnnounce(line)) {
      if (forwardedMarks.test(line)) return "forwarded";
      if (originalMessage.test(line)) return this.isForward ? "forwarded" : "quoted";
      if (ruleWithWords.test(line) && this.headerLinesFrom(n + 1) >= 2) {
        return this.isForward === false ? "quoted" : "forwarded";
      }
    }
    if (endsInColon(line) && line.length <= 60 && this.announcesQuotedHeader(n)) {
      return "forwarded";
    }
    if (this.beginsHeaderBlock(n) || (marked === "header" && this.headerLinesFrom(n, 1) >= 2)) {
      // Outlook writes the same above what it answers and what it forwards.
      return (this.isForward ?? !this.hasOwn) ? "forwarded" : "quoted";
    }
    if (marked === "forwarded") return "forwarded";
    if (marked === "quoted" && !this.isQuotedBelow(n + 1)) return "quoted";
    if (announced > n) {
      let next = announced;
      while (next < lines.length && isBlank(lines[next])) next++;
      if (next >= lines.length || !isQuoted(lines[next])) return "quoted";
    }
    return null;
  }

  /** Index of the first line of the rules and empty lines directly above `n`. */
  private ruleBefore(n: number): number {
    let from = n;
    let first = n;
    while (from > 0 && this.origins[from - 1] === "new" && isRule(this.lines[from - 1])) {
      from--;
      if (!isBlank(this.lines[from])) first = from;
    }
    return first;
  }

  /**
   * `From:` and, in the five lines below it, three more header fields, or two if a field has an address. A journey has
   * `From:`, `To:` and `Date:` too.
   */
  private beginsHeaderBlock(n: number): boolean {
    const line = this.lines[n];
    const at = line.indexOf(":");
    if ((at < 0 || at > 40) && !line.includes("：")) return false;
    if (!headerFrom.test(head(line))) return false;
    const below = this.lines.slice(n + 1, n + 8).filter((line) => !isBlank(line)).slice(0, 5);
    const others = below.filter((line) => headerOther.test(head(line)));
    const hasAddress = [line, ...others].some((field) => head(field).includes("@"));
    return others.length >= (hasAddress ? 2 : 3);
  }

  /** How many header fields begin at `n`, after empty lines; 0 unless `least` of them have an address or a time. */
  private headerLinesFrom(n: number, least = 2): number {
    let at = n;
    while (at < Math.min(n + 3, this.lines.length) && isBlank(this.lines[at])) at++;
    const fields: string[] = [];
    for (; at < this.lines.length && fields.length < 6; at++) {
      const line = head(this.lines[at]).replace(/^\s{0,3}>\s?/, "");
      if (!headerLine.test(line)) break;
      fields.push(line);
    }
    return fields.filter((field) => dated.test(field)).length >= least ? fields.length : 0;
  }

  private announcesQuotedHeader(n: number): boolean {
    const next = this.lines.slice(n + 1, n + 4).findIndex((line) => !isBlank(line));
    if (next < 0 || !isQuoted(this.lines[n + 1 + next]) || dated.test(this.lines[n])) return false;
    return this.headerLinesFrom(n + 1 + next) >= 2;
  }

  /** Index after an attribution of one to three lines that begins at `n`, or `n` if there is none. */
  private attributionEnd(n: number): number {
    if (this.colonFrom(n) >= Math.min(n + 3, this.lines.length)) return n;
    let joined = "";
    for (let end = n + 1; end <= Math.min(n + 3, this.lines.length); end++) {
      const line = this.lines[end - 1].trim();
      if (line === "" || isQuoted(line)) return n;
      joined += ` ${line}`;
      if (joined.length > maxLineChars) return n;
      if (!endsInColon(line)) {
        // A sentence above an attribution does not belong to it.
        if (
          end === n + 1 &&
          (/[.!?。！？…]$/.test(line) || !(dated.test(line) || /^\p{L}/u.test(line)))
        ) return n;
        continue;
      }
      // Two of these three: a word for "wrote", an address or a time, a quote below.
      const clues = [wrotePatterns.test(joined), dated.test(joined), this.isQuotedBelow(end)];
      if (clues.filter(Boolean).length < 2) return n;
      return this.isBelow(n, end) ? n : end;
    }
    return n;
  }

  /** Index of the first line from `n` on that ends in a colon, or the number of lines. Looks at each line once. */
  private colonFrom(n: number): number {
    const { lines } = this;
    if (n >= this.colonFree && n <= this.nextColon) return this.nextColon;
    this.colonFree = n;
    let next = n;
    while (next < lines.length && !endsInColon(lines[next])) next++;
    this.nextColon = next;
    return next;
  }

  /** True if the attribution that ends before `end` begins below `n`: "Yes", "Ann", "On 3 May 2026, Bob wrote:". */
  private isBelow(n: number, end: number): boolean {
    const { lines } = this;
    let hasDate = false;
    for (let below = n + 1; below < end; below++) {
      hasDate ||= dated.test(lines[below - 1]);
      // A program may break its attribution behind the address, but hardly before both.
      const line = head(lines[below]);
      const isWhole = timed.test(line) && (line.includes("@") || wrotePatterns.test(line)) &&
        !lines[below - 1].includes("@");
      if ((isWhole || !hasDate) && this.attributionEnd(below) > below) return true;
    }
    return false;
  }

  private isQuotedBelow(from: number): boolean {
    const next = this.lines.slice(from, from + 3).find((line) => !isBlank(line));
    return next !== undefined && isQuoted(next);
  }

  /** Separates, in the lines that are still `new`, the text of people from what their programs add. */
  private endOwn(): void {
    const { lines, origins } = this;
    const framed = pgpFrame(lines);
    const own: number[] = [];
    for (let n = 0; n < origins.length; n++) {
      if (origins[n] !== "new") continue;
      if (framed[n]) origins[n] = "signature";
      else own.push(n);
    }
    while (own.length > 0 && isRule(lines[own[own.length - 1]])) {
      const last = own.pop() ?? 0;
      if (!isBlank(lines[last])) origins[last] = "signature";
    }
    const texts = own.map((n) => lines[n]);
    const set = (from: number, to: number, origin: LineOrigin) => {
      for (const n of own.slice(from, to)) origins[n] = origin;
    };
    const marked = this.marks?.signatureIn(texts) ?? null;
    const lowest = signatureAt(texts) ?? texts.length;
    const last = noticesAt(texts);
    const above = last === null && lowest < texts.length ? noticesAt(texts.slice(0, lowest)) : last;
    const disclaimer = above ?? lowest;
    const disclaimerEnd = last === null ? lowest : texts.length;
    const signature = disclaimer < disclaimerEnd ? signatureAt(texts.slice(0, disclaimer)) : null;
    set(lowest, texts.length, "signature");
    if (signature !== null) set(signature, disclaimer, "signature");
    set(disclaimer, disclaimerEnd, "disclaimer");
    const below = disclaimer < disclaimerEnd
      ? signatureAt(texts.slice(disclaimer, disclaimerEnd))
      : null;
    if (below !== null) set(disclaimer + below, disclaimerEnd, "signature");
    if (marked) set(marked.from, marked.to, "signature");
    const ownEnd = disclaimer < disclaimerEnd ? disclaimer : texts.length;
    const afterwards = postscriptIn(texts.slice(0, ownEnd), signature ?? lowest);
    if (afterwards) set(afterwards.from, afterwards.to, "new");
    const banner = isBannerAt(texts);
    if (banner) set(banner.from, banner.to, "disclaimer");
  }
}

/** A time or a year. */
const timed = /\b\d{1,2}[:.]\d{2}\b|\b(?:19|20)\d\d(?!\d)/;
/** An address, a time or a year. */
const dated = /@|\b\d{1,2}[:.]\d{2}\b|\b(?:19|20)\d\d(?!\d)/;

const isRule = (line: string) => /^[\s_=-]*$/.test(line);
