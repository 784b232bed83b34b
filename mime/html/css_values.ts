import colorString from "color-string";
import { colourFunction } from "./colour_functions.ts";

/** A colour as 0xRRGGBB, or one of the two constants below. */
export type Colour = number;
/** A colour that is not known: a picture, a gradient, or a notation that is not read here. */
export const unknownColour = -1;
export const noColour = -2;

export const white: Colour = 0xffffff;
export const black: Colour = 0x000000;

/** A person does not see this difference of two channels (of 255) on a screen. */
const leastDifference = 16;

/** Text that is less opaque than this cannot be read. */
export const leastOpacity = 0.1;

/** A CSS colour, or the value of a `color` or `bgcolor` attribute. */
export function colourOf(value: string): Colour {
  const text = value.slice(0, 100).trim().toLowerCase();
  if (text === "transparent") return noColour;
  // The usual notation.
  if (/^#[0-9a-f]{6}$/.test(text)) return parseInt(text.slice(1), 16);
  // Attributes have colours without the number sign.
  const found = colorString.get.rgb(text) ?? colourFunction(text) ??
    (/^[0-9a-f]{6}$/.test(text) ? colorString.get.rgb(`#${text}`) : null);
  if (!found) return unknownColour;
  if (found[3] < leastOpacity) return noColour;
  return found[3] < 1 ? unknownColour : (found[0] << 16) | (found[1] << 8) | found[2];
}

/** True if both colours are known and a person cannot tell one from the other. */
export function looksSame(one: Colour, other: Colour): boolean {
  if (one < 0 || other < 0) return false;
  for (let shift = 0; shift <= 16; shift += 8) {
    if (Math.abs((one >> shift & 255) - (other >> shift & 255)) > leastDifference) return false;
  }
  return true;
}

/** True if a known colour has a channel in the darker half: then it is visible on white. */
export function isDark(colour: Colour): boolean {
  return colour >= 0 && [16, 8, 0].some((shift) => (colour >> shift & 255) < 128);
}

/** A length. */
export interface Length {
  value: number;
  /** Lower case: `px`, `%`, `em`; "" if there is none. */
  unit: string;
}

/** The first length of a CSS value, such as `-9999px` of `-9999px auto`; null if it has none. */
export function lengthOf(value: string): Length | null {
  const found =
    /^\s{0,20}(?:calc\(\s{0,20})?([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(?:e0)?(%|[a-z]{0,5})/i
      .exec(value.slice(0, 100));
  return found ? { value: Number(found[1]), unit: found[2].toLowerCase() } : null;
}

const pixels: Record<string, number> = {
  "": 1,
  px: 1,
  pt: 1.33,
  pc: 16,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  in: 96,
  cm: 38,
  mm: 3.8,
  q: 0.95,
  vw: 8,
  vh: 6,
  vmin: 6,
  vmax: 8,
  // For a page as wide as a screen.
  "%": 8,
};

/** About how many pixels a length is on a page of 800 x 600; NaN if the unit is not known. */
export function pixelsOf({ value, unit }: Length): number {
  return value * (pixels[unit] ?? NaN);
}

/** True if a length is at most one pixel: nothing can be read in it. */
export function isNothing(value: string | undefined): boolean {
  const length = value === undefined ? null : lengthOf(value);
  return length !== null && pixelsOf(length) <= (length.unit === "%" ? 0 : 1);
}

/** Pixels beyond which a shift leaves the page: lists and hanging paragraphs shift by at most 100. */
const offPage = 500;

/** -1 if a shift leaves the page to the left or above, 1 if to the right or below, else 0. */
export function leavesPage(value: string | undefined): -1 | 0 | 1 {
  const length = value === undefined ? null : lengthOf(value);
  if (length === null) return 0;
  const shift = pixelsOf(length);
  return shift <= -offPage ? -1 : shift >= 2 * offPage ? 1 : 0;
}
