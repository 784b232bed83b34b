import {
  confidentialMarks,
  disclaimerStart,
  outsideBanner,
  programNotice,
} from "../body/reply_patterns.ts";
import { cutText } from "../text/cut_text.ts";
import { dated } from "./lines.ts";
import type { Segment } from "./segments.ts";

/** Longer texts are not compared: nobody answers a book line by line. */
const maxComparedChars = 200_000;

/** So many letters and digits in a row are of the same text. */
const gramChars = 8;

/** A line is of the answered mail if this share of its pieces is: a link in it may be rewritten. */
const leastKnown = 0.5;

/** The quote is of the answered mail if this share of its letters is. */
const leastQuoted = 0.3;

/** The quoted line above an answer is not longer. */
const maxQuotedLine = 200;

const link = /<?\b(?:https?:\/\/|mailto:|cid:|www\.)[^\s>]{1,4000}>?/giu;
const letter = /[\p{L}\p{N}\p{Extended_Pictographic}]/gu;
/** All up to the blanks, if there are any, behind the last sentence. */
const sentenceEnd = /^.*(?:[.!?…:;)"”»][ \u00a0\t]+|[。？！：])/su;
const mark = /^(?:\s{0,3}[>|＞])+\s?/;
const listFooter = /unsubscri|mailing list|listinfo/iu;
/** "From: ann@example.org": a field of a header block. */
const field = /^[*_\s]{0,4}\p{L}[\p{L}\p{M} .'-]{0,24}[*_]{0,2}\s?[:：]\s?\S/u;

/** Letters, digits and pictures, in lower case: what line ends, quote marks and mail programs do not change. */
const squeezed = (text: string): string =>
  text.replace(link, " ").replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]+/gu, "").toLowerCase();

/** The text of the answered mail, to ask what it has. */
class AnsweredText {
  private readonly grams = new Set<string>();
  private readonly lines: Set<string>;

  constructor(text: string) {
    const running = squeezed(text);
    for (let n = 0; n + gramChars <= running.length; n++) {
      this.grams.add(running.slice(n, n + gramChars));
    }
    this.lines = new Set(text.split("\n").map(squeezed));
  }

  /** True if the text has the squeezed line between its neighbours. */
  has(line: string, above: string, below: string): boolean {
    if (this.lines.has(line)) return true;
    if (line.length >= gramChars) return this.share(line) >= leastKnown;
    // A short word may stand anywhere ("yes" in "yesterday"): it counts together with the text next to it.
    const before = above.slice(1 - gramChars) + line;
    const after = line + below.slice(0, gramChars - 1);
    return [before, after].some((one) => one.length >= gramChars && this.share(one) === 1);
  }

  /** How many letters from the beginning of a squeezed line are the text's, if another text follows them; else 0. */
  ownStart(line: string): number {
    let end = 0;
    let known = 0;
    for (let n = 0; n + gramChars <= line.length; n++) {
      if (!this.grams.has(line.slice(n, n + gramChars))) continue;
      known++;
      end = n + gramChars;
    }
    return end > 0 && end < line.length && known === end - gramChars + 1 ? end : 0;
  }

  /** True if the line of another program begins in the middle of one of the text, whose beginning is `above`. */
  goesOn(above: string, line: string): boolean {
    const joint = above.slice(1 - gramChars) + line;
    return above !== "" && line !== "" && joint.length >= gramChars && this.share(joint) === 1;
  }

  private share(text: string): number {
    let known = 0;
    const all = text.length - gramChars + 1;
    for (let n = 0; n < all; n++) if (this.grams.has(text.slice(n, n + gramChars))) known++;
    return known / all;
  }
}

interface QuotedLine {
  /** With its line end. */
  text: string;
  squeezed: string;
  /** It stands in the line of the one above. */
  isTail: boolean;
  isNew: boolean;
}

/** A segment; of an answer, the quoted line above it. */
interface Part extends Segment {
  answers?: string;
}

/** The text of a mail whose quote has answers. */
export interface AnsweringText {
  /** As `segmentsOf` has them, with the answers as `new`. */
  segments: Segment[];
  /** As `newTextOf`, with each answer below the line that it answers. */
  newText: string;
}

/**
 * Finds answers inside the quote of a mail: lines that `answered`, the text of the mail that it answers, does not have. A
 * wrapped line, a rewritten link, a header block, and the banner or the notice of a gateway are no answers. Null if there
 * is none. Linear time; long texts are not compared.
 */
export function answersIn(found: readonly Segment[], answered: string): AnsweringText | null {
  const length = found.reduce(
    (sum, { origin, text }) => sum + (origin === "quoted" ? text.length : 0),
    0,
  );
  if (length === 0 || Math.max(length, answered.length) > maxComparedChars) return null;
  const text = new AnsweredText(answered);
  const unwrapped = found.flatMap((segment, n) => withoutWrapped(segment, found[n - 1], text));
  const isWrapped = unwrapped.some((segment, n) => segment !== found[n]);
  const segments = isWrapped ? joined(unwrapped) : found;
  // Where the writer's lines stand without marks between marked ones, the marked ones are all of others.
  const marksTell = segments.some(({ origin }, n) =>
    origin === "new" && segments[n - 1]?.origin === "quoted" && segments[n + 1]?.origin === "quoted"
  );
  const divided = segments.flatMap((segment): Part[] =>
    segment.origin === "quoted" && !(marksTell && hasMarks(segment.text))
      ? divide(segment.text, text)
      : [segment]
  );
  const parts = divided.map((part, n) => ({ ...part, ...answerBetween(divided, n, text) }));
  if (!isWrapped && parts.every(({ answers }) => answers === undefined)) return null;
  return { segments: joined(parts), newText: newTextOf(parts) };
}

/**
 * True if `text` ends with the whole answered mail, and its new text stands above that, as in most answers: then nothing is
 * inside the quote.
 */
export function isAboveWhole(text: string, newText: string, answered: string): boolean {
  const all = squeezed(text.slice(-maxComparedChars));
  const quoted = squeezed(answered.slice(0, maxComparedChars));
  return all.endsWith(quoted) &&
    all.slice(0, all.length - quoted.length).includes(squeezed(newText));
}

/** A segment behind a quoted line: its first lines are of the quote if a program has wrapped them out of that line. */
function withoutWrapped(
  segment: Segment,
  before: Segment | undefined,
  answered: AnsweredText,
): Segment[] {
  if (segment.origin !== "new" || before?.origin !== "quoted") return [segment];
  let above = squeezed(linesOf(before.text).at(-1) ?? "");
  let end = 0;
  for (const line of linesOf(segment.text)) {
    const letters = squeezed(line);
    if (!answered.goesOn(above, letters)) break;
    above = letters;
    end += line.length;
  }
  if (end === 0) return [segment];
  const rest = segment.text.slice(end);
  const wrapped: Segment = { origin: "quoted", text: segment.text.slice(0, end) };
  return rest === "" ? [wrapped] : [wrapped, { origin: "new", text: rest }];
}

/** Each with its line end. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const hasMarks = (text: string): boolean => text.split("\n").some((line) => mark.test(line));

/** For text that the program left unmarked between quoted lines: the line above, if the answered mail has it. */
function answerBetween(
  parts: readonly Part[],
  n: number,
  answered: AnsweredText,
): Pick<Part, "answers"> {
  const above = parts[n - 1];
  const isBetween = parts[n].origin === "new" && above?.origin === "quoted" &&
    parts[n + 1]?.origin === "quoted";
  if (!isBetween || parts[n].answers !== undefined) return {};
  const line = above.text.split("\n").findLast((line) => squeezed(line) !== "") ?? "";
  const letters = squeezed(line);
  return letters !== "" && answered.has(letters, "", "") ? { answers: line } : {};
}

function joined(parts: readonly Part[]): Segment[] {
  const segments: Segment[] = [];
  for (const { origin, text } of parts) {
    const last = segments.at(-1);
    if (last?.origin === origin && origin !== "hidden") last.text += text;
    else segments.push({ origin, text });
  }
  return segments;
}

function newTextOf(parts: readonly Part[]): string {
  const own = parts.flatMap(({ origin, text, answers }) => {
    if (origin !== "new") return [];
    if (answers === undefined) return [text.trim()];
    const line = cutText(bare(answers), maxQuotedLine).trimEnd();
    return [`> ${line}\n${text.trim().split("\n").map(bare).join("\n")}`];
  });
  const forwarded = parts.filter(({ origin }) => origin === "forwarded");
  return [...own, ...forwarded.map(({ text }) => text.trim())].join("\n\n")
    .replace(/\n{3,}/g, "\n\n").trim();
}

/** Without marks of quotes, and without blanks at the ends. */
const bare = (line: string): string => line.replace(mark, "").trim();

function divide(quoted: string, answered: AnsweredText): Part[] {
  const lines = linesOf(quoted).flatMap((line) =>
    withoutTail(line, answered).map((text, n): QuotedLine => ({
      text,
      squeezed: squeezed(text),
      isTail: n > 0,
      isNew: false,
    }))
  );
  markAnswers(lines.filter((line) => line.squeezed !== ""), answered);
  const parts: Part[] = [];
  let above = "";
  for (const [n, line] of lines.entries()) {
    const last = parts.at(-1);
    // An empty line belongs to what stands above, a rule to what stands below it.
    const isEmpty = line.squeezed === "";
    const isOfAbove = isEmpty && last &&
      (last.origin === "quoted" || bare(line.text) === "" || lines[n + 1]?.isNew);
    const origin = isOfAbove ? last.origin : line.isNew ? "new" : "quoted";
    if (last?.origin === origin) last.text += line.text;
    else parts.push({ origin, text: line.text, ...origin === "new" && { answers: above } });
    if (origin === "quoted" && line.squeezed !== "") above = line.text;
  }
  return parts;
}

/** "Does it open at six? No, at seven.": a line, in two if the answer stands behind a sentence of the answered mail. */
function withoutTail(line: string, answered: AnsweredText): string[] {
  const letters = answered.ownStart(squeezed(line));
  if (letters === 0) return [line];
  // The next letter of both may be the same: the tail begins with a word behind the end of a sentence.
  const unlinked = line.replace(link, (url) => " ".repeat(url.length));
  let at = 0;
  let left = letters;
  for (const { index, 0: one } of unlinked.matchAll(letter)) {
    if (left <= 0) break;
    left -= one.toLowerCase().length;
    at = index + one.length;
  }
  const end = sentenceEnd.exec(line.slice(0, at + 3))?.[0].length ?? 0;
  const tail = line.slice(end);
  return end > 0 && at - end <= 3 && squeezed(tail).length >= 2
    ? [line.slice(0, end), tail]
    : [line];
}

/** Marks the runs of lines, below the first known one, that are answers; none if the quote is of another mail. */
function markAnswers(lines: readonly QuotedLine[], answered: AnsweredText): void {
  const known = lines.map((line, n) =>
    answered.has(line.squeezed, lines[n - 1]?.squeezed ?? "", lines[n + 1]?.squeezed ?? "")
  );
  // Above stand an attribution or a header block, and the banner of a gateway.
  let above = lines.findIndex(({ squeezed }, n) => known[n] && squeezed.length >= gramChars);
  if (above < 0) return;
  const letters = { known: 0, all: 0 };
  for (let n = above; n < lines.length; n++) {
    letters.all += lines[n].squeezed.length;
    if (known[n]) letters.known += lines[n].squeezed.length;
  }
  if (letters.known < leastQuoted * letters.all) return;
  for (let n = above; n < lines.length;) {
    if (known[n]) {
      above = n++;
      continue;
    }
    let end = n;
    while (end < lines.length && !known[end]) end++;
    const run = lines.slice(n, end);
    const isNew = isAnswer(run, lines[above]);
    for (const line of run) line.isNew = isNew;
    n = end;
  }
}

const depthOf = (line: string): number => mark.exec(line)?.[0].replace(/[^>|＞]/g, "").length ?? 0;

/** False for what programs write into a quote: an older mail, header blocks, attributions, banners and notices. */
function isAnswer(run: readonly QuotedLine[], above: QuotedLine): boolean {
  const texts = run.map(({ text }) => bare(text).slice(0, 400));
  const [depth, depthAbove] = [depthOf(run[0].text), depthOf(above.text)];
  // In a quote without marks, ">>> In May" is the mark of the writer.
  if (depth > depthAbove && depthAbove > 0 && !run[0].isTail) return false;
  const fields = texts.filter((text) => field.test(text)).length;
  if (fields >= 3 || (fields === texts.length && field.test(bare(above.text)))) return false;
  // An attribution takes up to three lines.
  const end = texts.slice(0, 3).findIndex((text) => /[:：]$/.test(text));
  if (end >= 0 && dated.test(texts.slice(0, end + 1).join(" "))) return false;
  const isNotice = disclaimerStart.test(texts[0]) && confidentialMarks.test(texts.join(" "));
  return !isNotice && !outsideBanner.test(texts[0]) && !programNotice.test(texts[0]) &&
    !texts.some((text) => listFooter.test(text));
}
