import type { Declarations, Declared } from "./declarations.ts";
import { closingBracket } from "./media_query.ts";
import { longhandsOf } from "./properties.ts";

/** The values of custom properties (CSS Variables 1) inside an element, by their names in lower case. */
export type Variables = ReadonlyMap<string, string>;

/** Declarations whose values are all read, and the custom properties inside the element. */
export interface Settled {
  around: Variables;
  declared: Declarations;
  inside: Variables;
}

/** What may still be spent on custom properties in one document: a unit is one declaration. */
export interface VariableWork {
  left: number;
}

export const noVariables: Variables = new Map();
/** A newsletter takes a few hundred. */
export const maxVariableWork = 100_000;

const maxVariables = 100;
const maxChars = 1000;
/** A value that refers to one that refers to one. */
const maxDepth = 10;
const maxKept = 8;

/** Reads the values that refer to custom properties. What cannot be read hides nothing. */
export function settle(
  declared: Declarations,
  around: Variables,
  work: VariableWork,
): Omit<Settled, "around"> {
  if (declared.isLate === undefined) {
    declared.isLate = false;
    for (const [property, { late }] of declared) {
      if (late !== undefined || property.startsWith("--")) declared.isLate = true;
    }
  }
  if (!declared.isLate) return { declared, inside: around };
  const kept = declared.settled ??= [];
  const known = kept.find((each) => each.around === around);
  if (known) return known;
  work.left -= declared.size + around.size;
  const settled = { around, ...settledNow(declared, around, work.left < 0) };
  if (kept.length < maxKept) kept.push(settled);
  return settled;
}

/** A text; null if it is invalid; undefined if it is not known. */
type Read = string | null | undefined;

function settledNow(declared: Declarations, around: Variables, isSpent: boolean) {
  if (isSpent) return { declared: withUnknown(declared), inside: around };
  const valueOf = (name: string, depth: number): Read => {
    if (depth > maxDepth) return null;
    const own = declared.get(name)?.value;
    if (own === "initial") return null;
    if (own === undefined || /^(?:inherit|unset|revert|revert-layer)$/.test(own)) {
      return around.get(name) ?? null;
    }
    return withValues(own, (inner) => valueOf(inner, depth + 1));
  };
  const inside = new Map(around);
  const read = new Map<string, Declared>();
  for (const [property, each] of declared) {
    if (property.startsWith("--")) {
      const value = valueOf(property, 0);
      if (typeof value !== "string") inside.delete(property);
      else if (inside.size < maxVariables) inside.set(property, value);
    } else if (each.late === undefined) read.set(property, each);
    else {
      const text = withValues(each.value, (name) => valueOf(name, 0));
      const value = text === undefined
        ? unknownValues[property]
        : longhandsOf(each.late, text?.trim() ?? "")
          .find(([longhand]) => longhand === property)?.[1] ?? "unset";
      if (value !== undefined) read.set(property, { value, important: each.important });
    }
  }
  return { declared: read, inside };
}

/** What a value that is not known stands for: something that shows the text. */
const unknownValues: Record<string, string> = {
  display: "block",
  visibility: "visible",
  "font-size": "medium",
  color: "unknown",
  "-webkit-text-fill-color": "unknown",
  "background-color": "unknown",
};

function withUnknown(declared: Declarations): Declarations {
  const read = new Map<string, Declared>();
  for (const [property, { value, important, late }] of declared) {
    const known = late === undefined ? value : unknownValues[property];
    if (known !== undefined) read.set(property, { value: known, important });
  }
  return read;
}

/** A value with those that `var()` and `env()` name. Linear in its length, times the values. */
function withValues(value: string, valueOf: (name: string) => Read): Read {
  let text = value;
  for (let n = 0; n < maxDepth; n++) {
    // The last one has no other inside.
    const found = [...text.matchAll(/\b(var|env|attr|if)\(/g)].at(-1);
    if (!found) return text;
    if (found[1] === "attr" || found[1] === "if") return undefined;
    const from = found.index + found[0].length;
    const end = closingBracket(text, from);
    const inner = text.slice(from, end);
    const comma = inner.indexOf(",");
    const name = (comma < 0 ? inner : inner.slice(0, comma)).trim();
    const known = found[1] === "var"
      ? valueOf(name)
      : /^safe-area-(?:max-)?inset-/.test(name)
      ? "0px"
      : null;
    if (known === undefined) return undefined;
    const part = known ?? (comma < 0 ? null : inner.slice(comma + 1).trim());
    if (part === null) return null;
    text = `${text.slice(0, found.index)} ${part} ${text.slice(end + 1)}`.trim();
    if (text.length > maxChars) return undefined;
  }
  return undefined;
}
