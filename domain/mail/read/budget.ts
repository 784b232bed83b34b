import { z } from "zod";
import { bodyLimits } from "../../../mime/body/parse_body.ts";
import { jsonChars, shorten } from "./shorten.ts";

/** `max_chars`. */
export const maxCharsField = z.int().min(2_000).max(1_000_000).optional().describe(
  "The most characters of the answer's JSON, 2,000 to 1,000,000: what does not fit is left off at the end",
);

/**
 * What a page without `max_chars` reads of bodies, in bytes: it then ends early, with a cursor. A page of 34 drafts of 9.8
 * million characters took 60 times this.
 */
export const pageBytes = 4 * 2 ** 20;

/** A character of a body is at most three bytes of UTF-8. */
const bytesOfChar = 3;

/** How many bytes of bodies a page reads for an answer of `maxChars`; more would be left off. */
export function bodyBytesFor(maxChars: number | undefined): number {
  return maxChars === undefined ? pageBytes : Math.min(pageBytes, maxChars * bytesOfChar);
}

/**
 * The bytes that an answer can have of a mail of `size` bytes: its text, its HTML, and the text without quotes, each at most
 * a million characters. Counted by characters alone, mail in Chinese took three times what was reserved.
 */
export function answerBytesOf(size: number): number {
  return Math.min(size, bodyLimits.maxTextChars * bytesOfChar) * 3;
}

/** Where in `body_text` to begin. */
export const textOffset = z.int().min(0).default(0).describe(
  "Position in body_text to begin at: next_offset of the answer before",
);

/**
 * An answer with fewer rows, at least one, so that its JSON has at most `maxChars` code units. If the one row is too
 * long, it is shortened. `goOn` returns the fields with which the caller gets the rows that were left off.
 */
export function fitRows<O extends object, F extends keyof O>(
  output: O,
  field: F,
  maxChars: number,
  goOn: (kept: O[F] & unknown[]) => Partial<O>,
): O {
  if (jsonChars(output) <= maxChars) return output;
  const rows = output[field] as O[F] & object[];
  const frameOf = (count: number): O => ({
    ...output,
    ...(count < rows.length ? goOn(rows.slice(0, count) as O[F] & object[]) : {}),
    [field]: [],
  });
  let fitting = 0;
  for (let count = 1, chars = 0; count <= rows.length; count++) {
    chars += jsonChars(rows[count - 1]) + (count > 1 ? ",".length : 0);
    if (chars > maxChars) break;
    if (chars + jsonChars(frameOf(count)) <= maxChars) fitting = count;
  }
  if (fitting > 0) return { ...frameOf(fitting), [field]: rows.slice(0, fitting) };
  if (rows.length === 0) return output;
  const frame = frameOf(1);
  return { ...frame, [field]: [shorten(rows[0], maxChars - jsonChars(frame))] };
}

/** An answer whose field `email` is shortened as far as necessary; see {@link shorten}. */
export function fitEmailField<O extends { email: object | null }>(
  output: O,
  maxChars: number,
  options: { offset?: number } = {},
): O {
  const { email } = output;
  const chars = jsonChars(output);
  if (chars <= maxChars || email === null) return output;
  return { ...output, email: shorten(email, maxChars - chars + jsonChars(email), options) };
}

/** A record that is the whole answer, shortened as far as necessary; see {@link shorten}. */
export function fitRecord<O extends object>(output: O, maxChars: number): O {
  return jsonChars(output) <= maxChars ? output : shorten(output, maxChars);
}

/** An email that is the whole answer; its text begins at `offset` of the whole text. */
export function fitEmail<O extends object>(output: O, maxChars: number, offset: number): O {
  return jsonChars(output) <= maxChars ? output : shorten(output, maxChars, { offset });
}

/**
 * How many emails surely fit into an answer if each is shortened, at least one. For answers that choose their rows
 * first and may leave none off.
 */
export function rowsThatFit(maxChars: number): number {
  return Math.max(1, Math.floor(maxChars / leastRowChars));
}

/** A shortened email with the fields of a claim is at most this long. */
const leastRowChars = 2_000;

/** A shortened email is at most this long; the shortest answer has room for more fields. */
export const leastEmailChars = 1_400;

/** The offset, or the beginning of the character in which it stands; at most the length of the text. */
export function characterStart(text: string, offset: number): number {
  const inside = isLow(text.charCodeAt(offset)) && isHigh(text.charCodeAt(offset - 1));
  return Math.min(inside ? offset - 1 : offset, text.length);
}

const isHigh = (unit: number) => unit >>> 10 === 0x36;
const isLow = (unit: number) => unit >>> 10 === 0x37;
