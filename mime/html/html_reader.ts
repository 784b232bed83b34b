import { decodeHTML, decodeHTMLAttribute } from "entities";
import { isNothing } from "../css/css_values.ts";
import {
  attributeAt,
  type ElementKind,
  elementKind,
  elementKindAt,
  inHead,
} from "./element_names.ts";
import { type Attributes, ElementStyle, noAttributes } from "./element_style.ts";
import { readTokens, type TokenReceiver } from "./html_tokens.ts";
import { type OpenElement, OpenElements } from "./open_elements.ts";
import type { SelectedElement } from "../css/selectors.ts";
import {
  hidesPictures,
  rootStateOf,
  shownAtFirst,
  type ShownState,
  stateInside,
} from "../css/shown_state.ts";
import { StyleSheet } from "../css/style_sheet.ts";

/** Receives what HTML shows and hides, in order, and makes a text of it. */
export interface HtmlLayout {
  text(text: string, state: ShownState): void;
  /** `<br>` */
  lineBreak(state: ShownState): void;
  /** `<hr>` */
  rule(state: ShownState): void;
  /** The alternative text of a picture. */
  picture(alt: string, isHidden: boolean): void;
  /** The line ends of a block that is no element here. */
  lineEnds(kind: ElementKind, state: ShownState): void;
  open(element: OpenElement, attributes: Attributes): void;
  close(element: OpenElement): void;
}

/** Characters of HTML that are read; 1 MB takes about 40 ms. */
const maxHtmlChars = 4 * 1024 * 1024;

/** No rule asks for an attribute with a longer name. */
const maxNameChars = 60;

/**
 * Reads HTML as a browser does, and gives a new layout what it shows and hides. Takes time in proportion to the length,
 * also for unclosed elements. Never throws.
 */
export function readHtml<Layout extends HtmlLayout>(html: string, layout: () => Layout): Layout {
  const source = html.slice(0, maxHtmlChars);
  const sheet = new StyleSheet();
  const roots: Roots = { html: new Map(), body: new Map() };
  const read = (isWhole: boolean) => {
    const laidOut = layout();
    const reader = new HtmlReader(source, laidOut, sheet, roots, isWhole);
    readTokens(source, reader);
    reader.end();
    return { laidOut, isIncomplete: reader.isIncomplete };
  };
  const first = read(false);
  // Rules and attributes of the body also apply to the text before them.
  return (first.isIncomplete ? read(true) : first).laidOut;
}

/**
 * The attributes of `html` and `body`, which every document has once: a further `<body>` adds the attributes that the
 * first one lacks (HTML, 13.2.6.4.7).
 */
type Roots = Record<"html" | "body", Map<string, string>>;

/** Receives the tokens of one HTML document. */
class HtmlReader implements TokenReceiver {
  /** True if a rule, or an attribute of a root, came after text to which it applies. */
  isIncomplete = false;
  private readonly style: ElementStyle;
  private readonly open = new OpenElements(shownAtFirst(), (element) => this.layout.close(element));
  private kind = elementKind("");
  private kept = this.kind.kept;
  private readonly attributes = new TagAttributes();
  /** The open element whose content is no text. */
  private raw: string | null = null;
  private css = "";
  private isQuirky = true;
  /** The body, which is around all elements. */
  private root: SelectedElement;
  private hasText = false;
  /** Nothing of the body has begun. */
  private isInHead = true;

  /** `isWhole`: `sheet` and `roots` are already complete for this document. */
  constructor(
    private readonly source: string,
    private readonly layout: HtmlLayout,
    private readonly sheet: StyleSheet,
    private readonly roots: Roots,
    private readonly isWhole: boolean,
  ) {
    this.style = new ElementStyle(sheet);
    this.sheet.isQuirky = this.isQuirky;
    this.root = this.style.elementOf(elementKind("body"), noAttributes, null);
    if (isWhole) this.open.base = this.rootState();
  }

  end(): void {
    this.endRaw();
    this.open.closeAll();
  }

  text(start: number, end: number): void {
    if (this.raw !== null) this.rawText(start, end);
    else {
      const text = this.source.slice(start, end);
      this.show(text.includes("&") ? withoutEntities(text) : text);
    }
  }

  tagName(start: number, end: number): void {
    this.kind = elementKindAt(this.source, start, end);
    this.attributes.clear();
    this.kept = this.sheet.isEmpty ? this.kind.kept : this.kind.keptForRules;
  }

  attribute(start: number, end: number, valueStart: number, valueEnd: number): void {
    const name = this.keptName(start, end);
    // The first of duplicate attributes counts.
    if (name === undefined || this.attributes.has(name)) return;
    const value = this.source.slice(valueStart, valueEnd);
    this.attributes.add(name, value.includes("&") ? decodeHTMLAttribute(value) : value);
  }

  /** The name of an attribute, if it is kept or a rule asks for it. */
  private keptName(start: number, end: number): string | undefined {
    const name = attributeAt(this.source, start, end);
    if (name !== undefined && this.kept.has(name)) return name;
    const asked = this.sheet.needs.attributes;
    if (asked.size === 0 || end - start > maxNameChars) return undefined;
    const lower = this.source.slice(start, end).toLowerCase();
    return asked.has(lower) ? lower : undefined;
  }

  startTag(): void {
    // `<div/>` opens a div: in HTML only void elements are empty.
    this.start(this.kind, this.attributes);
  }

  endTag(start: number, end: number): void {
    const kind = elementKindAt(this.source, start, end);
    if (this.raw !== null) {
      if (kind.name === this.raw) this.endRaw();
    } else if (kind.name === "br") this.layout.lineBreak(this.open.state);
    else if (!this.open.close(kind)) this.layout.lineEnds(kind, this.open.state);
  }

  cdata(start: number, end: number): void {
    // Outside SVG this is a comment, which ends at the first `>`.
    const close = this.source.indexOf(">", start);
    if (close < 0 || close >= end) return;
    if (this.raw !== null) this.rawText(close + 1, end + 1);
    else this.show(this.source.slice(close + 1, end + 1));
  }

  declaration(start: number, end: number): void {
    const declaration = this.source.slice(start, Math.min(end, start + 100)).toLowerCase();
    if (declaration.startsWith("doctype")) {
      this.isQuirky = !/^doctype html\s*$|xhtml|html 4\.01/.test(declaration);
      this.sheet.isQuirky = this.isQuirky;
    }
  }

  private rawText(start: number, end: number): void {
    if (this.raw === "style" && !this.isWhole) this.css += this.source.slice(start, end);
  }

  private show(text: string): void {
    if (/\S/.test(text)) {
      this.hasText = true;
      this.isInHead = false;
    }
    this.layout.text(text, this.open.state);
  }

  private endRaw(): void {
    if (this.raw === "style" && this.css !== "") {
      const added = this.sheet.add(this.css, this.attributes.get("media"));
      if (added) this.baseChanged();
      // Those before it were not counted.
      if (this.sheet.needs.places && !this.isInHead && !this.isWhole) this.isIncomplete = true;
    }
    this.css = "";
    this.raw = null;
  }

  private start(kind: ElementKind, attributes: TagAttributes): void {
    if (this.raw !== null) return;
    const { name } = kind;
    if (kind.isRaw || kind.isVoid) this.countEmpty(kind, attributes);
    if (kind.isRaw) this.raw = name;
    else if (kind.isVoid) this.startVoid(kind, attributes);
    else if (name === "html" || name === "body") this.startRoot(name, attributes);
    else if (name !== "head") this.startElement(kind, attributes);
  }

  /** Elements without content count among the children of the one around them. Some are counted when they start. */
  private countEmpty(kind: ElementKind, attributes: Attributes): void {
    const { name } = kind;
    this.isInHead &&= inHead.has(name);
    if (this.isInHead || !this.sheet.needs.places || name === "img" || name === "area") return;
    this.style.elementOf(kind, attributes, this.parent);
  }

  private startElement(kind: ElementKind, attributes: Attributes): void {
    this.isInHead = false;
    this.endImplied(kind);
    const element = this.elementOf(kind, attributes, this.open.stateAround(kind));
    this.layout.open(element, attributes);
    // A browser ignores the parts of a table outside a table.
    if (kind.layout !== "table" || kind.name === "table" || this.open.isInTable) {
      this.open.open(element);
    }
  }

  private elementOf(kind: ElementKind, attributes: Attributes, around: ShownState): OpenElement {
    const selected = this.style.elementOf(kind, attributes, this.parent);
    const declared = this.style.declarationsFor(kind, attributes, selected, this.isQuirky);
    const state = stateInside(around, declared, kind.layout);
    return Object.assign(selected, { kind, state, declared, placed: !state.gone });
  }

  private get parent(): SelectedElement {
    return this.open.elements.at(-1) ?? this.root;
  }

  private startRoot(name: keyof Roots, attributes: TagAttributes): void {
    this.layout.lineEnds(elementKind(name), this.open.state);
    if (name === "body") this.isInHead = false;
    const root = this.roots[name];
    const before = root.size;
    for (const [attribute, value] of attributes.entries()) {
      if (!root.has(attribute)) root.set(attribute, value);
    }
    if (root.size > before) this.baseChanged();
  }

  /** The declarations for the roots, or for open elements, may have changed. */
  private baseChanged(): void {
    if (this.isWhole) return;
    if (this.hasText || this.open.elements.length > 0) this.isIncomplete = true;
    else this.open.base = this.rootState();
  }

  private rootState(): ShownState {
    const { html, body } = this.roots;
    const whole = this.style.elementOf(elementKind("html"), html, null);
    this.root = this.style.elementOf(elementKind("body"), body, whole);
    const declared = (element: SelectedElement, attributes: Attributes) =>
      this.style.declarationsFor(elementKind(element.name), attributes, element, this.isQuirky);
    const page = rootStateOf(stateInside(shownAtFirst(), declared(whole, html), "block"));
    const state = stateInside(page, declared(this.root, body), "block");
    this.style.bodyColour = state.colour;
    return state;
  }

  private startVoid(kind: ElementKind, attributes: Attributes): void {
    const { name } = kind;
    if (name === "br") this.layout.lineBreak(this.open.state);
    else if (name === "hr") {
      this.endImplied(kind);
      this.layout.rule(this.open.state);
    } else if (name === "area") {
      const area = this.elementOf(kind, attributes, this.open.state);
      this.layout.open(area, attributes);
      this.layout.close(area);
    } else if (name === "img" && attributes.get("alt")) {
      const { state } = this.elementOf(kind, attributes, this.open.state);
      const isDot = isNothing(attributes.get("width")) || isNothing(attributes.get("height"));
      this.layout.picture(attributes.get("alt")!, hidesPictures(state) || isDot);
    }
  }

  /** Closes what a start tag ends (HTML, 13.2.6.4.7). */
  private endImplied(kind: ElementKind): void {
    const { name } = kind;
    if (kind.endsParagraph || (name === "table" && !this.isQuirky)) {
      if (this.open.has("p")) this.open.close(elementKind("p"));
    }
    if (!kind.isSpecial) return;
    if (name === "a" && this.open.has("a")) this.open.close(kind);
    else if (name === "li") this.open.closeItem(["li"]);
    else if (name === "dt" || name === "dd") this.open.closeItem(["dt", "dd"]);
    else if (name === "option") this.open.closeItem(["option"]);
    else if (kind.layout === "table" && name !== "table" && this.open.isInTable) {
      this.open.enterTablePart(name);
    }
  }
}

/** The usual entity needs no decoder. */
function withoutEntities(text: string): string {
  const rest = text.replace(/&nbsp;/g, "\u00a0");
  return rest.includes("&") ? decodeHTML(rest) : rest;
}

/** The attributes of one start tag at a time. A Map for each tag took a tenth of the memory of reading a mail. */
class TagAttributes {
  size = 0;
  private readonly names: string[] = [];
  private readonly values: string[] = [];

  get(name: string): string | undefined {
    for (let n = 0; n < this.size; n++) if (this.names[n] === name) return this.values[n];
    return undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Adds an attribute that is not there. */
  add(name: string, value: string): void {
    this.names[this.size] = name;
    this.values[this.size++] = value;
  }

  clear(): void {
    this.size = 0;
  }

  entries(): [name: string, value: string][] {
    return this.names.slice(0, this.size).map((name, n) => [name, this.values[n]]);
  }
}
