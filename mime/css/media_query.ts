import { pageHeight, pageWidth, pixelsIn } from "./css_length.ts";
import type { Match } from "./selector_matcher.ts";

/** Levels of brackets that are read. */
const maxDepth = 8;

/**
 * True if the media query of an `@media` rule or a `media` attribute holds on a light screen of 1024 x 768 with a mouse.
 * What is not understood holds nowhere, as in a browser (Media Queries 4, section 3.2).
 */
export function mediaApplies(query: string): boolean {
  const text = query.slice(0, 1000).trim().toLowerCase();
  return text === "" || splitOutside(text, /,/y).some(holds);
}

function holds(query: string): boolean {
  const text = query.trim().replace(/\s+/g, " ");
  const type = /^(?:(not|only) )?([a-z-]{1,30})(?: and\b([^]*))?$/.exec(text);
  if (!type || type[2] === "not") return conditionHolds(text, featureHolds) === 1;
  const ofType = type[2] === "all" || type[2] === "screen";
  const condition = type[3] === undefined ? 1 : conditionHolds(type[3].trim(), featureHolds);
  return condition !== 0.5 && (ofType && condition === 1) !== (type[1] === "not");
}

/**
 * Whether a condition with `not`, `and`, `or` and brackets holds (Media Queries 4, section 3; CSS Conditional 3); 0.5 if
 * that is not known. `holds` is asked for what stands in the innermost brackets.
 */
export function conditionHolds(text: string, holds: (text: string) => Match, depth = 0): Match {
  if (depth > maxDepth) return 0.5;
  const inside = (part: string) => conditionHolds(part.trim(), holds, depth + 1);
  if (/^not\b/.test(text)) return 1 - inside(text.slice(3)) as Match;
  for (const [word, joined] of [[/\band\b/y, Math.min], [/\bor\b/y, Math.max]] as const) {
    const parts = splitOutside(text, word);
    if (parts.length > 1) return joined(...parts.map(inside)) as Match;
  }
  if (!text.startsWith("(") || !text.endsWith(")")) return 0.5;
  const inner = text.slice(1, -1).trim();
  return /^(?:\(|not\b)/.test(inner) ? inside(inner) : holds(inner);
}

/** The parts of a text between separators that stand outside of brackets; `separator` is sticky. */
export function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let n = 0; n < text.length; n++) {
    if (text[n] === "(" || text[n] === "[") depth++;
    else if (text[n] === ")" || text[n] === "]") depth--;
    else if (depth === 0) {
      separator.lastIndex = n;
      const found = separator.exec(text);
      if (!found) continue;
      parts.push(text.slice(from, n));
      n += found[0].length - 1;
      from = n + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** Index of the bracket that closes what begins at `from`, or the length. */
export function closingBracket(text: string, from: number): number {
  for (let n = from, depth = 1; n < text.length; n++) {
    if (text[n] === "(") depth++;
    else if (text[n] === ")" && --depth === 0) return n;
  }
  return text.length;
}

const sizes: Record<string, number> = {
  ...{ width: pageWidth, "device-width": pageWidth },
  ...{ height: pageHeight, "device-height": pageHeight },
};
/** What a browser on a desk answers for the features that have words; the first is the one that holds. */
const words: Record<string, string> = {
  ...{ "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference" },
  ...{ "prefers-reduced-data": "no-preference", "prefers-contrast": "no-preference" },
  ...{ "forced-colors": "none", "inverted-colors": "none", orientation: "landscape" },
  ...{ hover: "hover", "any-hover": "hover", pointer: "fine", "any-pointer": "fine" },
  ...{ update: "fast", "display-mode": "browser", "color-gamut": "srgb" },
};

function featureHolds(text: string): Match {
  const holds = featureOf(text);
  return holds === null ? 0.5 : holds ? 1 : 0;
}

/** null if the feature is not known. */
function featureOf(text: string): boolean | null {
  const ranged = /^([^<>=:]{1,60})(<=?|>=?|=)([^<>=:]{1,60})(?:(<=?|>=?)([^<>=:]{1,60}))?$/.exec(
    text,
  );
  if (ranged) {
    const [, first, sign, second, nextSign, third] = ranged;
    const start = compared(first, sign, second);
    if (start === null || third === undefined) return start;
    const rest = compared(second, nextSign, third);
    return rest === null ? null : start && rest;
  }
  const [name, value] = text.split(":", 2).map((part) => part.trim());
  const bound = /^(-webkit-)?(min|max)-([a-z-]{1,40})$/.exec(name);
  if (bound) {
    if (value === undefined) return null;
    if (bound[3] === "device-pixel-ratio" || bound[3] === "resolution") {
      const ratio = parseFloat(value) / (value.endsWith("dpi") ? 96 : 1);
      return Number.isNaN(ratio) ? null : bound[2] === "min" ? 1 >= ratio : 1 <= ratio;
    }
    if (bound[3] === "color") return bound[2] === "min" ? parseFloat(value) <= 8 : null;
    return compared(bound[3], bound[2] === "min" ? ">=" : "<=", value);
  }
  if (sizes[name] !== undefined) return value === undefined ? true : compared(name, "=", value);
  if (name === "color" || name === "grid") return name === "color" && value !== "0";
  if (words[name] === undefined) return null;
  const known = words[name];
  return value === undefined ? known !== "none" && known !== "no-preference" : known === value;
}

/** One comparison, with the feature on either side. */
function compared(left: string, sign: string, right: string): boolean | null {
  const names = [left.trim(), right.trim()];
  const sides = names.map((side) => sizes[side] ?? pixelsIn(side) ?? NaN);
  const hasFeature = names.some((name) => sizes[name] !== undefined);
  if (!hasFeature || sides.some(Number.isNaN)) return null;
  const [one, other] = sides;
  if (sign === "=") return one === other;
  return sign.startsWith("<")
    ? one < other || sign === "<=" && one === other
    : one > other || sign === ">=" && one === other;
}
