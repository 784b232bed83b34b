import { subjectPrefix } from "../headers/subject.ts";
import type { MailHead } from "../headers/mail_head.ts";
import { findMarks, type HtmlMarks } from "./html_marks.ts";
import { attributionStart, mayEndAttribution } from "./attribution.ts";
import {
  forwardWords,
  framedTitle,
  originalMessage,
  ruledStart,
  ruledTitle,
} from "./announcement_words.ts";
import { headerBlockEnd } from "./header_block.ts";
import { labelledLine } from "./header_labels.ts";
import {
  dated,
  endsInColon,
  head,
  isBlank,
  isQuoted,
  isRule,
  type LineOrigin,
  unquoted,
} from "./lines.ts";
import { endOwn } from "./own_origins.ts";

/** How many lines are read: nobody writes more above a quote. */
const maxLines = 20_000;

/** Lines, or parts of one that have their own origins. */
export interface OriginLines {
  /** Without blanks at their ends. */
  lines: string[];
  /** Where each begins in the text. */
  starts: number[];
  /** One for each. An empty line is `new` unless another kind of text has begun above it. */
  origins: LineOrigin[];
}

/** The origins of the first {@link maxLines} lines of `text` (line ends LF). One pass, linear. */
export function lineOrigins(
  text: string,
  html: string | null,
  mail: MailHead = {},
): OriginLines {
  const whole = text.split("\n", maxLines);
  const lines = whole.map((line) => line.trimEnd());
  const marks = html === null ? null : findMarks(html);
  const reader = new OriginReader(lines, marks, mail);
  const origins = reader.read();
  const starts: number[] = [];
  let start = 0;
  for (const { length } of whole) {
    starts.push(start);
    start += length + 1;
  }
  return reader.tails.size === 0 ? { lines, starts, origins } : {
    lines: lines.flatMap((line, n) =>
      withTail(line, reader.tails.get(n), (tail) => whole[n].slice(tail.column).trimEnd())
    ),
    starts: starts.flatMap((start, n) =>
      withTail(start, reader.tails.get(n), (tail) => start + tail.column)
    ),
    origins: origins.flatMap((origin, n) =>
      withTail(origin, reader.tails.get(n), (tail) => tail.origin)
    ),
  };
}

/** The end of a line whose beginning is the writer's. */
interface Tail {
  column: number;
  origin: LineOrigin;
}

const withTail = <T>(of: T, tail: Tail | undefined, ofTail: (tail: Tail) => T): T[] =>
  tail ? [of, ofTail(tail)] : [of];

/** For each of the `lines` (without blanks at their ends) whether it is no quote, attribution or answered mail. */
export function unquotedLines(lines: readonly string[]): boolean[] {
  const reader = new OriginReader(lines.slice(), null, null);
  return reader.readQuotes().map((origin) => origin !== "quoted");
}

/**
 * What the mail does: it answers, it forwards, or it does neither (`fresh`): then nothing in it has been read before.
 * `unclear` if the header is not known, or names a mail under another subject.
 */
type MailKind = "reply" | "forward" | "fresh" | "unclear";

function kindOf({ subject = "", answers }: MailHead, lines: readonly string[]): MailKind {
  const prefix = subjectPrefix(subject);
  if (prefix === "either") {
    const isNorthern = lines.some((line) => /lähettäjä|saatja/iu.test(line));
    return isNorthern ? "reply" : "forward";
  }
  return prefix ?? (answers === false ? "fresh" : "unclear");
}

/** An empty line may have the mark of a quote. */
const hasNoText = (line: string | undefined) => line !== undefined && /^[\s>|]*$/.test(line);

/** A title that stands above its block without a rule is no longer. */
const maxTitle = 60;

/** True if a line may be a title: it ends in a colon, or begins with a rule. */
function mayBeTitle(line: string): boolean {
  let at = 0;
  while (line.charCodeAt(at) <= 0x20) at++;
  return ruleMarks.includes(line.charAt(at)) && ruleMarks.includes(line.charAt(at + 1)) ||
    endsInColon(line);
}

const ruleMarks = "-_*=~#‐–";

/** The origin of an earlier mail, and the line after the last one that has it. */
type Found = [origin: LineOrigin, end: number];

class OriginReader {
  readonly tails = new Map<number, Tail>();
  private readonly origins: LineOrigin[] = [];
  /** The first line of the writer. */
  private firstOwn = Infinity;
  private hasQuoted = false;
  private knownKind: MailKind | null = null;
  /** Of `lines`, those that are split lose their ends. Without a head the mail is an answer. */
  constructor(
    private readonly lines: string[],
    private readonly marks: HtmlMarks | null,
    private readonly mail: MailHead | null,
  ) {}

  private get kind(): MailKind {
    return this.knownKind ??= this.mail ? kindOf(this.mail, this.lines) : "reply";
  }

  read(): LineOrigin[] {
    this.readQuotes();
    endOwn(this.lines, this.origins, this.marks);
    return this.origins;
  }

  /** The same, with signatures and notices among the new lines. */
  readQuotes(): LineOrigin[] {
    const { lines, origins } = this;
    for (let n = 0; n < lines.length;) {
      const line = head(lines[n]);
      if (isBlank(line)) {
        origins[n++] = "new";
        continue;
      }
      n = this.attribution(n) ?? this.quote(n, line) ?? this.earlierMail(n, line) ?? this.own(n);
    }
    return origins;
  }

  private fill(from: number, to: number, origin: LineOrigin): number {
    for (let n = from; n < to; n++) this.origins[n] = origin;
    if (origin === "quoted") this.hasQuoted = true;
    return to;
  }

  private own(n: number): number {
    this.firstOwn = Math.min(this.firstOwn, n);
    return this.fill(n, n + 1, "new");
  }

  /**
   * The origin of a mail below line `from`. Some programs write the same above what they answer and what they forward; the
   * subject decides then. Without one, a mail below words of the writer is answered.
   */
  private earlier(from: number): "quoted" | "forwarded" {
    if (this.kind === "reply") return "quoted";
    return this.kind === "forward" || this.firstOwn >= from ? "forwarded" : "quoted";
  }

  /** The same below a header block: a form that a web site sends has one too, and answers nothing. */
  private fromForm(from: number): "quoted" | "forwarded" {
    return this.kind === "fresh" ? "forwarded" : this.earlier(from);
  }

  /** If an attribution ends with line `n`: the next line to read. */
  private attribution(n: number): number | null {
    const { lines, origins } = this;
    if (!mayEndAttribution(lines[n])) return null;
    let top = n;
    while (top > 0 && top > n - 5 && origins[top - 1] === "new") top--;
    if (isQuoted(lines[n]) && top === n && n > 0) return null;
    const start = attributionStart(lines, n, top);
    if (start === null) return null;
    const { line } = start;
    // "The ministry writes:" above what the writer copied.
    const isBare = !lines.slice(line, n + 1).some((each) => dated.test(head(each)));
    if (isBare && this.kind === "fresh" && this.marks?.isPlain) return null;
    // "Yes --- On 3 May": the dashes are the program's.
    const column = lines[line].slice(0, start.column).replace(/[\s-]{1,80}$/, "").length;
    const next = this.nextText(n + 1);
    const isMarked = next < lines.length && isQuoted(lines[next]);
    const origin = isMarked ? "quoted" : this.earlier(column > 0 ? line + 1 : line);
    if (column > 0) {
      this.tails.set(line, { column, origin });
      lines[line] = lines[line].slice(0, column);
      this.own(line);
      this.fill(line + 1, n + 1, origin);
    } else this.fill(isMarked ? line : this.ruleBefore(line), n + 1, origin);
    this.hasQuoted = true;
    return isMarked ? n + 1 : this.fill(n + 1, lines.length, origin);
  }

  /** If line `n` is quoted: the next line to read. */
  private quote(n: number, line: string): number | null {
    if (!isQuoted(line)) return null;
    if (!this.hasQuoted) {
      // Apple Mail quotes what it forwards.
      if (this.forwardsBelow(n, unquoted(line))) {
        return this.fill(n, this.lines.length, "forwarded");
      }
      if (this.marks?.isIndented(line) || (this.kind === "fresh" && this.marks?.isPlain)) {
        return this.own(n);
      }
    }
    return this.fill(n, n + 1, "quoted");
  }

  /** True if the first line of a quote is the title, or the header block, of a forwarded mail. */
  private forwardsBelow(n: number, line: string): boolean {
    if (originalMessage.test(line)) return this.earlier(n) === "forwarded";
    const isTitle = line.length <= maxTitle && mayBeTitle(line);
    if (isTitle && forwardWords.test(line) && this.isLabelled(n + 1)) return true;
    if (this.kind === "reply") return false;
    const hasBlock = isTitle && this.blockBelow(n + 1) > n + 1;
    return hasBlock || (this.blockFrom(n) > n && this.earlier(n) === "forwarded");
  }

  /** If another mail begins at line `n`, which no mark quotes: the next line to read. */
  private earlierMail(n: number, line: string): number | null {
    const found = this.title(n, line) ?? this.block(n, line) ?? this.marked(n, line);
    return found && this.fill(this.ruleBefore(n), found[1], found[0]);
  }

  private title(n: number, line: string): Found | null {
    if (!mayBeTitle(line)) return null;
    const { length } = this.lines;
    if (ruledStart.test(line) && forwardWords.test(line.slice(0, 80))) return ["forwarded", length];
    const isOriginal = originalMessage.test(line);
    const isRuled = isOriginal || ruledTitle.test(line);
    if (!isRuled && (line.length > maxTitle || !endsInColon(line))) return null;
    if (forwardWords.test(line) && this.isLabelled(n + 1)) return ["forwarded", length];
    const hasBlock = this.blockBelow(n + 1, isRuled && framedTitle.test(line)) > n + 1;
    if (isOriginal) {
      const origin = this.earlier(n);
      return [
        origin,
        origin === "quoted" && !hasBlock && this.isMarkedBelow(n + 1) ? n + 1 : length,
      ];
    }
    if (!hasBlock) return null;
    if (isRuled) return [this.fromForm(n), length];
    return isQuoted(this.lines[this.nextText(n + 1)]) ? ["forwarded", length] : null;
  }

  /** Proton writes its title above an attribution, and marks below it what is quoted. */
  private isMarkedBelow(n: number): boolean {
    const { lines } = this;
    const next = this.nextText(n);
    for (let end = next; end < Math.min(next + 3, lines.length); end++) {
      if (isQuoted(lines[end])) return end === next;
      if (mayEndAttribution(lines[end]) && attributionStart(lines, end, next)) return true;
    }
    return false;
  }

  private block(n: number, line: string): Found | null {
    const colon = line.indexOf(":");
    if ((colon < 0 || colon > 40) && !line.includes("：")) return null;
    if (this.blockFrom(n) === n) {
      const isMarked = this.marks?.quoteAt(line) === "header";
      if (!isMarked || this.blockFrom(n, "certain") === n) return null;
    }
    return [this.fromForm(n), this.lines.length];
  }

  private marked(n: number, line: string): Found | null {
    const { length } = this.lines;
    const mark = this.marks?.quoteAt(line) ?? null;
    if (mark === null || mark === "header") return null;
    if (mark === "forwarded") return ["forwarded", length];
    // Below an attribution of several lines the marks show what is quoted.
    const next = this.lines.slice(n + 1, n + 4).findIndex(isQuoted);
    return ["quoted", next < 0 ? length : n + 1 + next];
  }

  private blockFrom(n: number, titled: boolean | "certain" = false): number {
    return headerBlockEnd(this.lines, n, { titled, mail: this.mail });
  }

  /** Index after the block below a title that ends before `n`; `n` if there is none. */
  private blockBelow(n: number, isFramed = false): number {
    const next = this.below(n);
    if (next >= this.lines.length) return n;
    const isCertain = isFramed || isQuoted(this.lines[next]);
    const end = this.blockFrom(next, isCertain ? "certain" : true);
    return end > next ? end : n;
  }

  /** True if a field stands below a title that ends before `n`. */
  private isLabelled(n: number): boolean {
    const line = this.lines[this.below(n)];
    return line !== undefined && labelledLine(unquoted(head(line)))?.role != null;
  }

  /** Index of the first of the two next lines that has text, or of the third. */
  private below(n: number): number {
    const to = n + 2;
    while (n < to && hasNoText(this.lines[n])) n++;
    return n;
  }

  /** Index of the next line with text. */
  private nextText(n: number): number {
    while (n < this.lines.length && isBlank(this.lines[n])) n++;
    return n;
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
}
