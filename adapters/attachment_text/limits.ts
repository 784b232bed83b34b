/** UTF-16 code units of one file's text; the rest is left off. */
export const maxTextChars = 1_000_000;

/** Collects the text of a file up to {@link maxTextChars}. */
export class TextSink {
  private readonly parts: string[] = [];
  private left = maxTextChars;

  get isFull(): boolean {
    return this.left <= 0;
  }

  add(text: string): void {
    if (this.isFull || text === "") return;
    this.parts.push(text.slice(0, this.left));
    this.left -= text.length;
  }

  /** Without NUL, without blanks at the ends of lines, and with at most one empty line in a row. */
  get text(): string {
    const lines: string[] = [];
    for (const line of this.parts.join("").replaceAll("\0", "").toWellFormed().split("\n")) {
      const shown = line.trimEnd();
      if (shown !== "" || (lines.length > 0 && lines.at(-1) !== "")) lines.push(shown);
    }
    return lines.join("\n").trim();
  }
}
