/** Words and phrases in any case, looked for in short texts: windows around a number or a link. */
export class Words {
  readonly expression: RegExp;

  /**
   * Each of `words` is the source of an expression in lower case whose repetitions are bounded. Ignoring case in the
   * expression itself takes several times as long.
   */
  constructor(words: readonly string[]) {
    this.expression = new RegExp(words.join("|"), "gu");
  }

  isIn(text: string): boolean {
    return this.firstStart(text) < Infinity;
  }

  /** Index of the first, or Infinity. */
  firstStart(text: string): number {
    this.expression.lastIndex = 0;
    return this.expression.exec(lowerCase(text))?.index ?? Infinity;
  }

  /** Index of each. */
  starts(text: string): number[] {
    this.expression.lastIndex = 0;
    return Array.from(lowerCase(text).matchAll(this.expression), ({ index }) => index);
  }

  /** Index after the last, or -1. Two may overlap: "your code", "code for signing in". */
  lastEnd(text: string): number {
    const lower = lowerCase(text);
    this.expression.lastIndex = 0;
    let end = -1;
    for (let match; (match = this.expression.exec(lower)) !== null;) {
      end = Math.max(end, match.index + match[0].length);
      this.expression.lastIndex = match.index + 1;
    }
    return end;
  }
}

/** Each character in lower case, so that the indexes stay: a capital I with a dot would become two characters. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll("İ", "i").toLowerCase();
}

/** Characters on both sides of a noun in which its name is. */
const nameChars = 60;

/** Words, and names of nouns: what is slow to look for is looked for beside the nouns only. */
export class NamedNouns {
  constructor(
    readonly words: Words,
    readonly nouns: Words,
    readonly names: Words,
  ) {}

  isIn(text: string): boolean {
    return this.firstStart(text) < Infinity;
  }

  firstStart(text: string): number {
    let first = this.words.firstStart(text);
    for (const { from, to } of this.places(text)) {
      if (from >= first) break;
      first = Math.min(first, from + this.names.firstStart(text.slice(from, to)));
    }
    return first;
  }

  lastEnd(text: string): number {
    let last = this.words.lastEnd(text);
    for (const { from, to } of this.places(text)) {
      const end = this.names.lastEnd(text.slice(from, to));
      if (end >= 0) last = Math.max(last, from + end);
    }
    return last;
  }

  /** The parts of the text that have nouns; they do not overlap. */
  private places(text: string): { from: number; to: number }[] {
    const places: { from: number; to: number }[] = [];
    for (const at of this.nouns.starts(text)) {
      const last = places.at(-1);
      if (last && at - nameChars <= last.to) last.to = at + nameChars;
      else places.push({ from: Math.max(0, at - nameChars), to: at + nameChars });
    }
    return places;
  }
}
