import { offPage } from "./box_effect.ts";
import {
  black,
  type Colour,
  laidOn,
  leastOpacity,
  looksSame,
  noColour,
  unknownColour,
  white,
} from "./css_values.ts";
import {
  maxVariableWork,
  noVariables,
  settle,
  type Variables,
  type VariableWork,
} from "./custom_properties.ts";
import type { Declarations } from "./declarations.ts";
import { type Effect, effectOf } from "./effect.ts";
import type { Layout } from "../html/element_names.ts";

/** The state that decides whether text inside an element is visible. Lengths are pixels. */
export interface ShownState {
  /** Hidden with everything inside it: not displayed, transparent, clipped, off the page. */
  readonly gone: boolean;
  /** `visibility: hidden`: an element inside may be visible again. */
  readonly invisible: boolean;
  /** Text here is not seen, because of this state as a whole. */
  readonly hidesText: boolean;
  readonly colour: Colour;
  /** Of the letters, if it is not `colour`. */
  readonly fill: Colour | null;
  readonly ground: Colour;
  readonly rest: Rest;
}

/** What few elements change. */
interface Rest {
  /** Of the letters. */
  size: number;
  /** Of the letters of `html`. */
  rem: number;
  line: number;
  spacing: number;
  wordSpacing: number;
  indent: number;
  /** Letters are seen by a shadow, a stroke or the ground in their shape. */
  painted: boolean;
  opacity: number;
  scale: number;
  x: number;
  y: number;
  /** Inside a box that cuts off what is higher than its lines. */
  cut: boolean;
  variables: Variables;
  work: VariableWork;
}

/** Black on white with letters of 16 pixels, the default of mail programs; for one document. */
export function shownAtFirst(): ShownState {
  return {
    ...{ gone: false, invisible: false, hidesText: false },
    ...{ colour: black, fill: null, ground: white },
    rest: {
      ...{ size: 16, rem: 16, line: 19, spacing: 0, wordSpacing: 0, indent: 0, painted: false },
      ...{ opacity: 1, scale: 1, x: 0, y: 0, cut: false, variables: noVariables },
      work: { left: maxVariableWork },
    },
  };
}

/** True if a person does not see text of this state. */
export function hidesText({ hidesText }: ShownState): boolean {
  return hidesText;
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
  if (!declared.branches) return stateOfOne(around, declared, layout);
  return joined(
    [declared, ...declared.branches].map((each) => stateOfOne(around, each, layout)),
  );
}

/** The state of `html`, whose letters measure `rem`. */
export function rootStateOf(state: ShownState): ShownState {
  const { rest } = state;
  return rest.size === rest.rem ? state : { ...state, rest: { ...rest, rem: rest.size } };
}

function stateOfOne(around: ShownState, all: Declarations, layout: Layout): ShownState {
  const { rest: before } = around;
  const { declared, inside } = settle(all, before.variables, before.work);
  const effect = effectOf(declared, before.size, before.rem, layout);
  const rest = restInside(before, effect, inside);
  const ground = groundInside(around, effect);
  const own = effect.colour === null ? around.colour : laidOn(effect.colour, ground);
  const fill = effect.fill === null
    ? around.fill
    : effect.fill === "current"
    ? null
    : laidOn(effect.fill, ground);
  const invisible = effect.invisible ?? around.invisible;
  const gone = effect.gone || rest.opacity < leastOpacity || rest.x <= -offPage ||
    rest.y <= -offPage;
  if (
    !gone && rest === before && ground === around.ground && own === around.colour &&
    fill === around.fill && invisible === around.invisible
  ) return around;
  return finished({ gone, invisible, colour: own, fill, ground, rest });
}

function groundInside(around: ShownState, { ground, colour }: Effect): Colour {
  if (ground === null) return around.ground;
  if (ground !== "current") return laidOn(ground, around.ground);
  return colour === null ? around.colour : laidOn(colour, around.ground);
}

function restInside(before: Rest, effect: Effect, variables: Variables): Rest {
  if (effect.isPlain && variables === before.variables) return before;
  // A size that is not known is one that can be read.
  const size = effect.size === undefined
    ? before.size
    : Number.isNaN(effect.size)
    ? 16
    : effect.size;
  const rest: Rest = {
    size,
    rem: before.rem,
    line: effect.line ?? before.line,
    spacing: effect.spacing ?? before.spacing,
    wordSpacing: effect.wordSpacing ?? before.wordSpacing,
    indent: effect.indent ?? before.indent,
    painted: effect.painted ?? before.painted,
    opacity: before.opacity * effect.opacity,
    scale: before.scale * effect.scale,
    x: before.x + effect.x,
    y: before.y + effect.y,
    cut: before.cut || effect.cuts,
    variables,
    work: before.work,
  };
  const isSame = (Object.keys(rest) as (keyof Rest)[]).every((key) => rest[key] === before[key]);
  return isSame ? before : rest;
}

/** Letters of at most this many pixels are not read. */
const tinySize = 1;
/** Letters that are moved back by this share of their size stand over one another. */
const mostNarrowed = 0.45;

function finished(state: Omit<ShownState, "hidesText">): ShownState {
  const { gone, invisible, colour, fill, ground, rest } = state;
  const letters = fill ?? colour;
  const { size, scale, spacing, wordSpacing, indent, line, cut, painted } = rest;
  const hidesText = gone || invisible || size * scale <= tinySize ||
    spacing < -mostNarrowed * size || Math.abs(spacing) >= offPage ||
    Math.abs(wordSpacing) >= offPage || indent <= -offPage || (cut && line <= tinySize) ||
    (!painted && (letters === noColour || looksSame(letters, ground)));
  return { ...state, hidesText };
}

/** A state of which it is not known which of these it is: it hides only what all of them hide. */
function joined(states: readonly ShownState[]): ShownState {
  const shown = states.filter((each) => !each.gone);
  if (shown.length === 0) return states[0];
  const visible = shown.find((each) => !each.hidesText) ?? shown[0];
  if (shown.every((each) => each === visible)) return visible;
  const agreed = (value: (state: ShownState) => Colour) =>
    shown.every((each) => value(each) === value(visible)) ? value(visible) : unknownColour;
  const ground = agreed((each) => each.ground);
  const letters = agreed((each) => each.fill ?? each.colour);
  const state = finished({ ...visible, colour: letters, fill: null, ground });
  if (state.hidesText || !shown.every((each) => each.hidesText)) return state;
  return finished({ ...state, colour: noColour });
}
