/** How an element is laid out. A size has no effect on inline elements; in tables it is a minimum. */
export type Layout = "block" | "inline" | "table";

/** The facts about elements of one name. One object, so that each tag costs one look-up. */
export type ElementKind = Readonly<Record<keyof typeof marks, boolean>> & {
  name: string;
  layout: Layout;
  /** The attributes that decide whether text is seen, or are shown. */
  kept: ReadonlySet<string>;
  /** The same, with the attributes that rules use. */
  keptForRules: ReadonlySet<string>;
  /** How many line ends it has around it in text; two make an empty line. */
  lines: number;
};

const buckets = 256;

/**
 * Values by names in lower-case ASCII. A name is looked up in its place in a source, in either case: a tag needs no text
 * of its own for its name, and none for the names of attributes that nobody reads.
 */
class NameTable<Value> {
  private readonly entries: { name: string; value: Value }[][] = [];

  constructor(values: Iterable<readonly [name: string, value: Value]>) {
    for (let n = 0; n < buckets; n++) this.entries.push([]);
    for (const [name, value] of values) {
      this.entries[bucketOf(name, 0, name.length)].push({ name, value });
    }
  }

  /** The value of the name `source[start, end)`. */
  at(source: string, start: number, end: number): Value | undefined {
    const entries = this.entries[bucketOf(source, start, end)];
    for (let n = 0; n < entries.length; n++) {
      if (isName(entries[n].name, source, start, end)) return entries[n].value;
    }
    return undefined;
  }
}

function bucketOf(source: string, start: number, end: number): number {
  // The lower five bits are the same in both cases.
  const first = source.charCodeAt(start) & 31;
  const last = source.charCodeAt(end - 1) & 31;
  return (first * 7 + last * 31 + end - start) % buckets;
}

function isName(name: string, source: string, start: number, end: number): boolean {
  if (end - start !== name.length) return false;
  for (let n = 0; n < name.length; n++) {
    const code = source.charCodeAt(start + n);
    const lower = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    if (lower !== name.charCodeAt(n)) return false;
  }
  return true;
}

const of = (names: string) => new Set(names.split(" "));

const blocks = of("body html legend optgroup option caption");
const tableLayout = of("table tbody thead tfoot tr td th colgroup col");
const hidden =
  "template noscript iframe noframes noembed datalist rp audio video canvas desc metadata defs";

/** What is true of elements, with their names. */
const marks = {
  /** It has no end tag. */
  isVoid: of(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
  ),
  /** Its content is no text. */
  isRaw: of("style script title"),
  /** Its content is not shown by a browser. */
  isHidden: of(hidden),
  /** It is opened again after a block that was closed around it (HTML, 13.2.4.3). */
  isFormatting: of("a b big code em font i nobr s small strike strong tt u"),
  /** No end tag inside it reaches beyond it: a table, a cell. */
  isScope: of("table td th caption template marquee button"),
  /** A scope that the next cell or row ends. */
  isCell: of("td th caption marquee button"),
  /** Its place is in a table outside the cells: text there is shown before the table. */
  isTable: of("table tbody thead tfoot tr colgroup"),
  /** It may be directly in a table. */
  isTablePart: of(
    "tbody thead tfoot tr td th caption colgroup col style script template form",
  ),
  /** It ends an open paragraph. */
  endsParagraph: of(
    "address article aside blockquote center details dialog dir div dl dt dd fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary ul xmp",
  ),
  /** Its end tag does not close a block inside it. */
  isOrdinary: of(
    "span ins del q sub sup abbr acronym label cite var mark bdo bdi kbd samp time",
  ),
  /** It has a special look, or closes an element before it. */
  isSpecial: of(
    `${hidden} table tbody thead tfoot tr td th colgroup col a li dt dd option button select textarea mark dialog font body`,
  ),
};
const paragraphLines = of("p h1 h2 h3 h4 h5 h6 blockquote ul ol dl pre table");
const lines = of(
  "div li tr dt dd section article header footer main nav aside address center form fieldset figure figcaption tbody thead tfoot caption body html details summary option legend xmp",
);

const attributes = "style hidden bgcolor background popover".split(" ");
const attributesOf = new Map<string, string[]>([
  ["a", ["href"]],
  ["area", ["href"]],
  ["blockquote", ["class", "type"]],
  ["body", ["text"]],
  ["dialog", ["open"]],
  ["font", ["color", "size"]],
  ["form", ["action"]],
  ["img", ["alt", "width", "height"]],
  ["ol", ["start"]],
  ["style", ["media"]],
]);

const attributeNames = new NameTable(
  [...attributes, ...[...attributesOf.values()].flat(), "class", "id"].map((name) => [name, name]),
);

/** The attribute whose name is `source[start, end)`; undefined if no element keeps it. */
export function attributeAt(source: string, start: number, end: number): string | undefined {
  return attributeNames.at(source, start, end);
}

function kindOf(name: string): ElementKind {
  const isBlock = marks.endsParagraph.has(name) || blocks.has(name);
  const kept = [...attributes, ...attributesOf.get(name) ?? []];
  const marked = Object.entries(marks).map(([mark, names]) => [mark, names.has(name)]);
  return {
    name,
    kept: new Set(kept),
    keptForRules: new Set([...kept, "class", "id"]),
    layout: isBlock ? "block" : tableLayout.has(name) ? "table" : "inline",
    lines: paragraphLines.has(name) ? 2 : lines.has(name) ? 1 : 0,
    ...Object.fromEntries(marked) as Record<keyof typeof marks, boolean>,
  };
}

const known = new Map<string, ElementKind>();
for (const names of [...Object.values(marks), blocks, lines, of("head")]) {
  for (const name of names) known.set(name, kindOf(name));
}

/** The kind of an element without a special meaning. */
const ordinaryKind = kindOf("");

/** The kind of an element; `name` in lower case. */
export function elementKind(name: string): ElementKind {
  return known.get(name) ?? { ...ordinaryKind, name };
}

const knownNames = new NameTable(known);

/** No element has a longer name. */
const maxNameChars = 40;

/** The kind of the element whose name is `source[start, end)`. */
export function elementKindAt(source: string, start: number, end: number): ElementKind {
  return knownNames.at(source, start, end) ??
    elementKind(source.slice(start, Math.min(end, start + maxNameChars)).toLowerCase());
}

/** Elements that do not begin the body of a page without tags for its parts. */
export const inHead: ReadonlySet<string> = new Set("style script title meta link base".split(" "));
