import { type Measures, numberIn, pixelsIn } from "./css_length.ts";
import { noColour, paintOf } from "./css_values.ts";
import type { Layout } from "../html/element_names.ts";
import type { Values } from "./effect.ts";
import { splitOutside } from "./media_query.ts";

/** True if an element is not displayed, has no room, is far away or is clipped, whatever is around it. */
export function isBoxGone(valueOf: Values, measures: Measures, layout: Layout): boolean {
  const display = valueOf("display") ?? "";
  // Columns show nothing that is in them (CSS 2, section 17.2).
  if (/^(?:none|table-column|table-column-group)$/.test(display)) return true;
  const isBox = isTransformable(valueOf, layout);
  if (valueOf("content-visibility") === "hidden" && isBox) return true;
  return hasNoRoom(valueOf, measures, layout) || isMovedOff(valueOf, measures, isBox) ||
    isClipped(valueOf, measures) || isMasked(valueOf);
}

/** Whether sizes apply to an element; in tables they are minimal ones. */
function isSized(valueOf: Values, layout: Layout): boolean {
  const display = valueOf("display");
  if (display?.startsWith("table") || display === "contents") return false;
  return isOutOfFlow(valueOf) ||
    (display === undefined || /^(?:initial|inherit|unset)$/.test(display)
      ? layout === "block"
      : /block|flex|grid|list-item|flow-root|box/.test(display));
}

/** Whether an element can be transformed: everything but letters in a line (CSS Transforms 1, section 3). */
function isTransformable(valueOf: Values, layout: Layout): boolean {
  const display = valueOf("display");
  if (display === "contents") return false;
  if (isOutOfFlow(valueOf)) return true;
  return display === undefined ? layout !== "inline" : display !== "inline";
}

function isOutOfFlow(valueOf: Values): boolean {
  const float = valueOf("float") ?? "none";
  return /^(?:absolute|fixed)$/.test(valueOf("position") ?? "") ||
    /^(?:left|right|inline-start|inline-end)$/.test(float);
}

function hasNoRoom(valueOf: Values, measures: Measures, layout: Layout): boolean {
  if (!isSized(valueOf, layout)) return false;
  const pixels = (property: string) => {
    const value = valueOf(property) ?? "auto";
    // A share of a height that is not known is none.
    return value.endsWith("%") && /height/.test(property) && pixelsIn(value, measures) !== 0
      ? NaN
      : pixelsIn(value, measures) ?? NaN;
  };
  const isFlat = (property: string, least: string, edges: readonly string[]) =>
    pixels(property) <= 1 && !(pixels(least) > 1) && !edges.some((edge) => pixels(edge) > 1);
  const across = ["padding-left", "padding-right"];
  const along = ["padding-top", "padding-bottom"];
  const cuts = (property: string) =>
    /hidden|clip|scroll|auto|overlay/.test(valueOf(property) ?? "");
  const open = `${valueOf("overflow-x")} ${valueOf("overflow-y")}`.includes("visible");
  // A height of at most 0 has no other purpose than hiding, with overflow or without.
  if (isFlat("max-height", "min-height", along) && (cuts("overflow-y") || !open)) return true;
  if (!cuts("overflow-x") && !cuts("overflow-y")) return false;
  return isFlat("height", "min-height", along) || isFlat("max-height", "min-height", along) ||
    isFlat("width", "min-width", across) || isFlat("max-width", "min-width", across);
}

/** The length of a property in pixels; NaN if it has none. */
const pixelsOf = (valueOf: Values, measures: Measures) => (property: string) =>
  pixelsIn(valueOf(property) ?? "auto", measures) ?? NaN;

/** Pixels beyond which a shift leaves the page: lists and hanging paragraphs shift by at most 100. */
export const offPage = 500;
/** Smaller shifts are not added to those around them. */
const leastShift = 100;

const movesOff = (shift: number) => shift <= -offPage || shift >= 2 * offPage;

function isMovedOff(valueOf: Values, measures: Measures, isBox: boolean): boolean {
  const pixels = pixelsOf(valueOf, measures);
  if (["margin-left", "margin-top"].some((margin) => pixels(margin) <= -offPage)) return true;
  if (pixels("margin-left") >= 2 * offPage) return true;
  const indent = pixels("text-indent");
  const cuts = /hidden|clip/.test(valueOf("overflow-x") ?? "");
  if (cuts && indent >= Math.min(measures.whole, 2 * offPage)) return true;
  if (isBox && isTransformedAway(valueOf, measures)) return true;
  const position = valueOf("position") ?? "static";
  if (/^(?:static|initial|unset|inherit)$/.test(position)) return false;
  // Text far to the right needs scrolling; text far below is normal in a long mail.
  return movesOff(pixels("left")) || movesOff(pixels("right")) || pixels("top") <= -offPage ||
    pixels("bottom") >= offPage;
}

/** How far declarations move an element, in pixels to the right and down. */
export function shiftOf(
  valueOf: Values,
  measures: Measures,
  layout: Layout,
): [x: number, y: number] {
  const large = (shift: number) => Math.abs(shift) >= leastShift ? shift : 0;
  const pixels = (property: string) => large(pixelsOf(valueOf, measures)(property));
  const sum = [pixels("margin-left"), pixels("margin-top")];
  if (/relative|absolute|fixed/.test(valueOf("position") ?? "")) {
    sum[0] += pixels("left") || -pixels("right");
    sum[1] += pixels("top") || -pixels("bottom");
  }
  if (isTransformable(valueOf, layout)) {
    const [x, y] = translations(valueOf, measures);
    sum[0] += large(x);
    sum[1] += large(y);
  }
  return [Math.max(-1e6, Math.min(1e6, sum[0])), Math.max(-1e6, Math.min(1e6, sum[1]))];
}

/** The functions of `transform` with their arguments. */
function* transformsOf(valueOf: Values): Generator<[name: string, parts: string[]]> {
  const value = valueOf("transform");
  if (value === undefined) return;
  for (const part of splitOutside(value, /\s+/y).slice(0, 20)) {
    const found = /^([a-z0-9-]{1,20})\(([^]*)\)$/.exec(part);
    if (found) yield [found[1], splitOutside(found[2], /,/y).map((each) => each.trim())];
  }
}

function translations(valueOf: Values, measures: Measures): [x: number, y: number] {
  let [x, y] = [0, 0];
  const add = (right: string | undefined, down: string | undefined) => {
    x += pixelsIn(right ?? "0", measures) || 0;
    y += pixelsIn(down ?? "0", measures) || 0;
  };
  const own = valueOf("translate");
  if (own !== undefined) {
    const [right, down] = splitOutside(own, /\s+/y);
    add(right, down);
  }
  for (const [name, [first, second, ...others]] of transformsOf(valueOf)) {
    if (name === "translate" || name === "translate3d") add(first, second);
    else if (name === "translatex") add(first, "0");
    else if (name === "translatey") add("0", first);
    else if (name === "matrix") add(others[2], others[3]);
  }
  return [x, y];
}

function isTransformedAway(valueOf: Values, measures: Measures): boolean {
  const [x, y] = translations(valueOf, measures);
  if (movesOff(x) || y <= -offPage) return true;
  // Seen from its edge.
  const turned = /\b[xy] (-?[\d.]{1,12})(deg|turn|grad|rad)/.exec(valueOf("rotate") ?? "");
  if (turned && isEdge(turned[1], turned[2])) return true;
  for (const [name, [angle]] of transformsOf(valueOf)) {
    const found = /^(-?[\d.]{1,12})(deg|turn|grad|rad)$/.exec(angle ?? "");
    if ((name === "rotatex" || name === "rotatey") && found && isEdge(found[1], found[2])) {
      return true;
    }
  }
  return false;
}

const degrees: Record<string, number> = { deg: 1, turn: 360, grad: 0.9, rad: 180 / Math.PI };
const isEdge = (angle: string, unit: string) =>
  Math.abs(Math.cos(Number(angle) * degrees[unit] * Math.PI / 180)) < 0.02;

/** The factor by which `zoom`, `scale` and `transform` change the size of letters; the smaller of both directions. */
export function scaleOf(valueOf: Values, layout: Layout): number {
  const zoom = valueOf("zoom") ?? "1";
  let scale = known(zoom === "0" ? "0" : zoom);
  if (!isTransformable(valueOf, layout)) return scale;
  const both = (parts: readonly string[]) => Math.min(...parts.slice(0, 2).map(known));
  const own = valueOf("scale");
  if (own !== undefined && own !== "none") scale *= both(splitOutside(own, /\s+/y));
  for (const [name, parts] of transformsOf(valueOf)) {
    if (name === "scale" || name === "scale3d") scale *= both(parts);
    else if (name === "scalex" || name === "scaley") scale *= known(parts[0]);
    else if (name === "matrix" && parts.length === 6) {
      const [a, b, c, d] = parts.map(Number);
      const area = Math.abs(a * d - b * c);
      // The least that it stretches by: the area over the most.
      scale *= area / Math.max(1e-9, Math.hypot(a, b, c, d)) || (area === 0 ? 0 : 1);
    }
  }
  return scale;
}

function known(value: string): number {
  const factor = numberIn(value);
  return factor === null || Number.isNaN(factor) ? 1 : Math.abs(factor);
}

function isClipped(valueOf: Values, measures: Measures): boolean {
  const pixels = (value: string) => pixelsIn(value, measures) ?? NaN;
  const clip = valueOf("clip");
  if (clip?.startsWith("rect") && /^(?:absolute|fixed)$/.test(valueOf("position") ?? "")) {
    const [top = NaN, right = NaN, bottom = NaN, left = NaN] = partsOf(clip.slice(5, -1)).map(
      pixels,
    );
    if (bottom - top <= 1 || right - left <= 1 || bottom <= 0 || right <= 0) return true;
  }
  const path = valueOf("clip-path") ?? "";
  const inside = path.slice(path.indexOf("(") + 1, Math.max(0, path.lastIndexOf(")")));
  if (path.startsWith("inset(")) {
    const [top, right = top, bottom = top, left = right] = partsOf(inside.split(/\bround\b/)[0]);
    return covers(top, bottom, measures) || covers(left, right, measures);
  }
  if (/^(?:circle|ellipse)\(/.test(path)) {
    const [radii, place = ""] = inside.split(/\bat\b/);
    const sizes = partsOf(radii).map(pixels);
    if (sizes.some((size) => size <= 0.5)) return true;
    const most = Math.max(...sizes);
    return partsOf(place).some((at) => pixels(at) + most <= 0);
  }
  if (path.startsWith("polygon(")) return isNoArea(inside, measures);
  if (path.startsWith("rect(") || path.startsWith("xywh(")) {
    const [first, second, third, fourth] = partsOf(inside).map(pixels);
    return path.startsWith("rect(")
      ? third - first <= 1 || second - fourth <= 1
      : third <= 1 || fourth <= 1;
  }
  return /^path\((?:[a-z]{1,10}, ?)?["'] ?(?:m[ \d.,]{0,40}z? ?)?["']\)/.test(path);
}

/** What stands in the brackets of a gradient. */
function gradientOf(layer: string): string | undefined {
  const at = layer.indexOf("gradient(");
  return at < 0 || !layer.endsWith(")") ? undefined : layer.slice(at + 9, -1);
}

const partsOf = (text: string) =>
  splitOutside(text.trim(), /[\s,]+/y).filter((part) => part !== "");

/** Whether two sides of a box that are cut off meet. */
function covers(one: string | undefined, other: string | undefined, measures: Measures): boolean {
  if (one === undefined || other === undefined) return false;
  const share = (side: string) => /^[\d.]{1,20}%$/.test(side) ? parseFloat(side) : NaN;
  if (share(one) + share(other) >= 100) return true;
  // No paragraph is higher or wider than that, and a mail is not either.
  return [one, other].some((side) => share(side) >= 100 || (pixelsIn(side, measures) ?? 0) >= 5000);
}

/** Whether the corners of a polygon are in a line or all outside. */
function isNoArea(text: string, measures: Measures): boolean {
  const corners = splitOutside(text.replace(/^ ?(?:nonzero|evenodd) ?,/, ""), /,/y).map((
    corner,
  ) => partsOf(corner).map((part) => pixelsIn(part, measures) ?? NaN));
  if (corners.some((corner) => corner.length !== 2 || corner.some(Number.isNaN))) return false;
  if (corners.every(([x]) => x <= 0) || corners.every(([, y]) => y <= 0)) return true;
  let area = 0;
  for (const [n, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(n + 1) % corners.length];
    area += x * nextY - nextX * y;
  }
  return Math.abs(area / 2) <= 1;
}

/** Whether a mask lets nothing through: all its colours are transparent (CSS Masking 1, section 4). */
function isMasked(valueOf: Values): boolean {
  const mask = valueOf("mask-image") ?? "none";
  if (/^(?:none|initial|unset|inherit)$/.test(mask)) return false;
  if (/^0(?:px|%)?(?: |$)/.test(valueOf("mask-size") ?? "")) return true;
  return splitOutside(mask, /,/y).every((layer) => {
    const inside = gradientOf(layer.trim());
    if (inside === undefined) return false;
    const stops = splitOutside(inside, /,/y).map((stop) => splitOutside(stop.trim(), /\s+/y)[0])
      .filter((word) => !/^(?:to|from|at|circle|ellipse|closest|farthest|in|-?[\d.])/.test(word));
    return stops.length > 0 && stops.every((stop) => paintOf(stop).colour === noColour);
  });
}
