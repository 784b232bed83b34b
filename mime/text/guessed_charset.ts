import { Buffer } from "node:buffer";
import { languages, type Script } from "./languages.ts";
import { LanguageModel } from "./likelihood.ts";

/** Bytes of a text that are looked at; its words beyond ASCII decide, each once: a decoration of one sign is no language. */
const sampleBytes = 300;
/** A guess needs as many bytes beyond ASCII and as many different ones; if whole words are made of them, of both four. */
const fewBytes = 3, fewDifferent = 2, fewOfWords = 4;
/** Then it also needs more evidence for each byte that is missing to many. */
const manyBytes = 8, evidenceOfByte = 1.3;
/** The letters must be usual ones, because nearly any bytes are characters: means of their natural logarithms. */
const usual = { alphabet: -4.7, unspaced: -9 };
/** Rare charsets need more evidence, and windows-1252 needs least: natural logarithms. */
const priors: Record<string, number> = {
  ...{ "windows-1252": 3, "windows-1253": 2, "windows-1251": 1, "windows-1250": 1 },
  ...{ ibm866: -4, "iso-8859-5": -1, "iso-8859-6": -1 },
};

/** How much likelier than the assumed charset another one must be, as a natural logarithm. */
export const enoughEvidence = { undeclared: 3, declared: 6 };
const enoughForUtf8 = 4;
/**
 * Beside a charset of two bytes UTF-8 needs more: for letters in words of ASCII, such as "Jürgen", and else for each byte
 * that is missing to many: "谢谢" of GBK is "лл".
 */
const besideWide = { inWords: 2.5, ofByte: 1.8 };

interface Models {
  all: LanguageModel[];
  charsets: { charset: string; decoder: TextDecoder; models: LanguageModel[] }[];
}

let made: Models | null = null;

/** Made at the first text that needs them: nearly all mail is UTF-8 and says so. */
function languageModels(): Models {
  if (made) return made;
  const all = languages.map((each) => new LanguageModel(each));
  const charsets = [...new Set(languages.flatMap(({ charsets }) => charsets))];
  return made = {
    all,
    charsets: charsets.map((charset) => ({
      charset,
      decoder: new TextDecoder(charset),
      models: all.filter(({ language }) => language.charsets.includes(charset)),
    })),
  };
}

interface Judged {
  charset: string;
  script: Script;
  likelihood: number;
  /** Of the sample, beyond ASCII. */
  characters: number;
}

/**
 * The charset in which a text that is no UTF-8 is likeliest words of a language; null for windows-1252, and without
 * `evidence`. The time does not grow with the text, but for the search of its first words.
 */
export function guessedCharset(bytes: Uint8Array, evidence: number): string | null {
  const { sample, high, different } = sampleOf(bytes);
  if (high < fewBytes || different < fewDifferent) return null;
  const known = knownWords(bytes);
  let western = -Infinity;
  let best: Judged = { charset: "", script: "accented", likelihood: -Infinity, characters: 0 };
  for (const { charset, decoder, models } of languageModels().charsets) {
    const text = decoder.decode(sample);
    // deno-lint-ignore no-control-regex -- the range is all of ASCII
    const characters = text.match(/[^\x00-\x7f]/gu)?.length ?? 0;
    for (const model of models) {
      const more = wordEvidence * known(model.words) + (priors[charset] ?? 0);
      const likelihood = model.likelihood(text, best.likelihood - more) + more;
      if (charset === "windows-1252") western = Math.max(western, likelihood);
      if (likelihood > best.likelihood) {
        best = { charset, script: model.language.script, likelihood, characters };
      }
    }
  }
  const more = best.likelihood - western - evidence;
  if (best.script === "accented") return more > 0 ? best.charset : null;
  const isEnough = high >= fewOfWords && different >= fewOfWords &&
    more > missing(high) * evidenceOfByte;
  const isUsual = best.likelihood / best.characters > usual[best.script];
  return isEnough && isUsual ? best.charset : null;
}

/** Whether bytes, which are UTF-8, are likelier so than in the declared charset. */
export function isRatherUtf8(bytes: Uint8Array, declared: (bytes: Uint8Array) => string): boolean {
  const { sample, high } = sampleOf(bytes);
  const { all } = languageModels();
  const likelihood = (text: string) =>
    all.reduce((best, model) => Math.max(best, model.likelihood(text, best)), -Infinity);
  const text = utf8.decode(sample);
  const other = declared(sample);
  const isWide = other.length < sample.length;
  const more = notInWords.test(text) ? missing(high) * besideWide.ofByte : besideWide.inWords;
  return likelihood(text) - likelihood(other) > enoughForUtf8 + (isWide ? more : 0);
}

/** A letter that is not Latin, or that has no ASCII letter next to it. */
// deno-lint-ignore no-control-regex -- the range is all of ASCII
const notInWords = /[^\x00-\u024f]|(?<![A-Za-z])[\x80-\u024f](?![A-Za-z])/u;

const missing = (high: number) => Math.max(0, manyBytes - high);

const utf8 = new TextDecoder();

/** Bytes of a text whose words in ASCII are compared with those of languages, and what each is worth as a natural logarithm. */
const comparedBytes = 2_000;
const wordEvidence = 1.2, mostWords = 4;

/** How many of a set of words a text has, at most {@link mostWords}. */
function knownWords(bytes: Uint8Array): (words: ReadonlySet<string>) => number {
  const front = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, comparedBytes));
  const all = new Set(
    front.toString("latin1").toLowerCase().match(
      /(?<![a-z\x80-\xff])[a-z]{2,8}(?![a-z\x80-\xff])/g,
    ),
  );
  return (words) => Math.min(mostWords, all.intersection(words).size);
}

interface Sample {
  sample: Uint8Array;
  /** How many bytes beyond ASCII it has, and how many different ones. */
  high: number;
  different: number;
}

/** The first different words with bytes beyond ASCII. */
function sampleOf(bytes: Uint8Array): Sample {
  const found = new Set<string>();
  let size = 0, high = 0;
  for (let at = 0; at < bytes.length && size < sampleBytes; at++) {
    if (bytes[at] < 0x80) continue;
    // No charset has bytes of blanks inside a character.
    let start = at;
    while (start > 0 && at - start < 100 && bytes[start - 1] > 0x20) start--;
    const last = Math.min(bytes.length, start + sampleBytes - size);
    let end = at;
    let highOfWord = 0;
    while (end < last && bytes[end] > 0x20) if (bytes[end++] >= 0x80) highOfWord++;
    const word = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString(
      "latin1",
    );
    if (!found.has(word)) {
      found.add(word);
      size += word.length + 1;
      high += highOfWord;
    }
    at = end;
  }
  const sample = Buffer.from([...found].join(" "), "latin1");
  return { sample, high, different: new Set(sample.filter((byte) => byte >= 0x80)).size };
}
