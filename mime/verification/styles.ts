/** Declarations of CSS: property to value, both in lower case, without `!important`. */
export type Declarations = ReadonlyMap<string, string>;

/** Characters of one `style` attribute, and declarations of it, that are read. */
const maxStyleChars = 2_000;

/** Reads the declarations of a `style` attribute or of a rule. The last of a property counts. */
export function declarationsOf(style: string): Declarations {
  const found = new Map<string, string>();
  const important = new Set<string>();
  for (const each of style.slice(0, maxStyleChars).toLowerCase().split(";")) {
    const colon = each.indexOf(":");
    if (colon < 0) continue;
    const name = each.slice(0, colon).trim();
    const [value, mark] = each.slice(colon + 1).split("!");
    if (important.has(name) && mark === undefined) continue;
    if (mark !== undefined) important.add(name);
    found.set(name, value.trim());
  }
  return found;
}

/** Characters of `style` elements that are read. */
const maxSheetChars = 200_000;
const maxRules = 2_000;

/**
 * The rules of `style` elements for a class or an id by itself (`.note`, `p.note`, `#note`). Rules inside
 * `@media` count for some screens only and are left out. Not a cascade: later rules win.
 */
export class StyleSheet {
  private readonly rules = new Map<string, string>();
  /** Classes that get a ground from a selector that is not read. */
  private readonly otherGrounds = new Set<string>();
  private chars = 0;

  add(sheet: string): void {
    const css = sheet.slice(0, Math.max(0, maxSheetChars - this.chars));
    this.chars += css.length;
    let from = 0;
    while (from < css.length && this.rules.size < maxRules) {
      const open = css.indexOf("{", from);
      if (open < 0) return;
      const selector = withoutComments(css.slice(from, open)).trim();
      const close = selector.startsWith("@") ? blockEnd(css, open) : css.indexOf("}", open);
      if (close < 0) return;
      if (!selector.startsWith("@")) this.addRule(selector, css.slice(open + 1, close));
      from = close + 1;
    }
  }

  /** Declarations of an element by its classes and id, and then its own style. */
  of(classes: string, id: string, style: string): Declarations {
    const rules = this.rules.size === 0 ? [] : [
      ...classes.slice(0, 500).split(/\s/).map((name) => `.${name}`),
      `#${id}`,
    ].map((key) => this.rules.get(key) ?? "");
    const all = [...rules, style].filter((each) => each !== "").join(";");
    return all === "" ? none : declarationsOf(all);
  }

  /** True if a rule that is not understood may paint the ground of these classes. */
  hasOtherGround(classes: string): boolean {
    return this.otherGrounds.size > 0 &&
      classes.slice(0, 500).split(/\s/).some((name) => this.otherGrounds.has(name));
  }

  private addRule(selectors: string, declarations: string): void {
    const rule = declarations.slice(0, maxStyleChars);
    for (const selector of selectors.slice(0, maxStyleChars).split(",")) {
      const simple = /^\s*[a-z0-9]{0,20}([.#][\w-]{1,100})\s*$/i.exec(selector);
      if (simple) {
        const before = this.rules.get(simple[1]);
        this.rules.set(simple[1], before ? `${before};${rule}`.slice(-maxStyleChars) : rule);
      } else if (rule.includes("background")) {
        for (const [, name] of selector.matchAll(/\.([\w-]+)/g)) this.otherGrounds.add(name);
      }
    }
  }
}

const none: Declarations = new Map();

function withoutComments(css: string): string {
  return css.split("/*").map((piece, n) => {
    if (n === 0) return piece;
    const end = piece.indexOf("*/");
    return end < 0 ? "" : piece.slice(end + 2);
  }).join("");
}

function blockEnd(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at++) {
    if (css[at] === "{") depth++;
    else if (css[at] === "}" && --depth === 0) return at;
  }
  return css.length;
}

/** What an element passes on to its content. */
export interface Look {
  /** Nothing of the element is shown, whatever its content says. */
  gone: boolean;
  invisible: boolean;
  tiny: boolean;
  colour: number;
  /** Null: a picture or something else that is not one colour. */
  ground: number | null;
}

export const plainLook: Look = {
  gone: false,
  invisible: false,
  tiny: false,
  colour: 0x000000,
  ground: 0xffffff,
};

/** How the content of an element looks that stands in `around`. */
export function lookOf(around: Look, css: Declarations, groundAttribute: string): Look {
  if (around.gone || (css.size === 0 && groundAttribute === "")) return around;
  const visibility = css.get("visibility");
  const size = css.get("font-size");
  const painted = css.get("background-color") ?? css.get("background") ?? groundAttribute;
  const pictured = css.has("background-image") && css.get("background-image") !== "none";
  return {
    gone: isGone(css),
    invisible: visibility === undefined ? around.invisible : visibility !== "visible",
    tiny: size === undefined ? around.tiny : isTiny(size),
    colour: colourOf(css.get("color") ?? "") ?? around.colour,
    ground: pictured ? null : groundOf(painted, around.ground),
  };
}

/** True if text of this look is not seen. */
export function isHidden(look: Look): boolean {
  return look.gone || look.invisible || look.tiny ||
    (look.ground !== null && isSameColour(look.colour, look.ground));
}

function isGone(css: Declarations): boolean {
  if (css.get("display") === "none" || css.get("mso-hide") === "all") return true;
  if (isZero(css.get("opacity")) || isZero(css.get("max-height")) || isZero(css.get("max-width"))) {
    return true;
  }
  const clips = css.get("overflow") === "hidden";
  if (clips && (isZero(css.get("height")) || isZero(css.get("width")))) return true;
  const clip = css.get("clip") ?? "";
  if (/^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?/.test(clip)) return true;
  if (/^inset\(\s*(?:50|100)%/.test(css.get("clip-path") ?? "")) return true;
  if (/^scale\(\s*0\s*\)/.test(css.get("transform") ?? "")) return true;
  const moved = ["left", "right", "top", "text-indent", "margin-left", "margin-top"];
  return moved.some((name) => {
    const value = css.get(name) ?? "";
    return value.startsWith("-") && parseFloat(value) <= -300;
  });
}

const isZero = (value: string | undefined): boolean =>
  value !== undefined && /^0*(?:\.0+)?(?:px|pt|em|rem|%)?$/.test(value) && value !== "";

function isTiny(size: string): boolean {
  const number = parseFloat(size);
  if (Number.isNaN(number)) return false;
  const limit = /(?:em|rem)$/.test(size) ? 0.1 : size.endsWith("%") ? 10 : 1;
  return number <= limit;
}

function groundOf(painted: string, around: number | null): number | null {
  if (painted === "" || painted === "transparent" || painted === "none" || painted === "inherit") {
    return around;
  }
  return colourOf(painted);
}

const colourNames = new Map([
  ["white", 0xffffff],
  ["black", 0x000000],
  ["snow", 0xfffafa],
  ["ivory", 0xfffff0],
  ["ghostwhite", 0xf8f8ff],
  ["whitesmoke", 0xf5f5f5],
]);

/** `#abc`, `#aabbcc`, `rgb(1, 2, 3)` or one of a few names as a number; null for the rest. */
function colourOf(value: string): number | null {
  const text = value.trim();
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1];
  if (hex) return parseInt(hex.length === 3 ? hex.replace(/./g, "$&$&") : hex, 16);
  const rgb = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/.exec(text);
  if (rgb) return Number(rgb[1]) << 16 | Number(rgb[2]) << 8 | Number(rgb[3]);
  return colourNames.get(text.toLowerCase()) ?? null;
}

/** Steps of each channel that no eye tells apart. */
const sameShade = 8;

function isSameColour(a: number, b: number): boolean {
  return [16, 8, 0].every((shift) =>
    Math.abs((a >> shift & 0xff) - (b >> shift & 0xff)) <= sameShade
  );
}
