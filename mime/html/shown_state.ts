import {
  black,
  type Colour,
  colourOf,
  isNothing,
  leastOpacity,
  leavesPage,
  lengthOf,
  looksSame,
  noColour,
  pixelsOf,
  unknownColour,
  white,
} from "./css_values.ts";
import type { Declarations } from "./declarations.ts";
import type { Layout } from "./element_names.ts";

/** The state that decides whether text inside an element is visible. */
export interface ShownState {
  /** Hidden with everything inside it: not displayed, transparent, clipped, off the page. */
  gone: boolean;
  /** `visibility: hidden`: an element inside may be visible again. */
  invisible: boolean;
  /** Letters of at most one pixel; an element inside may set another size. */
  tiny: boolean;
  colour: Colour;
  ground: Colour;
}

/** Black on white, the default of mail programs. */
export const shownAtFirst: ShownState = {
  gone: false,
  invisible: false,
  tiny: false,
  colour: black,
  ground: white,
};

/** True if a person does not see text of this state. */
export function hidesText({ gone, invisible, tiny, colour, ground }: ShownState): boolean {
  // Of most text.
  if (colour === black && ground === white) return gone || invisible || tiny;
  return gone || invisible || tiny || colour === noColour || looksSame(colour, ground);
}

/** True if a person does not see a picture of this state. */
export function hidesPictures({ gone, invisible }: ShownState): boolean {
  return gone || invisible;
}

/** The state inside an element, from the state around it and its declarations. */
export function stateInside(
  around: ShownState,
  declared: Declarations,
  layout: Layout,
): ShownState {
  if (declared.size === 0 || around.gone) return around;
  const effect = effectOf(declared);
  const gone = layout === "block" ? effect.blockGone : effect.otherGone;
  const { visibility, size, colour, ground } = effect;
  if (!gone && colour === null && ground === null && !visibility && size === undefined) {
    return around;
  }
  return {
    gone,
    invisible: invisibleInside(around.invisible, visibility),
    tiny: tinyInside(around.tiny, size),
    colour: colour ?? around.colour,
    ground: ground ?? around.ground,
  };
}

/** The effect of declarations, independent of the state around the element. */
export interface Effect {
  /** Whether they hide a block, and whether they hide another element, with everything inside it. */
  blockGone: boolean;
  otherGone: boolean;
  visibility: string | undefined;
  size: string | undefined;
  /** Null if it is that of the element around it. */
  colour: Colour | null;
  ground: Colour | null;
}

/** Properties that cannot hide an element with everything inside it. */
const plainProperties = new Set([
  ...["color", "background", "background-color", "background-image", "font", "font-size"],
  ...["visibility", "width", "height", "max-width", "float"],
]);

function effectOf(declared: Declarations): Effect {
  if (declared.effect) return declared.effect;
  const valueOf = (property: string) => declared.get(property)?.value;
  let isPlain = true;
  for (const property of declared.keys()) isPlain &&= plainProperties.has(property);
  const effect = {
    blockGone: !isPlain && isGone(valueOf, "block"),
    otherGone: !isPlain && isGone(valueOf, "inline"),
    visibility: valueOf("visibility"),
    size: valueOf("font-size") ?? fontSizeOf(valueOf("font")),
    colour: colourInside(valueOf("-webkit-text-fill-color") ?? valueOf("color")),
    ground: groundInside(valueOf),
  };
  declared.effect = effect;
  return effect;
}

type Values = (property: string) => string | undefined;

function isGone(valueOf: Values, layout: Layout): boolean {
  const display = valueOf("display");
  if (display === "none" || valueOf("content-visibility") === "hidden") return true;
  if (isClear(valueOf("opacity")) || isNothingAtAll(valueOf("zoom"))) return true;
  const filter = valueOf("filter") ?? valueOf("-webkit-filter");
  if (isClear(/opacity\s?[(=]\s?([^)]{0,20})/.exec(filter ?? "")?.[1], filter)) {
    return true;
  }
  return hasNoRoom(valueOf, display, layout) || isMovedOff(valueOf) || isClipped(valueOf);
}

/** `alpha(opacity=0)` counts to 100, `opacity(0)` to 1. */
function isClear(value: string | undefined, whole = ""): boolean {
  const length = value === undefined ? null : lengthOf(value);
  if (length === null) return false;
  const share = length.unit === "%" || whole.includes("alpha") ? length.value / 100 : length.value;
  return share < leastOpacity;
}

function isNothingAtAll(value: string | undefined): boolean {
  return value !== undefined && lengthOf(value)?.value === 0;
}

function hasNoRoom(valueOf: Values, display: string | undefined, layout: Layout): boolean {
  const position = valueOf("position");
  const float = valueOf("float");
  const isBox = position === "absolute" || position === "fixed" ||
    (float !== undefined && float !== "none") ||
    (display === undefined ? layout === "block" : /block|flex|grid|list-item/.test(display));
  if (!isBox || (display?.startsWith("table") ?? false)) return false;
  const overflow = [valueOf("overflow"), valueOf("overflow-x"), valueOf("overflow-y")].join(" ");
  const cuts = /hidden|clip|scroll|auto/.test(overflow);
  // A height of at most 0 has no other purpose than hiding, with overflow or without.
  if (isNothing(valueOf("max-height")) && (cuts || !overflow.includes("visible"))) return true;
  return cuts && ["width", "height", "max-width"].some((property) => isNothing(valueOf(property)));
}

function isMovedOff(valueOf: Values): boolean {
  const margins = valueOf("margin")?.split(/\s+/, 4) ?? [];
  const top = margins.at(0);
  const left = margins.at(3) ?? margins.at(1) ?? top;
  const shifts = [valueOf("margin-left") ?? left, valueOf("margin-top") ?? top];
  if (shifts.some((shift) => leavesPage(shift) < 0)) return true;
  const indent = valueOf("text-indent");
  if (leavesPage(indent) < 0) return true;
  if (/hidden|clip/.test(valueOf("overflow") ?? "") && /^[1-9]\d{2,}/.test(indent ?? "")) {
    return true;
  }
  const transform = `${valueOf("transform") ?? valueOf("-webkit-transform") ?? ""}`;
  if (isTransformedAway(transform) || isNothingAtAll(valueOf("scale"))) return true;
  if (leavesPage(valueOf("translate")) !== 0) return true;
  const position = valueOf("position");
  if (position === undefined || position === "static") return false;
  const inset = valueOf("inset")?.split(/\s+/, 4) ?? [];
  const sides = [
    valueOf("left") ?? inset.at(3) ?? inset.at(1) ?? inset.at(0),
    valueOf("right") ?? inset.at(1) ?? inset.at(0),
  ];
  // Text far to the right needs scrolling; text far below is normal in a long mail.
  if (sides.some((side) => leavesPage(side) !== 0)) return true;
  return leavesPage(valueOf("top") ?? inset.at(0)) < 0 || leavesPage(valueOf("bottom")) > 0;
}

function isTransformedAway(transform: string): boolean {
  if (transform === "") return false;
  if (
    /scale(?:x|y|3d)?\(\s?(?:0(?:\.0{0,9})?|[^,()]{1,20},\s?0(?:\.0{0,9})?)\s?[,)]/.test(transform)
  ) {
    return true;
  }
  if (/rotate[xy]\(\s?-?(?:90|270)deg/.test(transform)) return true;
  const moved = /translate(?:x|y|3d)?\(([^,()]{0,30}),?([^,()]{0,30})/.exec(transform);
  return moved !== null && [moved[1], moved[2]].some((shift) => leavesPage(shift) < 0);
}

function isClipped(valueOf: Values): boolean {
  const position = valueOf("position");
  const clip = valueOf("clip");
  if (clip?.startsWith("rect") && (position === "absolute" || position === "fixed")) {
    const [top = NaN, right = NaN, bottom = NaN, left = NaN] = clip.slice(5).split(/[\s,]+/, 4)
      .map((side) => pixelsOf(lengthOf(side) ?? { value: NaN, unit: "" }));
    if (bottom - top <= 1 || right - left <= 1) return true;
  }
  const path = valueOf("clip-path") ?? valueOf("-webkit-clip-path") ?? "";
  if (/^(?:circle|ellipse)\(\s?0/.test(path) || /^polygon\((?:[\s,]|0(?:px|%)?)+\)/.test(path)) {
    return true;
  }
  const inset = /^inset\(\s?([\d.]+)%(?:\s([\d.]+)%)?/.exec(path);
  return inset !== null && [inset[1], inset[2]].some((share) => Number(share) >= 50);
}

function invisibleInside(around: boolean, visibility: string | undefined): boolean {
  if (visibility === "hidden" || visibility === "collapse") return true;
  return visibility === "visible" || visibility === "initial" ? false : around;
}

/** The size of a `font` shorthand: the first length that follows a blank or begins it. */
function fontSizeOf(font: string | undefined): string | undefined {
  return font?.split(/\s+/, 8).find((word) => /^[.\d]/.test(word) && !/^[1-9]00$/.test(word));
}

function tinyInside(around: boolean, size: string | undefined): boolean {
  if (size === undefined || size === "inherit") return around;
  const length = lengthOf(size);
  if (length === null) return /^(?:larger|smaller)/.test(size) ? around : false;
  if (length.value === 0) return true;
  if (length.unit === "%" || length.unit === "em" || length.unit === "ex" || length.unit === "ch") {
    // A size of a hundredth counts as none.
    return around || length.value * (length.unit === "%" ? 0.16 : 16) <= 1;
  }
  return pixelsOf(length) <= 1;
}

function colourInside(value: string | undefined): Colour | null {
  if (value === undefined || value === "inherit" || value === "currentcolor") return null;
  return value === "initial" || value === "unset" ? black : colourOf(value);
}

function groundInside(valueOf: Values): Colour | null {
  const picture = valueOf("background-image");
  if (picture !== undefined && picture !== "none" && picture !== "initial") return unknownColour;
  const colour = valueOf("background-color");
  const shorthand = valueOf("background");
  if (shorthand !== undefined && /url\(|gradient|image/.test(shorthand)) return unknownColour;
  const value = colour ?? (shorthand === undefined ? undefined : colourWord(shorthand));
  if (value === undefined || /^(?:inherit|none|initial|unset|0)$/.test(value)) return null;
  const ground = colourOf(value);
  return ground === noColour ? null : ground;
}

/** The colour of a `background` shorthand: `#fff none repeat`, `rgb(1, 2, 3)`. */
function colourWord(value: string): string {
  if (value.includes("(")) return /^[a-z]{3,5}\([^)]*\)/.exec(value)?.[0] ?? "unknown";
  const words = value.split(/\s+/, 8);
  return words.find((word) => colourOf(word) !== unknownColour) ??
    (words.every((word) => placeWords.has(word) || /^[\d-]/.test(word)) ? "none" : "unknown");
}

const placeWords = new Set(
  "none repeat no-repeat repeat-x repeat-y scroll fixed local top bottom left right center".split(
    " ",
  ),
);
