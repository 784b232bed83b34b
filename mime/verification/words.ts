/** Words and phrases in any case, looked for in short texts: windows around a number or a link. */
export class Words {
  readonly expression: RegExp;

  /** Each of `words` is the source of an expression whose repetitions are bounded. */
  constructor(words: readonly string[]) {
    this.expression = new RegExp(words.join("|"), "giu");
  }

  isIn(text: string): boolean {
    return this.firstStart(text) < Infinity;
  }

  /** Index of the first, or Infinity. */
  firstStart(text: string): number {
    this.expression.lastIndex = 0;
    return this.expression.exec(text)?.index ?? Infinity;
  }

  /** Index after the last, or -1. */
  lastEnd(text: string): number {
    this.expression.lastIndex = 0;
    let end = -1;
    for (const match of text.matchAll(this.expression)) end = match.index + match[0].length;
    return end;
  }
}
