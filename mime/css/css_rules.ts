import { nextStop, plainCss, plainDeclarations } from "./declarations.ts";
import type { Declarations } from "./declarations.ts";
import { conditionHolds, mediaApplies } from "./media_query.ts";
import { isKept, isLate, longhandsOf } from "./properties.ts";
import type { Match } from "./selector_matcher.ts";
import { type SelectorList, selectorsOf } from "./selectors.ts";

/** A rule of a style sheet, or a piece of one that has rules inside it. */
export interface CssRule {
  selectors: SelectorList;
  declarations: Declarations;
  /** 0.5 if it is not known whether the conditions around it hold. */
  applies: Match;
  /** The name of its layer, with those around it; "" if it is in none. */
  layer: string;
}

interface Frame {
  /** Those of the style rule that it is in. */
  selectors: SelectorList | null;
  /** 0: everything inside is passed over. */
  applies: Match;
  layer: string;
  /** Its text has declarations. */
  isStyle: boolean;
  declared: string[];
}

/** Blocks in blocks that are read. */
const maxFrames = 32;

/** The rules of a style sheet in their order (CSS Syntax 3, CSS Nesting 1), in one pass. Never throws. */
export function* rulesOf(css: string, layers: (name: string) => void): Generator<CssRule> {
  const text = plainCss(css);
  const frames: Frame[] = [
    { selectors: null, applies: 1, layer: "", isStyle: false, declared: [] },
  ];
  /** Blocks that are passed over. */
  let skipped = 0;
  let broken = false;
  let unnamed = 0;
  for (let at = 0; at < text.length;) {
    const stop = nextStop(text, at, true);
    const frame = frames[frames.length - 1];
    const sign = text[stop];
    const piece = text.slice(at, stop);
    at = stop + 1;
    if (skipped > 0) {
      if (sign === "{") skipped++;
      else if (sign === "}") skipped--;
      continue;
    }
    if (sign === "{") {
      const prelude = plainPrelude(piece, frames.length === 1);
      const opened = !broken && frames.length < maxFrames
        ? frameOf(prelude, frame, () => `${++unnamed}`)
        : null;
      broken = false;
      if (!opened || opened.applies === 0) skipped = 1;
      else {
        if (opened.layer !== frame.layer) layers(opened.layer);
        // What stands before an inner rule comes before it in the order.
        yield* ended(frame);
        frames.push(opened);
      }
    } else if (sign === "}" && frames.length > 1) {
      if (frame.isStyle) frame.declared.push(piece);
      yield* ended(frame);
      frames.pop();
    } else if (frame.isStyle) frame.declared.push(piece);
    else if (sign === ";" && /^@/.test(plainPrelude(piece, frames.length === 1))) {
      const names = /^@layer\s([^{]{1,2000})$/i.exec(piece.trim())?.[1] ?? "";
      for (const name of names.split(",").filter((each) => each.trim() !== "").slice(0, 100)) {
        layers(nameOfLayer(frame.layer, name));
      }
    } else if (sign !== undefined && frames.length === 1) broken = true;
  }
  // A sheet that is cut off ends all of its blocks.
  while (frames.length > 0) yield* ended(frames.pop()!);
}

function* ended(frame: Frame): Generator<CssRule> {
  if (!frame.isStyle || !frame.selectors || frame.declared.length === 0) return;
  const declarations = plainDeclarations(frame.declared.join(";"));
  frame.declared = [];
  const { selectors, applies, layer } = frame;
  if (declarations.size > 0) yield { selectors, declarations, applies, layer };
}

const plainPrelude = (piece: string, isOutermost: boolean) =>
  (isOutermost ? piece.replace(/<!--|-->/g, " ") : piece).trim();

const nameOfLayer = (around: string, name: string) =>
  around === "" ? name.trim() : `${around}.${name.trim()}`;

/** The block that a prelude opens; null if it is ignored. */
function frameOf(prelude: string, around: Frame, unnamed: () => string): Frame | null {
  const group = { ...around, declared: [] };
  const rule = /^@([a-z-]{1,30})([^]*)$/i.exec(prelude);
  if (!rule) {
    // `a: b {` may be a declaration that went wrong; as a selector it is invalid too.
    const selectors = selectorsOf(prelude, around.selectors);
    return selectors && { ...group, selectors, isStyle: true };
  }
  const [, name] = rule;
  const rest = rule[2].trim();
  switch (name.toLowerCase()) {
    case "media":
      return { ...group, applies: mediaApplies(rest) ? around.applies : 0 };
    case "supports":
      return {
        ...group,
        applies: least(around.applies, conditionHolds(rest.toLowerCase(), isSupported)),
      };
    case "layer":
      return { ...group, layer: nameOfLayer(around.layer, rest || `#${unnamed()}`) };
    case "container":
      return { ...group, applies: least(around.applies, 0.5) };
    case "scope":
      return { ...group, isStyle: false, selectors: null, applies: least(around.applies, 0.5) };
    default:
      return null;
  }
}

const least = (one: Match, other: Match): Match => one < other ? one : other;

/** Whether a declaration is supported, as `@supports` asks. */
function isSupported(declaration: string): Match {
  const [property, ...values] = declaration.split(":");
  const value = values.join(":").trim();
  if (property.startsWith("--")) return 1;
  if (!isKept(property.trim())) return 0.5;
  return isLate(value) || longhandsOf(property.trim(), value).length > 0 ? 1 : 0;
}
