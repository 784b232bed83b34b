import { isBoxGone, scaleOf, shiftOf } from "./box_effect.ts";
import { type Measures, numberIn, pixelsIn, usualMeasures } from "./css_length.ts";
import { noColour, type Paint, paintOf, unknownColour } from "./css_values.ts";
import type { Declarations } from "./declarations.ts";
import type { Layout } from "../html/element_names.ts";
import { splitOutside } from "./media_query.ts";

/** What declarations do to an element inside letters of a size. Null and undefined: as around it. */
export interface Effect {
  em: number;
  rem: number;
  layout: Layout;
  /** It hides the element with everything inside it. */
  gone: boolean;
  invisible: boolean | undefined;
  /** Pixels; NaN if it is not known. */
  size: number | undefined;
  line: number | undefined;
  spacing: number | undefined;
  wordSpacing: number | undefined;
  indent: number | undefined;
  colour: Paint | null;
  /** `current`: the letters have the colour of the element. */
  fill: Paint | "current" | null;
  ground: Paint | "current" | null;
  /** Letters are painted by something else than their colour: a shadow, a stroke, the ground. */
  painted: boolean | undefined;
  /** Factors. */
  opacity: number;
  scale: number;
  /** Pixels to the right and down. */
  x: number;
  y: number;
  /** What is higher than the lines of the element is cut off. */
  cuts: boolean;
  /** It changes nothing but colours and visibility. */
  isPlain: boolean;
}

export type Values = (property: string) => string | undefined;

/** The most effects of the same declarations that are kept, for letters of several sizes. */
const maxKept = 8;

export function effectOf(
  declared: Declarations,
  em: number,
  rem: number,
  layout: Layout,
): Effect {
  const kept = declared.effects ??= [];
  for (const each of kept) {
    if (each.em === em && each.rem === rem && each.layout === layout) return each;
  }
  // Beyond that, lengths are measured by the usual letters: a stranger writes the mail.
  if (kept.length >= maxKept) {
    return kept.find((each) => each.layout === layout) ?? kept[0];
  }
  const effect = effectNow(declared, em, rem, layout);
  kept.push(effect);
  return effect;
}

function effectNow(declared: Declarations, em: number, rem: number, layout: Layout): Effect {
  const valueOf: Values = (property) => {
    const value = declared.get(property)?.value;
    return value === "revert" || value === "revert-layer" ? "unset" : value;
  };
  const size = sizeOf(valueOf("font-size"), { em, rem, whole: em });
  const own = size === undefined || Number.isNaN(size) ? em : size;
  const measures = { em: own, rem, whole: usualMeasures.whole };
  const inherited = (property: string, whole: number): number | undefined => {
    const value = valueOf(property);
    if (value === undefined || value === "unset" || value === "inherit") return undefined;
    if (value === "initial" || value === "normal") return 0;
    const [first] = splitOutside(value, /\s+/y).filter((part) => /\d/.test(part));
    return pixelsIn(first ?? value, { ...measures, whole }) ?? 0;
  };
  let hasBox = false;
  for (const property of declared.keys()) hasBox ||= !withoutBox.has(property);
  const [x, y] = hasBox ? shiftOf(valueOf, measures, layout) : noShift;
  const effect = {
    ...{ em, rem, layout, size, x, y },
    gone: hasBox && isBoxGone(valueOf, measures, layout),
    invisible: invisibilityOf(valueOf("visibility")),
    line: lineOf(valueOf("line-height"), measures),
    spacing: inherited("letter-spacing", own),
    wordSpacing: inherited("word-spacing", own),
    // It moves the first line of a block.
    indent: layout === "inline" && !/block|flex|grid/.test(valueOf("display") ?? "")
      ? undefined
      : inherited("text-indent", measures.whole),
    colour: colourInside(valueOf("color")),
    fill: fillInside(valueOf("-webkit-text-fill-color")),
    ground: groundInside(valueOf),
    painted: paintedInside(valueOf, measures),
    opacity: opacityOf(valueOf),
    scale: hasBox ? scaleOf(valueOf, layout) : 1,
    cuts: hasBox && cutsLines(valueOf, measures, layout),
  };
  const { line, spacing, wordSpacing, indent, painted, opacity, scale, cuts } = effect;
  const isPlain =
    [size, line, spacing, wordSpacing, indent, painted].every((each) => each === undefined) &&
    opacity === 1 && scale === 1 && x === 0 && y === 0 && !cuts;
  return { ...effect, isPlain };
}

const noShift = [0, 0] as const;
/** Properties that neither hide, move nor scale a box. */
const withoutBox = new Set(
  ("color background-color background-image background-clip font-size line-height visibility " +
    "letter-spacing word-spacing text-shadow padding-top padding-right padding-bottom padding-left " +
    "-webkit-text-fill-color -webkit-text-stroke-width float min-width min-height").split(" "),
);

function invisibilityOf(value: string | undefined): boolean | undefined {
  if (value === undefined || value === "inherit" || value === "unset") return undefined;
  return value === "hidden" || value === "collapse";
}

const sizesOfWords: Record<string, number> = {
  ...{ initial: 16, medium: 16, "xx-small": 9, "x-small": 10, small: 13, large: 18 },
  ...{ "x-large": 24, "xx-large": 32, "xxx-large": 48, "-webkit-xxx-large": 48 },
};

function sizeOf(value: string | undefined, measures: Measures): number | undefined {
  if (value === undefined || /^(?:inherit|unset|math)$/.test(value)) return undefined;
  if (value === "larger") return measures.em * 1.2;
  if (value === "smaller") return measures.em / 1.2;
  return sizesOfWords[value] ?? Math.max(0, pixelsIn(value, measures) ?? NaN);
}

/** The height of a line in pixels. */
function lineOf(value: string | undefined, measures: Measures): number | undefined {
  if (value === undefined || value === "inherit" || value === "unset") return undefined;
  // By the size of the letters inside, which may be larger.
  const em = Math.max(usualMeasures.em, measures.em);
  if (value === "normal" || value === "initial") return em * 1.2;
  const factor = numberIn(value);
  if (factor !== null && !value.includes("%")) return factor * em;
  return pixelsIn(value, { ...measures, whole: measures.em }) ?? NaN;
}

function colourInside(value: string | undefined): Paint | null {
  if (value === undefined || /^(?:inherit|unset|currentcolor)$/.test(value)) return null;
  return paintOf(value === "initial" ? "black" : value);
}

function fillInside(value: string | undefined): Effect["fill"] {
  if (value === undefined || value === "inherit" || value === "unset") return null;
  return value === "initial" || value === "currentcolor" ? "current" : paintOf(value);
}

function groundInside(valueOf: Values): Effect["ground"] {
  const picture = valueOf("background-image");
  if (picture !== undefined && !/^(?:none|initial|unset|inherit)(?:, none)*$/.test(picture)) {
    return { colour: unknownColour, opacity: 1 };
  }
  const value = valueOf("background-color");
  if (value === undefined || /^(?:initial|inherit|unset)$/.test(value)) return null;
  if (value === "currentcolor") return "current";
  const ground = paintOf(value);
  return ground.colour === noColour ? null : ground;
}

/** Whether something else than their colour shows the letters. */
function paintedInside(valueOf: Values, measures: Measures): boolean | undefined {
  const stroke = valueOf("-webkit-text-stroke-width");
  const shadow = valueOf("text-shadow");
  const hasStroke = stroke !== undefined && /^[a-z.\d]/.test(stroke) &&
    !/^(?:initial|inherit|unset)$/.test(stroke) && (pixelsIn(stroke, measures) ?? 1) > 0;
  const hasShadow = shadow !== undefined && /\d/.test(shadow) && !shadow.includes("transparent");
  if (hasStroke || hasShadow || valueOf("background-clip") === "text") return true;
  return stroke === undefined && shadow === undefined ? undefined : false;
}

function opacityOf(valueOf: Values): number {
  let opacity = shareOf(valueOf("opacity"));
  const filter = valueOf("filter") ?? "";
  for (const [, name, argument] of filter.matchAll(/([a-z-]{1,20})\(([^()]{0,60})/g)) {
    if (name === "opacity" && argument !== "") opacity *= shareOf(argument.trim());
    // Everything is one grey, or a cloud.
    if (name === "contrast" && shareOf(argument.trim()) < 0.02) opacity = 0;
    if (name === "blur" && (pixelsIn(argument.trim()) ?? 0) > 10) opacity = 0;
  }
  const old = /opacity\s?=\s?([\d.]{1,10})/.exec(valueOf("old-filter") ?? "");
  return old ? opacity * Number(old[1]) / 100 : opacity;
}

/** From 0 to 1; 1 if it is not known. */
function shareOf(value: string | undefined): number {
  const share = value === undefined ? null : numberIn(value);
  return share === null || Number.isNaN(share) ? 1 : Math.max(0, Math.min(1, share));
}

/** Whether a box without a height of its own cuts off what stands over its lines. */
function cutsLines(valueOf: Values, measures: Measures, layout: Layout): boolean {
  if (layout !== "block" || valueOf("display")?.includes("inline")) return false;
  if (!/hidden|clip/.test(valueOf("overflow-y") ?? "")) return false;
  return ["height", "min-height", "padding-top", "padding-bottom"].every((property) => {
    const pixels = pixelsIn(valueOf(property) ?? "auto", measures);
    return pixels === null || pixels <= 1;
  });
}
