import { Tokenizer } from "htmlparser2";
import { elementKind } from "../html/element_names.ts";
import { ElementStyle } from "../html/element_style.ts";
import type { OpenElement } from "../html/open_elements.ts";
import { PageRoots } from "./page_roots.ts";
import { withoutUnseen } from "../text/unseen_characters.ts";
import { hidesPictures, hidesText, rootStateOf, stateInside } from "../css/shown_state.ts";
import { StyleSheet } from "../css/style_sheet.ts";
import { hostOf } from "./text_urls.ts";

/** A link as {@link HtmlPageReader} finds it. */
interface ReadLink {
  url: string;
  text: string;
  start: number;
  end: number;
  hidden: boolean;
}

/** How many characters of text are kept; more is repetitive markup. */
const maxTextChars = 400_000;
const maxLinks = 5_000;
/** How many characters of an attribute, and of the text of a link, are kept. */
const maxAttributeChars = 64 * 1024;
const maxLinkText = 200;

const blocks = new Set(
  ("address article aside blockquote body br caption center dd div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section table tbody tfoot thead tr ul")
    .split(" "),
);
const voids = new Set("area base br col hr img input link meta source track wbr".split(" "));
/** Elements whose content no reader sees. */
const unseen = new Set(
  "script style title template noscript object svg math select textarea iframe head".split(" "),
);
/** Elements whose end tag HTML lets authors omit: the next one of the same kind ends them. */
const impliedEnds = new Map([
  ["p", ["p"]],
  ["li", ["li"]],
  ["td", ["td", "th"]],
  ["th", ["td", "th"]],
  ["tr", ["tr"]],
  ["option", ["option"]],
]);
const wanted = new Set(
  ("href action style class id hidden popover alt width height bgcolor background text color size open media type")
    .split(" "),
);

interface Open extends OpenElement {
  unseen: boolean;
  quoted: boolean;
}

/** The text and the links of HTML. Rules below text apply to it too: then the HTML is read again. */
export function readHtml(source: string): { text: string; links: ReadLink[] } {
  const sheet = new StyleSheet();
  const first = new HtmlPageReader(source, sheet, false);
  const page = first.read();
  return first.hasLateRules ? new HtmlPageReader(source, sheet, true).read() : page;
}

/** Reads HTML once, from its beginning to its end; takes time in proportion to its length. */
class HtmlPageReader {
  /** True if a rule came after text. */
  hasLateRules = false;
  private readonly style: ElementStyle;
  private readonly roots: PageRoots;
  private css = "";
  private isQuirky = true;
  private readonly open: Open[] = [];
  private readonly openCounts = new Map<string, number>();
  private readonly pieces: string[] = [];
  private readonly links: ReadLink[] = [];
  private length = 0;
  private atLineStart = true;
  private pendingBlank = false;
  private tag = "";
  private attribute = "";
  private value: string[] = [];
  private valueChars = 0;
  private attributes = new Map<string, string>();
  private link: ReadLink | null = null;

  /** `isWhole`: `sheet` already has all rules of this document. */
  constructor(
    private readonly source: string,
    private readonly sheet: StyleSheet,
    private readonly isWhole: boolean,
  ) {
    this.style = new ElementStyle(sheet);
    this.sheet.isQuirky = this.isQuirky;
    this.roots = new PageRoots(this.style);
  }

  read(): { text: string; links: ReadLink[] } {
    const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, this);
    tokenizer.write(this.source);
    tokenizer.end();
    this.endLink();
    return { text: this.pieces.join(""), links: this.links };
  }

  ontext(start: number, end: number): void {
    const top = this.top();
    const text = this.source.slice(start, end);
    if (top?.name === "style") this.css += text;
    else if (!this.isUnseen()) this.add(text);
  }

  ontextentity(code: number): void {
    if (!this.isUnseen()) this.add(String.fromCodePoint(code));
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.source.slice(start, Math.min(end, start + 40)).toLowerCase();
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.source.slice(start, Math.min(end, start + 40)).toLowerCase();
    this.value = [];
    this.valueChars = 0;
  }

  onattribdata(start: number, end: number): void {
    this.addValue(this.source.slice(start, Math.min(end, start + maxAttributeChars)));
  }

  onattribentity(code: number): void {
    this.addValue(String.fromCodePoint(code));
  }

  onattribend(): void {
    // The first of duplicate attributes counts.
    if (this.isWanted(this.attribute) && !this.attributes.has(this.attribute)) {
      this.attributes.set(this.attribute, this.value.join(""));
    }
  }

  private isWanted(name: string): boolean {
    return wanted.has(name) || this.sheet.needs.attributes.has(name);
  }

  onopentagend(): void {
    this.openElement(this.tag);
  }

  onselfclosingtag(): void {
    this.openElement(this.tag);
  }

  onclosetag(start: number, end: number): void {
    const name = this.source.slice(start, Math.min(end, start + 40)).toLowerCase();
    if (!this.openCounts.get(name)) return;
    let closed = "";
    while (closed !== name) {
      closed = this.open.pop()!.name;
      this.count(closed, -1);
      if (closed === "a") this.endLink();
      if (closed === "style") this.endStyle();
      if (blocks.has(closed)) this.breakLine();
    }
  }

  ondeclaration(start: number, end: number): void {
    const declaration = this.source.slice(start, Math.min(end, start + 100)).toLowerCase();
    if (!declaration.startsWith("doctype")) return;
    this.isQuirky = declaration.trim() !== "doctype html";
    this.sheet.isQuirky = this.isQuirky;
  }

  oncdata(): void {}
  oncomment(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  private top(): Open | undefined {
    return this.open[this.open.length - 1];
  }

  private isUnseen(): boolean {
    const top = this.top();
    return top !== undefined && (top.unseen || hidesText(top.state));
  }

  private addValue(text: string): void {
    if (this.valueChars > maxAttributeChars) return;
    this.value.push(text);
    this.valueChars += text.length;
  }

  private count(name: string, step: 1 | -1): void {
    this.openCounts.set(name, (this.openCounts.get(name) ?? 0) + step);
  }

  private attributeOf(name: string): string {
    return this.attributes.get(name) ?? "";
  }

  private openElement(name: string): void {
    const ended = impliedEnds.get(name);
    const above = this.top();
    if (above && ended?.includes(above.name)) {
      this.open.pop();
      this.count(above.name, -1);
    }
    if (blocks.has(name)) this.breakLine();
    const element = this.elementOf(name);
    if (name === "a" || name === "area" || name === "form") this.openLink(element);
    if (voids.has(name)) {
      if (name === "img" && !element.unseen && !hidesPictures(element.state)) {
        this.add(` ${this.attributeOf("alt").slice(0, 300)} `);
      }
      if (name === "area") this.endLink();
      return;
    }
    if (name === "td" || name === "th") this.pendingBlank = true;
    this.open.push(element);
    this.count(name, 1);
  }

  private endStyle(): void {
    const added = !this.isWhole && this.sheet.add(this.css, this.attributes.get("media"));
    const hasChildren = this.open.some(({ name }) => !/^(?:html|head|style)$/.test(name));
    if ((added && this.length > 0) || (this.sheet.needs.places && hasChildren)) {
      this.hasLateRules ||= !this.isWhole;
    }
    this.roots.rulesChanged(this.isQuirky);
    this.css = "";
  }

  private elementOf(name: string): Open {
    const above = this.top();
    const kind = elementKind(name);
    const { attributes } = this;
    const selected = this.style.elementOf(
      kind,
      attributes,
      this.roots.parentOf(name, above, this.length > 0),
    );
    const declared = this.style.declarationsFor(kind, attributes, selected, this.isQuirky);
    const around = this.roots.stateAround(selected, above);
    const inside = stateInside(around, declared, kind.layout);
    const state = name === "html" ? rootStateOf(inside) : inside;
    const quoted = name === "blockquote" && (this.attributeOf("type") === "cite" ||
      /quote|cite/i.test(this.attributeOf("class").slice(0, 500)));
    return Object.assign(selected, {
      kind,
      state,
      declared,
      placed: !state.gone,
      unseen: (above?.unseen ?? false) || unseen.has(name),
      quoted: (above?.quoted ?? false) || quoted,
    });
  }

  private openLink(element: Open): void {
    this.endLink();
    const attribute = element.name === "form" ? "action" : "href";
    const url = this.attributeOf(attribute).replace(/[\t\n\r]/g, "").trim();
    if (this.links.length >= maxLinks || hostOf(url) === null) return;
    const hidden = element.unseen || hidesText(element.state);
    if (!hidden) this.flushBlank();
    this.link = { url, text: "", start: this.length, end: this.length, hidden };
    // The content of a form does not count as the text of a link.
    if (element.name === "form") this.endLink();
  }

  private endLink(): void {
    if (this.link === null) return;
    const { link } = this;
    this.link = null;
    link.end = this.length;
    link.text = link.text.replace(/\s+/g, " ").trim().slice(0, maxLinkText);
    this.links.push(link);
  }

  private breakLine(): void {
    this.pendingBlank = false;
    if (this.atLineStart) return;
    this.atLineStart = true;
    if (this.link) this.link.text += " ";
  }

  private flushBlank(): void {
    if (this.pendingBlank && !this.atLineStart) this.write(" ");
    this.pendingBlank = false;
  }

  private add(source: string): void {
    // Invisible characters fill preheaders.
    const text = withoutUnseen(source).replace(/[\s\u200b\u200c\u200d\ufeff\u034f\u00ad]+/g, " ");
    const words = text.trim();
    if (text.startsWith(" ")) this.pendingBlank = true;
    if (words !== "") {
      if (this.atLineStart) {
        const quote = this.top()?.quoted ? "> " : "";
        this.write((this.length > 0 ? "\n" : "") + quote);
        this.atLineStart = false;
        this.pendingBlank = false;
        // The text of a link begins after the line end.
        if (this.link && this.link.text.trim() === "") this.link.start = this.length;
      }
      this.flushBlank();
      this.write(words);
      if (this.link && this.link.text.length < 4 * maxLinkText) this.link.text += text;
    }
    if (text.endsWith(" ")) this.pendingBlank = true;
  }

  private write(piece: string): void {
    if (this.length >= maxTextChars) return;
    this.pieces.push(piece);
    this.length += piece.length;
  }
}
