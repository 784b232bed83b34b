import type { Language, Script } from "./languages.ts";

/** Natural logarithms of the chances that a letter of the language, a letter of ASCII or another sign follows one, and of one after a letter of ASCII. */
const neighbours: Record<Script, { own: number; ascii: number; sign: number; afterAscii: number }> =
  {
    accented: { own: -2, ascii: -0.2, sign: -1.9, afterAscii: -2.7 },
    alphabet: { own: -0.2, ascii: -5.5, sign: -1.7, afterAscii: -6.2 },
    unspaced: { own: -0.1, ascii: -3.5, sign: -2.7, afterAscii: -3.9 },
  };

/** Chances of a letter that the language does not have, of another character, and of one that no text has. */
const foreignLetter = -9, strangeSign = -10, noText = -14;
/** What a sign between two letters costs beside its own chance, and a sign that begins no word right before a letter. */
const signInWord = -3, signBeforeLetter = -4;
const beginsNoWord = new Set("©®™±²×½");
/** What a capital costs: at the beginning of a word, after a capital, after a small letter, else. */
const capital = { first: -1.2, afterCapital: -0.5, afterSmall: -6, other: -2.5 };

/** Signs of all languages, the most frequent first, and those of the East. */
const signs = new Map<string, number>([
  ...[..."\u00a0«»“”‘’–—…„•·°€£§©®™№¿¡×±½²‚‹›"].map((sign, n): [string, number] => [
    sign,
    -3.3 - 0.12 * n,
  ]),
  ...[..."，。、：！？（）「」《》．；　"].map((sign): [string, number] => [sign, -4.5]),
]);

const words = /[A-Za-z\u0080-\u{10ffff}]+/gu;
const letter = /[\p{L}\p{M}\p{Nl}]/u;

/** Judges how well texts fit a language. */
export class LanguageModel {
  private readonly chances: ReadonlyMap<string, number>;
  readonly words: ReadonlySet<string>;

  constructor(readonly language: Language) {
    const letters = [...new Set(language.letters)];
    this.words = new Set(language.words.split(" "));
    // Letters of an alphabet become rarer by the same share from one to the next, words and signs of a word by Zipf's law.
    const isWide = language.script === "unspaced";
    const shares = letters.map((_, n) => isWide ? 1 / (n + 8) : Math.exp(-3 * n / letters.length));
    const sum = shares.reduce((all, share) => all + share, 0) / (isWide ? 0.75 : 0.97);
    this.chances = new Map(letters.map((each, n) => [each, Math.log(shares[n] / sum)]));
  }

  /**
   * The natural logarithm of the chance of the characters beyond ASCII in a text, each after the one before it. Below
   * `least` the rest is not read: each character only lowers it. Linear time.
   */
  likelihood(text: string, least = -Infinity): number {
    const next = neighbours[this.language.script];
    let sum = 0;
    for (const [word] of text.matchAll(words)) {
      let before: "own" | "ascii" | "" = "";
      let isSmall = false, isCapital = false, isBehindSign = false;
      for (const character of word) {
        if (sum < least) return sum;
        if (isBehindSign && letter.test(character)) sum += signBeforeLetter;
        isBehindSign = beginsNoWord.has(character);
        if (character < "\x80") {
          if (before === "own") sum += next.ascii;
          before = "ascii";
          isSmall = character >= "a";
          isCapital = !isSmall;
          continue;
        }
        const small = this.chances.get(character) ?? this.chances.get(character.toLowerCase());
        const sign = small === undefined ? signs.get(character) : undefined;
        if (sign === undefined && (small !== undefined || letter.test(character))) {
          if (before !== "") sum += before === "own" ? next.own : next.afterAscii;
          sum += small ?? foreignLetter;
          const wasCapital = isCapital;
          isCapital = small !== undefined && !this.chances.has(character);
          if (isCapital) {
            sum += wasCapital
              ? capital.afterCapital
              : before === ""
              ? capital.first
              : isSmall
              ? capital.afterSmall
              : capital.other;
          }
          before = "own";
          isSmall = !isCapital;
          continue;
        }
        // Some programs write it for each second blank.
        if (character === "\u00a0" && before === "") continue;
        if (before === "own") sum += next.sign;
        if (sign === undefined && before !== "") sum += signInWord;
        sum += sign ?? (character === "\ufffd" || character < "\xa0" ? noText : strangeSign);
        before = "";
        isSmall = isCapital = false;
      }
      if (before === "own") sum += next.sign;
    }
    return sum;
  }
}
