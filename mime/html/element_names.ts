/** How an element is laid out. A size has no effect on inline elements; in tables it is a minimum. */
export type Layout = "block" | "inline" | "table";

/** The facts about elements of one name. One object, so that each tag costs one look-up. */
export interface ElementKind {
  name: string;
  layout: Layout;
  /** It has no end tag. */
  isVoid: boolean;
  /** Its content is no text. */
  isRaw: boolean;
  /** Its content is not shown by a browser. */
  isHidden: boolean;
  /** It is opened again after a block that was closed around it (HTML, 13.2.4.3). */
  isFormatting: boolean;
  /** No end tag inside it reaches beyond it: a table, a cell. */
  isScope: boolean;
  /** A scope that the next cell or row ends. */
  isCell: boolean;
  /** Its place is in a table outside the cells: text there is shown before the table. */
  isTable: boolean;
  /** It may be directly in a table. */
  isTablePart: boolean;
  /** It ends an open paragraph. */
  endsParagraph: boolean;
  /** Its end tag does not close a block inside it. */
  isOrdinary: boolean;
  /** It has a special look, or closes an element before it. */
  isSpecial: boolean;
  /** The attributes that decide whether text is seen, or are shown. */
  kept: ReadonlySet<string>;
  /** The same, with the attributes that rules use. */
  keptForRules: ReadonlySet<string>;
  /** How many line ends it has around it in text; two make an empty line. */
  lines: number;
}

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

const voids = of(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);
const raw = of("style script title");
const hidden = of(
  "template noscript iframe noframes noembed datalist rp audio video canvas desc metadata defs",
);
const formatting = of("a b big code em font i nobr s small strike strong tt u");
const scopes = of("table td th caption template marquee button");
const cells = of("td th caption marquee button");
const tables = of("table tbody thead tfoot tr colgroup");
const tableParts = of(
  "tbody thead tfoot tr td th caption colgroup col style script template form",
);
const paragraphEnds = of(
  "address article aside blockquote center details dialog dir div dl dt dd fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary ul xmp",
);
const blocks = of("body html legend optgroup option caption");
const tableLayout = of("table tbody thead tfoot tr td th colgroup col");
const ordinary = of(
  "span ins del q sub sup abbr acronym label cite var mark bdo bdi kbd samp time",
);
const special = of("a li dt dd option button select textarea mark table dialog font body");
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
  const isBlock = paragraphEnds.has(name) || blocks.has(name);
  const kept = [...attributes, ...attributesOf.get(name) ?? []];
  return {
    name,
    kept: new Set(kept),
    keptForRules: new Set([...kept, "class", "id"]),
    layout: isBlock ? "block" : tableLayout.has(name) ? "table" : "inline",
    isVoid: voids.has(name),
    isRaw: raw.has(name),
    isHidden: hidden.has(name),
    isFormatting: formatting.has(name),
    isScope: scopes.has(name),
    isCell: cells.has(name),
    isTable: tables.has(name),
    isTablePart: tableParts.has(name),
    endsParagraph: paragraphEnds.has(name),
    isOrdinary: ordinary.has(name),
    isSpecial: special.has(name) || hidden.has(name) || tableLayout.has(name),
    lines: paragraphLines.has(name) ? 2 : lines.has(name) ? 1 : 0,
  };
}

const known = new Map<string, ElementKind>();
for (
  const names of [
    ...[voids, raw, hidden, formatting, scopes, tables, tableParts, paragraphEnds, blocks],
    ...[tableLayout, ordinary, special, lines, of("head")],
  ]
) {
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
