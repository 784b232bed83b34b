/** What relative lengths are measured by, in pixels. NaN: not known. */
export interface Measures {
  em: number;
  rem: number;
  /** 100 %. */
  whole: number;
}

/** A page of 1024 x 768 with letters of 16 pixels. */
export const usualMeasures: Measures = { em: 16, rem: 16, whole: 800 };

/** The assumed size of the page that shows the mail, in pixels. */
export const pageWidth = 1024;
export const pageHeight = 768;

/** Pixels of a unit that is always the same (CSS Values 4, section 6). */
const absolute: Record<string, number> = {
  ...{ px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 9.6 / 2.54, q: 2.4 / 2.54 },
  ...{ vw: pageWidth / 100, vi: pageWidth / 100, vmax: pageWidth / 100 },
  ...{ vh: pageHeight / 100, vb: pageHeight / 100, vmin: pageHeight / 100 },
};
/** Parts of the size of the letters. */
const ofLetters: Record<string, number> = { em: 1, ex: 0.5, ch: 0.5, cap: 0.7, ic: 1, lh: 1.2 };

/** Functions whose result is not computed here: the value is valid and not known. */
const unread = new Set(
  ("round mod rem sin cos tan asin acos atan atan2 pow sqrt hypot log exp sign anchor anchor-size " +
    "attr random progress sibling-index sibling-count").split(" "),
);

/** A number, or a length in pixels; NaN is one that is not known. */
interface Quantity {
  value: number;
  kind: "number" | "length" | "any";
}

/** Levels of brackets that are read. */
const maxDepth = 16;

/**
 * A length in pixels, such as `-9999px`, `2em`, `50%` or `calc(1px + 2 * (1em - 3px))`; NaN if it is valid and not known;
 * null if it is no length. A number without a unit is a length in pixels, as in pages without a document type.
 */
export function pixelsIn(text: string, measures: Measures = usualMeasures): number | null {
  const simple = simpleLength.exec(text);
  if (simple) return inPixels(Number(simple[1]), simple[2].toLowerCase(), measures);
  const found = new Calculation(text, measures).result();
  return found === null || found.kind === "number" && text.includes("(") ? null : found.value;
}

const simpleLength = /^([+-]?(?:\d{1,12}(?:\.\d{1,12})?|\.\d{1,12}))(%|[a-z]{0,5})$/i;

/** A number, of a percentage its share; NaN if it is valid and not known; null if it is no number. */
export function numberIn(text: string): number | null {
  const found = new Calculation(text, { em: NaN, rem: NaN, whole: 1 }).result();
  return found === null || found.kind === "length" && !text.includes("%") ? null : found.value;
}

function inPixels(value: number, unit: string, measures: Measures): number | null {
  if (unit === "") return value;
  if (unit === "%") return value === 0 ? 0 : value * measures.whole / 100;
  if (absolute[unit] !== undefined) return value * absolute[unit];
  if (unit === "rem" || unit === "rlh" || unit === "rex" || unit === "rch") {
    return value * measures.rem * (unit === "rem" ? 1 : unit === "rlh" ? 1.2 : 0.5);
  }
  if (ofLetters[unit] !== undefined) return value * ofLetters[unit] * measures.em;
  // Small, large and dynamic viewports are the same on a screen; those of containers are not known.
  if (/^[sld]v/.test(unit)) return inPixels(value, unit.slice(1), measures);
  return /^cq(?:w|h|i|b|min|max)$/.test(unit) ? NaN : null;
}

/** Reads one value (CSS Values 4, section 10). Linear in its length; never throws. */
class Calculation {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string, private readonly measures: Measures) {}

  result(): Quantity | null {
    const found = this.value();
    return found !== null && this.at === this.text.length ? found : null;
  }

  /** A number with its unit, or a function. */
  private value(): Quantity | null {
    number.lastIndex = this.at;
    const found = number.exec(this.text);
    if (found) {
      this.at = number.lastIndex;
      const unit = found[2].toLowerCase();
      const value = inPixels(Number(found[1]), unit, this.measures);
      return value === null ? null : { value, kind: unit === "" ? "number" : "length" };
    }
    word.lastIndex = this.at;
    const name = word.exec(this.text)?.[1].toLowerCase();
    if (name === undefined || this.depth >= maxDepth) return null;
    this.at = word.lastIndex;
    this.depth++;
    const result = this.ofFunction(name);
    this.depth--;
    return result;
  }

  private ofFunction(name: string): Quantity | null {
    if (unread.has(name)) {
      this.skipToEnd();
      return { value: NaN, kind: "any" };
    }
    const parts: Quantity[] = [];
    do {
      const part = this.sum();
      if (part === null) return null;
      parts.push(part);
    } while (this.takes(","));
    if (!this.takes(")") && this.at < this.text.length) return null;
    const kind = parts.find((each) => each.kind !== "any")?.kind ?? "any";
    if (parts.some((each) => each.kind !== kind && each.kind !== "any")) return null;
    const value = resultOf(name, parts.map((each) => each.value));
    return value === null ? null : { value, kind };
  }

  private sum(): Quantity | null {
    let sum = this.product();
    while (sum !== null) {
      const sign = /^\s+([+-])\s+/.exec(this.text.slice(this.at, this.at + 20));
      if (!sign) break;
      this.at += sign[0].length;
      const next = this.product();
      if (next === null) return null;
      if (next.kind !== sum.kind && next.kind !== "any" && sum.kind !== "any") return null;
      const value = sign[1] === "+" ? sum.value + next.value : sum.value - next.value;
      sum = { value, kind: sum.kind === "any" ? next.kind : sum.kind };
    }
    this.blanks();
    return sum;
  }

  private product(): Quantity | null {
    let product = this.factor();
    while (product !== null) {
      const before = this.at;
      this.blanks();
      const isTimes = this.takes("*");
      if (!isTimes && !this.takes("/")) {
        this.at = before;
        break;
      }
      const next = this.factor();
      if (next === null) return null;
      if (isTimes ? product.kind === "length" && next.kind === "length" : next.kind === "length") {
        return null;
      }
      const value = isTimes ? product.value * next.value : product.value / next.value;
      product = { value, kind: product.kind === "number" ? next.kind : product.kind };
    }
    return product;
  }

  private factor(): Quantity | null {
    this.blanks();
    const constant = /^-?(?:pi|e|infinity|nan)\b/.exec(this.text.slice(this.at, this.at + 9))?.[0];
    if (constant !== undefined) {
      this.at += constant.length;
      return { value: constants[constant] ?? NaN, kind: "number" };
    }
    return this.value();
  }

  private takes(sign: string): boolean {
    this.blanks();
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private blanks(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
  }

  /** Behind the bracket that closes the function. */
  private skipToEnd(): void {
    for (let depth = 1; depth > 0 && this.at < this.text.length; this.at++) {
      if (this.text[this.at] === "(") depth++;
      else if (this.text[this.at] === ")") depth--;
    }
  }
}

const number = /([+-]?(?:\d{1,12}(?:\.\d{1,12})?|\.\d{1,12})(?:e[+-]?\d{1,3})?)(%|[a-z]{0,5})/iy;
/** The name of a function, empty for a mere bracket. */
const word = /([a-z][a-z0-9-]{0,30}|-webkit-calc|)\(/iy;
const constants: Record<string, number> = {
  ...{ pi: Math.PI, "-pi": -Math.PI, e: Math.E, "-e": -Math.E },
  ...{ infinity: Infinity, "-infinity": -Infinity },
};

function resultOf(name: string, parts: number[]): number | null {
  const [first, second, third] = parts;
  if (name === "min") return smallest(parts);
  if (name === "max") return -smallest(parts.map((each) => -each));
  if (name === "clamp" && parts.length === 3) {
    // NaN: the bounds are known, and the value between them is not.
    if (first === third) return first;
    return Math.max(first, Math.min(second, third));
  }
  if (parts.length !== 1) return null;
  if (name === "" || name === "calc" || name === "-webkit-calc") return first;
  return name === "abs" ? Math.abs(first) : null;
}

const smallest = (parts: readonly number[]) => Math.min(...parts);
