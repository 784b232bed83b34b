import colorString from "color-string";
import { colourFunction } from "./colour_functions.ts";
import { type Measures, pixelsIn } from "./css_length.ts";

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

/** A colour that may let the ground behind it shine through. */
export interface Paint {
  colour: Colour;
  /** From 0 to 1; it is 1 for a colour that is not known. */
  opacity: number;
}

/** A CSS colour, or the value of a `color` or `bgcolor` attribute. */
export function paintOf(value: string): Paint {
  const text = value.slice(0, 100).trim().toLowerCase();
  if (text === "transparent") return { colour: noColour, opacity: 0 };
  // The usual notation.
  if (/^#[0-9a-f]{6}$/.test(text)) return { colour: parseInt(text.slice(1), 16), opacity: 1 };
  // Attributes have colours without the number sign.
  const found = colorString.get.rgb(text) ?? colourFunction(text) ??
    (/^[0-9a-f]{6}$/.test(text) ? colorString.get.rgb(`#${text}`) : null);
  if (!found) return { colour: unknownColour, opacity: 1 };
  const [red, green, blue, opacity] = found;
  if (opacity < leastOpacity) return { colour: noColour, opacity };
  return { colour: (red << 16) | (green << 8) | blue, opacity };
}

/** The colour that a person sees if `paint` is laid on `ground`. */
export function laidOn({ colour, opacity }: Paint, ground: Colour): Colour {
  if (opacity >= 1 || colour < 0) return colour;
  if (ground < 0) return unknownColour;
  const mixed = [16, 8, 0].map((shift) => {
    const [over, under] = [colour >> shift & 255, ground >> shift & 255];
    return Math.round(over * opacity + under * (1 - opacity));
  });
  return (mixed[0] << 16) | (mixed[1] << 8) | mixed[2];
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

/** True if a length is at most one pixel: nothing can be read in it. */
export function isNothing(value: string | undefined, measures?: Measures): boolean {
  const pixels = value === undefined ? null : pixelsIn(value.trim().slice(0, 300), measures);
  return pixels !== null && pixels <= 1;
}
