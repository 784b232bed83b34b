import { Tokenizer } from "htmlparser2";
import { TextFlow } from "./text_flow.ts";

/** Characters of HTML that are converted; 1 MB takes about 40 ms. */
const maxHtmlChars = 4 * 1024 * 1024;

/**
 * HTML as readable text: with paragraphs, lists, table rows and quotes, links as `text [https://...]`,
 * images as their alternative text. Scripts, styles and hidden elements (preheaders, text for machines)
 * are left out. Takes time in proportion to the length, also for unclosed elements. Never throws.
 */
export function htmlToText(html: string): string {
  const source = html.slice(0, maxHtmlChars);
  const reader = new HtmlReader(source);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, reader);
  tokenizer.write(source);
  tokenizer.end();
  return reader.text();
}

/** Elements whose content is left out. */
const skippedElements = new Set([
  "head",
  "style",
  "script",
  "title",
  "template",
  "noscript",
  "object",
  "svg",
  "math",
  "select",
  "textarea",
  "iframe",
]);

/** Number of line ends around a block; two make an empty line. */
const blockElements = new Map([
  ...["p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "dl", "pre", "table"].map(
    (name): [string, number] => [name, 2],
  ),
  ...[
    "div",
    "li",
    "tr",
    "dt",
    "dd",
    "section",
    "article",
    "header",
    "footer",
    "main",
    "nav",
    "aside",
    "address",
    "center",
    "form",
    "fieldset",
    "figure",
    "figcaption",
    "tbody",
    "thead",
    "tfoot",
    "caption",
    "body",
    "html",
  ].map((name): [string, number] => [name, 1]),
]);

const voidElements = new Set([
  "br",
  "hr",
  "img",
  "wbr",
  "input",
  "meta",
  "link",
  "base",
  "area",
  "col",
]);

const hiddenStyle =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|max-height\s*:\s*0(?![.\d])|mso-hide\s*:\s*all/i;

/** Levels of lists that are numbered and indented; deeper ones look like the last. */
const maxListDepth = 12;

/** Receives the tokens of one HTML document and makes text of them. */
class HtmlReader {
  private readonly flow = new TextFlow();
  private tag = "";
  private attribute = "";
  private value = "";
  private attributes = new Map<string, string>();
  /** Name of the element that is being left out, and how many of that name are open. */
  private skipped: string | null = null;
  private skippedDepth = 0;
  /** Open lists: the number of the next item, or 0 for bullets. */
  private lists: number[] = [];
  private link: { href: string; from: number } | null = null;

  constructor(private readonly source: string) {}

  text(): string {
    this.endLink();
    return this.flow.text();
  }

  ontext(start: number, end: number): void {
    if (this.skipped === null) this.flow.add(this.source.slice(start, end));
  }

  ontextentity(code: number): void {
    if (this.skipped === null) this.flow.add(String.fromCodePoint(code));
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.source.slice(start, Math.min(end, start + 40)).toLowerCase();
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.source.slice(start, Math.min(end, start + 40)).toLowerCase();
    this.value = "";
  }

  onattribdata(start: number, end: number): void {
    this.value += this.source.slice(start, end);
  }

  onattribentity(code: number): void {
    this.value += String.fromCodePoint(code);
  }

  onattribend(): void {
    // The first of duplicate attributes counts.
    if (/^(?:href|style|hidden|alt|start)$/.test(this.attribute)) {
      if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, this.value);
    }
  }

  onopentagend(): void {
    this.open(this.tag);
  }

  onselfclosingtag(): void {
    // `<div/>` opens a div: HTML has no empty elements but the void ones.
    this.open(this.tag);
  }

  onclosetag(start: number, end: number): void {
    const name = this.source.slice(start, Math.min(end, start + 40)).toLowerCase();
    if (this.skipped !== null) {
      if (name === this.skipped && --this.skippedDepth === 0) this.skipped = null;
      return;
    }
    if (name === "a") this.endLink();
    else if (name === "blockquote") this.flow.quote(-1);
    else if (name === "pre") this.flow.preformatted(-1);
    else if (name === "ul" || name === "ol") this.lists.pop();
    const lines = blockElements.get(name);
    if (lines) this.flow.lineEnds(this.lists.length > 0 ? 1 : lines);
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  private open(name: string): void {
    if (this.skipped !== null) {
      if (name === this.skipped) this.skippedDepth++;
      return;
    }
    if (voidElements.has(name)) {
      this.openVoid(name);
      return;
    }
    const hidden = this.attributes.has("hidden") ||
      hiddenStyle.test(this.attributes.get("style") ?? "");
    if (skippedElements.has(name) || hidden) {
      this.skipped = name;
      this.skippedDepth = 1;
      return;
    }
    const lines = blockElements.get(name);
    if (lines) this.flow.lineEnds(this.lists.length > 0 ? 1 : lines);
    if (name === "a") {
      this.endLink();
      const href = (this.attributes.get("href") ?? "").trim();
      if (href !== "" && !href.startsWith("#")) this.link = { href, from: this.flow.mark() };
    } else if (name === "blockquote") this.flow.quote(1);
    else if (name === "pre") this.flow.preformatted(1);
    else if (name === "td" || name === "th") this.flow.add(" ");
    else if (name === "ul" || name === "ol") {
      const start = name === "ul" ? 0 : parseInt(this.attributes.get("start") ?? "1", 10) || 1;
      if (this.lists.length < maxListDepth) this.lists.push(start);
    } else if (name === "li") this.openItem();
  }

  private openVoid(name: string): void {
    if (name === "br") this.flow.lineBreak();
    else if (name === "hr") {
      this.flow.lineEnds(1);
      this.flow.add("-".repeat(40));
      this.flow.lineEnds(1);
    } else if (name === "img") {
      const alt = (this.attributes.get("alt") ?? "").slice(0, 300);
      if (!hiddenStyle.test(this.attributes.get("style") ?? "")) this.flow.add(alt);
    }
  }

  private openItem(): void {
    const depth = Math.max(0, this.lists.length - 1);
    const number = this.lists.at(-1) ?? 0;
    if (number > 0) this.lists[this.lists.length - 1]++;
    this.flow.item("  ".repeat(depth) + (number > 0 ? `${number}. ` : "* "));
  }

  private endLink(): void {
    if (!this.link) return;
    const { href, from } = this.link;
    this.link = null;
    const shown = this.flow.since(from).trim();
    const bare = (url: string) => url.replace(/^(?:mailto:|https?:\/\/)/i, "").replace(/\/$/, "");
    // A tracking address may have thousands of characters.
    if (bare(shown) !== bare(href)) {
      this.flow.addWord(`[${href.replace(/\s+/g, "").slice(0, 2000)}]`);
    }
  }
}
