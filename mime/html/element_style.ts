import { black, type Colour, noColour } from "../css/css_values.ts";
import {
  type Declarations,
  declarationsOf,
  type Declared,
  mergeDeclarations,
  noDeclarations,
} from "../css/declarations.ts";
import type { ElementKind } from "./element_names.ts";
import { placed, type SelectedElement } from "../css/selectors.ts";
import type { StyleSheet } from "../css/style_sheet.ts";

export type Attributes = Pick<ReadonlyMap<string, string>, "size" | "get" | "has">;
export const noAttributes: Attributes = new Map();

/** How many styles are cached; a mail repeats a few. */
const maxCached = 5_000;

/** The declarations for elements: by the browser, by attributes, by the rules of the mail, by `style`. */
export class ElementStyle {
  private readonly inline = new Map<string, Declarations>();
  private readonly merged = new Map<Declarations, Map<Declarations, Declarations>>();
  private readonly attributed = new Map<string, Declarations>();

  private readonly tableBodies = new WeakMap<SelectedElement, SelectedElement>();
  private quirkyTable = blackTable;

  constructor(private readonly sheet: StyleSheet) {}

  /**
   * In a page without a document type, tables have this colour (Quirks Mode Standard, "tables inherit color from
   * body").
   */
  set bodyColour(colour: Colour) {
    this.quirkyTable = colour === black ? blackTable : quirkyTableIn(colour);
  }

  /** A new element in `parent` (null: it is `html`), with what the rules need to know of it. */
  elementOf(
    { name }: ElementKind,
    attributes: Attributes,
    parent: SelectedElement | null,
  ): SelectedElement {
    if (this.sheet.isEmpty) return { ...plainElement, name, parent };
    const { needs } = this.sheet;
    const kept = new Map<string, string>();
    for (const each of needs.attributes) {
      const value = attributes.get(each);
      if (value !== undefined) kept.set(each, value);
    }
    const facts = {
      name,
      id: attributes.get("id") ?? "",
      classes: classesOf(attributes),
      attributes: needs.attributes.size > 0 ? kept : null,
    };
    const isRow = name === "tr" && parent?.name === "table";
    return placed(facts, isRow ? this.bodyOf(parent) : parent, needs.places);
  }

  /** The body that a browser adds to a table whose rows are in none (HTML, 13.2.6.4.9). */
  private bodyOf(table: SelectedElement): SelectedElement {
    const known = this.tableBodies.get(table);
    if (known) return known;
    const facts = { name: "tbody", id: "", classes: [], attributes: null };
    const body = placed(facts, table, this.sheet.needs.places);
    this.tableBodies.set(table, body);
    return body;
  }

  declarationsFor(
    kind: ElementKind,
    attributes: Attributes,
    element: SelectedElement,
    isQuirky: boolean,
  ): Declarations {
    if (attributes.size === 0 && !kind.isSpecial && this.sheet.isEmpty) return noDeclarations;
    let declared = ofBrowser(kind, attributes, isQuirky ? this.quirkyTable : noDeclarations);
    const style = attributes.get("style");
    if (attributes.size > (style === undefined ? 0 : 1)) {
      declared = this.merge(declared, this.ofAttributes(kind, attributes));
    }
    if (!this.sheet.isEmpty) {
      declared = this.merge(declared, this.sheet.declarationsFor(element));
    }
    return style === undefined ? declared : this.merge(declared, this.inlineOf(style));
  }

  /** The declarations of old HTML's attributes. */
  private ofAttributes({ name }: ElementKind, attributes: Attributes): Declarations {
    const isFont = name === "font";
    const colour = attributes.get(isFont ? "color" : "text");
    const ground = attributes.get("bgcolor");
    const hasSize = isFont && attributes.has("size");
    const picture = attributes.has("background");
    const isHidden = attributes.has("hidden") || attributes.has("popover");
    if (colour === undefined && ground === undefined && !hasSize && !picture && !isHidden) {
      return noDeclarations;
    }
    const key = `${colour} ${ground} ${hasSize} ${picture} ${isHidden}`;
    const known = this.attributed.get(key);
    if (known) return known;
    const said: [string, Declared][] = [];
    if (isHidden) said.push(one("display", "none"));
    if (ground !== undefined) said.push(one("background-color", ground));
    if (picture) said.push(one("background-image", "url()"));
    if (colour !== undefined) said.push(one("color", colour));
    if (hasSize) said.push(one("font-size", "medium"));
    const declared = new Map(said);
    if (this.attributed.size < maxCached) this.attributed.set(key, declared);
    return declared;
  }

  /** Merges each pair once: the same pair gives the same object, which is then judged only once. */
  private merge(under: Declarations, over: Declarations): Declarations {
    if (over.size === 0) return under;
    if (under.size === 0) return over;
    let ofUnder = this.merged.get(under);
    if (ofUnder === undefined) this.merged.set(under, ofUnder = new Map());
    const known = ofUnder.get(over);
    if (known) return known;
    const merged = mergeDeclarations(under, over);
    if (ofUnder.size < maxCached) ofUnder.set(over, merged);
    return merged;
  }

  private inlineOf(style: string): Declarations {
    const known = this.inline.get(style);
    if (known) return known;
    const declared = declarationsOf(style);
    if (this.inline.size < maxCached) this.inline.set(style, declared);
    return declared;
  }
}

/** An element of a document without rules. */
const plainElement: Omit<SelectedElement, "name" | "parent"> = {
  id: "",
  classes: [],
  attributes: null,
  index: 0,
  indexOfName: 0,
  children: null,
};

/** The classes of an element. */
function classesOf(attributes: Attributes): readonly string[] {
  const names = attributes.get("class");
  return names === undefined ? [] : names.slice(0, 1000).split(/\s+/).filter((one) => one !== "");
}

const one = (property: string, value: string): [string, Declared] => [
  property,
  { value: value.slice(0, 100).trim().toLowerCase(), important: false },
];
const notDisplayed: Declarations = new Map([one("display", "none")]);
const linkColour: Declarations = new Map([one("color", "#0000ee")]);
const control: Declarations = new Map([
  one("color", "#000000"),
  one("background-color", "#efefef"),
  one("font-size", "13px"),
]);
const marked: Declarations = new Map([one("background-color", "#ffff00"), one("color", "#000000")]);
/** Without a document type, a table does not inherit the font around it. */
function quirkyTableIn(colour: Colour): Declarations {
  const known = `#${colour.toString(16).padStart(6, "0")}`;
  const value = colour >= 0 ? known : colour === noColour ? "transparent" : "unknown";
  return new Map([one("font-size", "medium"), one("color", value)]);
}

const blackTable = quirkyTableIn(black);

const ofNames: Record<string, Declarations> = {
  ...{ a: linkColour, mark: marked, dialog: notDisplayed },
  ...{ button: control, select: control, textarea: control },
};

/** The default declarations of a browser. */
function ofBrowser(
  { name, isHidden, isSpecial }: ElementKind,
  attributes: Attributes,
  table: Declarations,
): Declarations {
  if (isHidden) return notDisplayed;
  if (!isSpecial || name === "a" && !attributes.has("href")) return noDeclarations;
  if (name === "table") return table;
  const isOpen = name === "dialog" && attributes.has("open");
  return isOpen ? noDeclarations : ofNames[name] ?? noDeclarations;
}
