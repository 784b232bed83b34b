import { trimBlanksAtEnd } from "../text/blanks.ts";

/** More text than an email keeps (bodyLimits): 4 bytes of markup may give 80 characters of quote marks. */
const maxChars = 1_100_000;

/**
 * Text as it is laid out from markup: white space collapsed, line ends owed between blocks and paid
 * when text comes, quoted lines marked with `>`.
 */
export class TextFlow {
  private readonly pieces: string[] = [];
  private length = 0;
  private owedLines = 0;
  private owedSpace = false;
  private atLineStart = true;
  private quoteDepth = 0;
  /** Quote depth of the line that is being written. */
  private lineDepth = 0;
  private preDepth = 0;
  private prefix = "";

  /** Adds running text; white space of any length is one blank, unless preformatted. */
  add(text: string): void {
    if (this.preDepth > 0) {
      this.addPreformatted(text);
      return;
    }
    // The blanks of HTML, and what mail puts into preheaders to fill them.
    const words = text.replace(/[\s\u200b\u200c\u200d\ufeff\u034f\u00ad]+/g, " ");
    if (words === "") return;
    if (words === " ") {
      this.owedSpace = true;
      return;
    }
    if (words.startsWith(" ")) this.owedSpace = true;
    this.pay();
    this.write(words.trim());
    this.owedSpace = words.endsWith(" ");
  }

  /** Adds a word with a blank before it. */
  addWord(word: string): void {
    this.owedSpace = true;
    this.pay();
    this.write(word);
  }

  /** A line end that is not collapsed with others (`<br>`). */
  lineBreak(): void {
    this.owedLines = Math.min(this.owedLines + 1, 3);
    this.owedSpace = false;
  }

  /** At least so many line ends before the next text. */
  lineEnds(count: number): void {
    this.owedLines = Math.max(this.owedLines, count);
    this.owedSpace = false;
  }

  /** Puts `mark` before the next text. */
  item(mark: string): void {
    this.lineEnds(1);
    this.prefix = mark;
  }

  /** Goes into (1) or out of (-1) a quote. */
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
    return this.pieces.join("").split("\n").map(trimBlanksAtEnd).join("\n").trim();
  }

  private write(piece: string): void {
    if (this.length > maxChars) return;
    this.pieces.push(piece);
    this.length += piece.length;
  }

  private addPreformatted(text: string): void {
    for (const [n, line] of text.replace(/\r\n?/g, "\n").split("\n").entries()) {
      if (n > 0) {
        this.owedLines++;
        this.owedSpace = false;
      }
      if (line === "") continue;
      this.pay();
      this.write(line);
    }
  }

  private pay(): void {
    const started = this.pieces.length > 0;
    if (this.owedLines > 0 || !started) {
      const lines = started ? Math.min(this.owedLines, this.preDepth > 0 ? 20 : 2) : 0;
      const quote = "> ".repeat(this.quoteDepth);
      // An empty line between two depths belongs to the outer one.
      const between = "> ".repeat(Math.min(this.quoteDepth, this.lineDepth)).trimEnd();
      this.write(("\n" + between).repeat(Math.max(0, lines - 1)));
      this.lineDepth = this.quoteDepth;
      this.write((lines > 0 ? "\n" : "") + quote + this.prefix);
      this.prefix = "";
      this.atLineStart = true;
    } else if (this.owedSpace && !this.atLineStart) {
      this.write(" ");
    }
    this.owedLines = 0;
    this.owedSpace = false;
    this.atLineStart = false;
  }
}
