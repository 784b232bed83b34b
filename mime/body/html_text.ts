import type { ElementKind } from "../html/element_names.ts";
import type { Attributes } from "../html/element_style.ts";
import { type HtmlLayout, readHtml } from "../html/html_reader.ts";
import type { OpenElement } from "../html/open_elements.ts";
import { hidesText, type ShownState } from "../css/shown_state.ts";
import { TextFlow } from "./text_flow.ts";

/** The text of HTML. */
export interface HtmlTexts {
  /** What a person sees. */
  shown: string;
  /** The texts that the HTML has but does not show, one for each place. */
  hidden: string[];
}

/**
 * HTML as readable text: with paragraphs, lists, table rows and quotes, links as `text [https://...]`, images as their
 * alternative text. Scripts, styles and hidden text are left out. Takes time in proportion to the length, also for
 * unclosed elements. Never throws.
 */
export function htmlToText(html: string): string {
  return htmlTexts(html).shown;
}

/** The visible and the hidden text of `html`. Linear time; never throws. */
export function htmlTexts(html: string): HtmlTexts {
  return readHtml(html, () => new TextLayout()).texts();
}

/** Levels of lists that are numbered and indented; deeper ones look like the last. */
const maxListDepth = 12;

/** The most separate pieces of hidden text; further hidden text is added to the last piece. */
const maxHiddenTexts = 200;

const maxAltChars = 300;
const maxHrefChars = 2000;

/** Lays out the elements of an HTML document as two texts: the visible one and the hidden one. */
class TextLayout implements HtmlLayout {
  private readonly shown = new TextFlow();
  private hidden = new TextFlow();
  private hasHidden = false;
  private readonly hiddenTexts: string[] = [];
  /** Open lists: the number of the next item, or 0 for bullets. */
  private readonly lists: number[] = [];
  private link: { href: string; from: number } | null = null;

  /** The texts, at the end of the document. */
  texts(): HtmlTexts {
    this.endLink();
    this.endHidden(true);
    return { shown: this.shown.text(), hidden: this.hiddenTexts };
  }

  text(text: string, state: ShownState): void {
    if (hidesText(state)) {
      this.hasHidden = true;
      this.hidden.add(text);
      // If it is displayed, its blanks separate the texts around it.
      if (!state.gone && /\s/.test(text)) this.shown.add(" ");
      return;
    }
    if (this.hasHidden && /\S/.test(text)) this.endHidden(false);
    this.shown.add(text);
  }

  lineBreak(state: ShownState): void {
    if (!state.gone) this.shown.lineBreak();
    if (this.hasHidden) this.hidden.lineBreak();
  }

  rule(state: ShownState): void {
    if (state.gone || state.invisible) return;
    this.shown.lineEnds(1);
    this.shown.add("-".repeat(40));
    this.shown.lineEnds(1);
  }

  picture(alt: string, isHidden: boolean): void {
    const text = alt.slice(0, maxAltChars);
    if (!isHidden) this.shown.add(text);
    else if (text.trim() !== "") {
      this.hasHidden = true;
      this.hidden.addWord(text);
    }
  }

  lineEnds({ lines }: ElementKind, state: ShownState): void {
    if (lines === 0) return;
    if (!state.gone) this.shown.lineEnds(this.lists.length > 0 ? 1 : lines);
    if (this.hasHidden) this.hidden.lineEnds(lines);
  }

  open(element: OpenElement, attributes: Attributes): void {
    const { name, kind, state } = element;
    this.lineEnds(kind, state);
    if (name === "td" || name === "th") {
      if (!state.gone) this.shown.add(" ");
      if (this.hasHidden) this.hidden.add(" ");
    }
    if (!element.placed || !(kind.isSpecial || kind.lines === 2)) return;
    if (name === "a") {
      this.endLink();
      const href = (attributes.get("href") ?? "").trim();
      if (href !== "" && !href.startsWith("#") && !hidesText(state)) {
        this.link = { href, from: this.shown.mark() };
      }
    } else if (name === "blockquote") this.shown.quote(1);
    else if (name === "pre") this.shown.preformatted(1);
    else if (name === "ul" || name === "ol") {
      const start = name === "ul" ? 0 : parseInt(attributes.get("start") ?? "1", 10) || 1;
      if (this.lists.length < maxListDepth) this.lists.push(start);
    } else if (name === "li" && !hidesText(state)) this.openItem();
  }

  close(element: OpenElement): void {
    const { name, kind } = element;
    if (element.placed && (kind.isSpecial || kind.lines === 2)) {
      if (name === "a") this.endLink();
      else if (name === "blockquote") this.shown.quote(-1);
      else if (name === "pre") this.shown.preformatted(-1);
      else if (name === "ul" || name === "ol") this.lists.pop();
    }
    this.lineEnds(kind, element.state);
  }

  private openItem(): void {
    const depth = Math.max(0, this.lists.length - 1);
    const number = this.lists.at(-1) ?? 0;
    if (number > 0) this.lists[this.lists.length - 1]++;
    this.shown.item("  ".repeat(depth) + (number > 0 ? `${number}. ` : "* "));
  }

  private endLink(): void {
    if (!this.link) return;
    const { href, from } = this.link;
    this.link = null;
    const shown = this.shown.since(from).trim();
    const isSame = Math.abs(shown.length - href.length) <= maxBared && bare(shown) === bare(href);
    if (!isSame) {
      // A tracking address may have thousands of characters.
      this.shown.addWord(`[${href.replace(/\s+/g, "").slice(0, maxHrefChars)}]`);
    }
  }

  /** Visible text separates the hidden text before it from the hidden text after it. */
  private endHidden(isLast: boolean): void {
    if (!isLast && this.hiddenTexts.length >= maxHiddenTexts - 1) {
      this.hidden.lineEnds(2);
      return;
    }
    const text = this.hidden.text();
    if (text !== "") this.hiddenTexts.push(text);
    this.hidden = new TextFlow();
    this.hasHidden = false;
  }
}

/** What {@link bare} leaves out at most: `https://` and a slash. */
const maxBared = 9;

const bare = (url: string) => url.replace(/^(?:mailto:|https?:\/\/)/i, "").replace(/\/$/, "");
