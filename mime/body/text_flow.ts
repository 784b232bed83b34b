import { trimBlanksAtEnd } from "../text/blanks.ts";

/**
 * Characters; more than `bodyLimits` keeps. Without this limit 4 bytes of markup may give 80 characters of quote marks.
 */
const maxChars = 1_100_000;

/**
 * Lays out text from markup: collapses white space, writes the line ends between blocks only when text
 * follows, and marks quoted lines with `>`.
 */
export class TextFlow {
  private readonly pieces: string[] = [];
  private length = 0;
  private pendingLines = 0;
  private pendingSpace = false;
  private atLineStart = true;
  private quoteDepth = 0;
  /** Quote depth of the line that is being written. */
  private lineDepth = 0;
  private preDepth = 0;
  private prefix = "";

  /** Adds text; white space becomes one blank, unless preformatted. */
  add(text: string): void {
    if (this.preDepth > 0) {
      this.addPreformatted(text);
      return;
    }
    // Between tags.
    if (text.charCodeAt(0) <= 0x20 && text.trim() === "") {
      this.pendingSpace = true;
      return;
    }
    const words = collapsed(text);
    if (words === "") return;
    if (words === " ") {
      this.pendingSpace = true;
      return;
    }
    if (words.startsWith(" ")) this.pendingSpace = true;
    this.writeSpace();
    this.write(words.trim());
    this.pendingSpace = words.endsWith(" ");
  }

  /** Adds a word with a blank before it. */
  addWord(word: string): void {
    this.pendingSpace = true;
    this.writeSpace();
    this.write(word);
  }

  /** Adds a line end that is not collapsed with others (`<br>`). */
  lineBreak(): void {
    this.pendingLines = Math.min(this.pendingLines + 1, 3);
    this.pendingSpace = false;
  }

  /** Requests at least `count` line ends before the next text. */
  lineEnds(count: number): void {
    this.pendingLines = Math.max(this.pendingLines, count);
    this.pendingSpace = false;
  }

  /** Puts `mark` before the next text. */
  item(mark: string): void {
    this.lineEnds(1);
    this.prefix = mark;
  }

  /** Enters (1) or leaves (-1) a quote. */
  quote(step: 1 | -1): void {
    this.lineEnds(2);
    this.quoteDepth = Math.min(20, Math.max(0, this.quoteDepth + step));
  }

  preformatted(step: 1 | -1): void {
    this.preDepth = Math.max(0, this.preDepth + step);
  }

  /** A place in the text, for {@link since}. */
  mark(): number {
    return this.pieces.length;
  }

  since(mark: number): string {
    return this.pieces.slice(mark).join("");
  }

  text(): string {
    const text = this.pieces.join("");
    const isTrimmed = !text.includes(" \n") && !text.includes("\t\n");
    return (isTrimmed ? text : text.split("\n").map(trimBlanksAtEnd).join("\n")).trim();
  }

  private write(piece: string): void {
    if (this.length > maxChars) return;
    if (piece !== "") this.pieces.push(piece);
    this.length += piece.length;
  }

  private addPreformatted(text: string): void {
    for (const [n, line] of text.replace(/\r\n?/g, "\n").split("\n").entries()) {
      if (n > 0) {
        this.pendingLines++;
        this.pendingSpace = false;
      }
      if (line === "") continue;
      this.writeSpace();
      this.write(line);
    }
  }

  private writeSpace(): void {
    const started = this.pieces.length > 0;
    if (this.pendingLines > 0 || !started) {
      const lines = started ? Math.min(this.pendingLines, this.preDepth > 0 ? 20 : 2) : 0;
      this.writeLineEnds(lines);
      this.prefix = "";
      this.atLineStart = true;
    } else if (this.pendingSpace && !this.atLineStart) {
      this.write(" ");
    }
    this.pendingLines = 0;
    this.pendingSpace = false;
    this.atLineStart = false;
  }

  /** Writes line ends, and what stands at the beginning of the line: quote marks and the mark of an item. */
  private writeLineEnds(lines: number): void {
    const { quoteDepth, lineDepth, prefix } = this;
    this.lineDepth = quoteDepth;
    if (quoteDepth === 0) {
      const ends = lines === 2 ? "\n\n" : lines === 1 ? "\n" : "\n".repeat(lines);
      this.write(prefix === "" ? ends : ends + prefix);
      return;
    }
    // An empty line between two quote depths belongs to the outer one.
    const between = "> ".repeat(Math.min(quoteDepth, lineDepth)).trimEnd();
    this.write(("\n" + between).repeat(Math.max(0, lines - 1)));
    this.write((lines > 0 ? "\n" : "") + "> ".repeat(quoteDepth) + prefix);
  }
}

/**
 * Text in which a run of white space, and of the invisible characters with which senders fill preheaders, is one blank. A
 * blank that is one already is no match, which would be listed. Invisible characters alone are no blank: what joins or
 * parts two characters (ZWJ, ZWNJ) stays, soft hyphens and the like go.
 */
function collapsed(text: string): string {
  const seen = invisible.test(text)
    ? text.replace(
      /[\s\u200b-\u200d\u2060\u034f\u00ad]+/g,
      visiblePart,
    )
    : text;
  return seen.replace(/ \s+|[^\S ]\s*/g, " ");
}

const invisible = /[\u200b-\u200d\u2060\ufeff\u034f\u00ad]/;

/** What is seen of a run with invisible characters in a text. */
function visiblePart(run: string, at: number, text: string): string {
  if (/(?!\ufeff)\s/.test(run)) return " ";
  const isBetween = at > 0 && at + run.length < text.length;
  return isBetween && /^[\u200c\u200d]$/.test(run) ? run : "";
}
