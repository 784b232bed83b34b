import { isKept, isLate, longhandNames, longhandsOf } from "./properties.ts";
import type { Effect } from "./effect.ts";
import type { Settled } from "./custom_properties.ts";

/** A CSS declaration's value, in lower case and without comments. */
export interface Declared {
  value: string;
  important: boolean;
  /** The property as it was written, if the value can be read only for an element: it has a `var()`. */
  late?: string;
}
/**
 * Declarations by longhand property, and custom properties. Of several for one property the last counts, unless an
 * earlier one is important. Invalid ones are left out.
 */
export type Declarations = ReadonlyMap<string, Declared> & {
  /** What they do, once it has been asked for, by the sizes around: mail repeats its styles. */
  effects?: Effect[];
  /** The same with the values of custom properties. */
  settled?: Settled[];
  /** True if they have custom properties or values that are late; known once it was asked for. */
  isLate?: boolean;
  /** If it is not known which rules match: the declarations of every further case. */
  branches?: readonly Declarations[];
};

export const noDeclarations: Declarations = new Map();

/** Characters of a value, enough for a colour; a longer value is a picture. */
const maxValueChars = 1000;
const maxCustomProperties = 50;

/**
 * The declarations of a `style` attribute (CSS Syntax 3). One pass; strings and brackets are
 * skipped, so `content: ";display:none"` declares nothing else. Never throws.
 */
export function declarationsOf(css: string): Declarations {
  return plainDeclarations(plainCss(css));
}

/** The same for text of {@link plainCss}. */
export function plainDeclarations(text: string): Declarations {
  const found = new Map<string, Declared>();
  let at = 0;
  let custom = 0;
  while (at < text.length) {
    const end = nextStop(text, at, false);
    const declaration = text.slice(at, end);
    if (!declaration.trimStart().startsWith("--") || custom++ < maxCustomProperties) {
      addDeclaration(found, declaration);
    }
    at = end + 1;
  }
  return found.size === 0 ? noDeclarations : found;
}

function addDeclaration(found: Map<string, Declared>, text: string): void {
  const colon = text.indexOf(":");
  if (colon < 0 || colon > 100) return;
  const written = text.slice(0, colon).trim();
  const isCustom = written.startsWith("--");
  const property = written.toLowerCase();
  if (!isCustom && !isKept(property)) return;
  const whole = text.slice(colon + 1).trim();
  let value = whole.length <= maxValueChars ? whole.toLowerCase().replace(/\s+/g, " ") : "";
  if (whole.length > maxValueChars && /^background(?:-image)?$/.test(property)) value = "url()";
  const mark = value.lastIndexOf("!");
  const important = mark >= 0 && value.slice(mark + 1).trim() === "important";
  if (important) value = value.slice(0, mark).trim();
  if (value === "" && !isCustom) return;
  const set = (name: string, declared: Declared) => {
    if (important || !found.get(name)?.important) found.set(name, declared);
  };
  if (isCustom) set(property, { value, important });
  else if (isLate(value)) {
    for (const name of longhandNames(property)) set(name, { value, important, late: property });
  } else {
    for (const [name, part] of longhandsOf(property, value)) set(name, { value: part, important });
  }
}

const backslash = 0x5c;

/**
 * Index of the next semicolon outside strings and brackets, or the length. With `braces`, of the next brace too: it ends
 * a bracket that was not closed, and a backslash escapes a sign.
 */
export function nextStop(text: string, at: number, braces: boolean): number {
  let depth = 0;
  for (let n = at; n < text.length; n++) {
    const code = text.charCodeAt(n);
    if (code === 0x3b && depth === 0) return n;
    if (braces && (code === 0x7b || code === 0x7d)) return n;
    if (code === 0x28) depth++;
    else if (code === 0x29) depth = Math.max(0, depth - 1);
    else if (code === backslash && braces) n++;
    else if (code === 0x22 || code === 0x27) {
      const end = endOfString(text, n);
      if (end < 0) return text.length;
      n = end;
    }
  }
  return text.length;
}

/** Index of the quote that ends the string beginning at `at`; a line end ends it too. -1 if nothing does. */
function endOfString(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let n = at + 1; n < text.length; n++) {
    const code = text.charCodeAt(n);
    if (code === backslash) n++;
    else if (code === quote || code === 0x0a) return n;
  }
  return -1;
}

/** CSS without comments; escapes outside of quoted strings are decoded. */
export function plainCss(css: string): string {
  const plain = css.includes("/*") ? withoutComments(css) : css;
  if (!plain.includes("\\")) return plain;
  // Quotes, braces and semicolons stay escaped, because they would end the value that they are in.
  return plain.replace(/\\([0-9a-fA-F]{1,6})\s?/g, (whole, hex: string) => {
    const code = parseInt(hex, 16);
    const isName = code > 0x7f || /[\w-]/.test(String.fromCharCode(code));
    return isName && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  }).replace(/\\([g-zG-Z_-])/g, "$1");
}

function withoutComments(css: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let from = css.indexOf("/*"); from >= 0; from = css.indexOf("/*", at)) {
    kept.push(css.slice(at, from));
    const end = css.indexOf("*/", from + 2);
    if (end < 0) return kept.join(" ");
    at = end + 2;
  }
  return [...kept, css.slice(at)].join(" ");
}

/** The declarations of both. Those of `over` win, unless only the ones below are important. */
export function mergeDeclarations(under: Declarations, over: Declarations): Declarations {
  const merged = mergedOne(under, over);
  if (merged === under || merged === over || !(under.branches || over.branches)) return merged;
  const declared: Declarations = new Map(merged);
  declared.branches = under.branches?.map((each) => mergedOne(each, over)) ??
    over.branches?.map((each) => mergedOne(under, each));
  return declared;
}

function mergedOne(under: Declarations, over: Declarations): Declarations {
  if (over.size === 0) return under;
  if (under.size === 0) return over;
  const merged = new Map(under);
  for (const [property, declared] of over) {
    if (declared.important || !merged.get(property)?.important) merged.set(property, declared);
  }
  return merged;
}
