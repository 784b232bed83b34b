import type { Effect } from "./shown_state.ts";

/** A CSS declaration's value, in lower case and without comments. */
export interface Declared {
  value: string;
  important: boolean;
}
/** Declarations by property. Of several for one property the last counts, unless an earlier one is important. */
export type Declarations = ReadonlyMap<string, Declared> & {
  /** What they do, once it has been asked for: mail repeats its styles. */
  effect?: Effect;
};

export const noDeclarations: Declarations = new Map();

/** The properties that decide whether a person sees text. Others are not kept. */
const properties = new Set([
  ...["display", "visibility", "content-visibility", "opacity", "filter", "-webkit-filter"],
  ...["font", "font-size", "color", "-webkit-text-fill-color", "background", "background-color"],
  ...["background-image", "width", "height", "max-width", "max-height", "overflow", "overflow-x"],
  ...["overflow-y", "position", "left", "right", "top", "bottom", "inset", "margin", "margin-left"],
  ...["margin-top", "text-indent", "transform", "-webkit-transform", "scale", "clip", "clip-path"],
  ...["-webkit-clip-path", "float", "zoom", "translate"],
]);

/** Characters of a value, enough for a colour; a longer value is a picture. */
const maxValueChars = 300;

/**
 * The declarations of a `style` attribute or of a rule's block (CSS Syntax 3). One pass; strings and brackets are
 * skipped, so `content: ";display:none"` declares nothing else. Never throws.
 */
export function declarationsOf(css: string): Declarations {
  const found = new Map<string, Declared>();
  const text = plainCss(css);
  let at = 0;
  while (at < text.length) {
    const end = endOfDeclaration(text, at);
    addDeclaration(found, text.slice(at, end));
    at = end + 1;
  }
  return found.size === 0 ? noDeclarations : found;
}

function addDeclaration(found: Map<string, Declared>, text: string): void {
  const colon = text.indexOf(":");
  if (colon < 0 || colon > 100) return;
  const property = text.slice(0, colon).trim().toLowerCase();
  if (!properties.has(property)) return;
  let value = text.slice(colon + 1, colon + 1 + maxValueChars).trim().toLowerCase();
  const mark = value.lastIndexOf("!");
  const important = mark >= 0 && value.slice(mark + 1).trim() === "important";
  if (important) value = value.slice(0, mark).trim();
  if (value === "" || (found.get(property)?.important && !important)) return;
  found.set(property, { value, important });
}

const backslash = 0x5c;

/** Where a declaration that begins at `at` ends: at a semicolon outside strings and brackets. */
function endOfDeclaration(text: string, at: number): number {
  let depth = 0;
  for (let n = at; n < text.length; n++) {
    const code = text.charCodeAt(n);
    if (code === 0x3b && depth === 0) return n;
    if (code === 0x28) depth++;
    else if (code === 0x29) depth = Math.max(0, depth - 1);
    else if (code === 0x22 || code === 0x27) {
      const end = endOfString(text, n);
      if (end < 0) return text.length;
      n = end;
    }
  }
  return text.length;
}

/** Index of the quote that ends the string beginning at `at`; a line end ends it too. -1 if nothing does. */
export function endOfString(text: string, at: number): number {
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
  if (over.size === 0) return under;
  if (under.size === 0) return over;
  const merged = new Map(under);
  for (const [property, declared] of over) {
    if (declared.important || !merged.get(property)?.important) merged.set(property, declared);
  }
  return merged;
}
