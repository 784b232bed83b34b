import type { ElementKind } from "../html/element_names.ts";
import type { Attributes } from "../html/element_style.ts";
import { type HtmlLayout, readHtml } from "../html/html_reader.ts";
import type { OpenElement } from "../html/open_elements.ts";
import { hidesText, type ShownState } from "../css/shown_state.ts";
import { withoutUnseen } from "../text/unseen_characters.ts";
import { originalMessage, wrotePatterns } from "../segments/announcement_words.ts";
import { unquotedLines } from "../segments/line_origins.ts";
import { type FoundUrl, hostOf, urlsOf } from "./text_urls.ts";

/** A link of a page; its text is `[start, end)` in the text of the page. */
export interface PageLink extends FoundUrl {
  /** The words that a reader sees; empty for a picture without words. */
  text: string;
  /** True if the message does not show it. */
  hidden: boolean;
  /** True if it is in the mail that is answered. */
  quoted: boolean;
}

/** One representation of a message as a reader sees it: lines, and the links in them. */
export interface Page {
  /** Lines joined by LF, blanks collapsed; quoted lines begin with `>`. */
  text: string;
  links: PageLink[];
  /** For every line, in order: false if it belongs to the mail that is answered. */
  fresh: boolean[];
}

/** How many characters of text are read for codes and for the words around links; more of HTML is repetitive markup. */
const maxTextChars = 400_000;

/** A `text/plain` text as a page. */
export function textPage(text: string, forwarded: boolean): Page {
  const lines = text.slice(0, maxTextChars).split("\n").map(collapsed).filter(Boolean);
  return pageOf(lines.join("\n"), [], forwarded);
}

/** HTML as a page. Scripts, styles and hidden elements have no text; their links are hidden. */
export function htmlPage(html: string, forwarded: boolean): Page {
  const { text, links } = readPage(html);
  return pageOf(text, links, forwarded);
}

const collapsed = (line: string): string => line.replace(noWidth, "").split(/\s+/).join(" ").trim();

/** Soft hyphens, joiners and the like, which fill preheaders and part the letters of words and the digits of codes. */
const noWidth = /[\u00ad\u034f\u200b-\u200d\u2060\ufeff]/g;

type ReadLink = Omit<PageLink, "quoted">;

function pageOf(text: string, anchors: ReadLink[], forwarded: boolean): Page {
  const lines = text.split("\n");
  const fresh = freshLines(lines, forwarded);
  const links = [...anchors, ...bareLinks(text, anchors)].sort((a, b) => a.start - b.start);
  let line = 0;
  let lineEnd = lines[0].length;
  return {
    text,
    fresh,
    links: links.map((link) => {
      while (link.start > lineEnd && line < lines.length - 1) lineEnd += lines[++line].length + 1;
      return { ...link, quoted: !fresh[line] };
    }),
  };
}

/** URLs in the text that are not the text of an anchor. */
function* bareLinks(text: string, anchors: readonly ReadLink[]): Generator<ReadLink> {
  let next = 0;
  for (const found of urlsOf(text)) {
    while (next < anchors.length && anchors[next].end <= found.start) next++;
    if (next < anchors.length && !anchors[next].hidden && anchors[next].start < found.end) continue;
    yield { ...found, text: found.url, hidden: false };
  }
}

/** For each line, whether the sender wrote it in this mail: it is no quote and not in the answered mail below. */
function freshLines(lines: string[], forwarded: boolean): boolean[] {
  if (forwarded) return lines.map(() => true);
  const answers = lines.some((line) =>
    line.startsWith(">") || wrotePatterns.test(line.slice(0, 400)) ||
    originalMessage.test(line.slice(0, 400)) || line.includes("@")
  );
  if (!answers) return lines.map(() => true);
  return unquotedLines(lines);
}

const maxLinks = 5_000;
const maxUrlChars = 64 * 1024;
const maxAltChars = 300;
/** How many characters of the text of a link are kept. */
const maxLinkText = 200;

/** The text and the links of HTML, without their lines. */
export function readPage(html: string): { text: string; links: ReadLink[] } {
  return readHtml(html, () => new PageLayout()).page();
}

/** Lays out HTML as lines, with the places of its links. */
class PageLayout implements HtmlLayout {
  private readonly pieces: string[] = [];
  private readonly links: ReadLink[] = [];
  private length = 0;
  private atLineStart = true;
  private pendingBlank = false;
  private link: ReadLink | null = null;
  /** For every open blockquote, whether it is the mail that is answered. */
  private readonly quotes: boolean[] = [];
  /** How many of them are. */
  private cited = 0;

  page() {
    this.endLink();
    return { text: this.pieces.join(""), links: this.links };
  }

  lineBreak(state: ShownState): void {
    if (!state.gone) this.breakLine();
  }

  rule(state: ShownState): void {
    this.lineBreak(state);
  }

  lineEnds({ lines }: ElementKind, state: ShownState): void {
    if (lines > 0) this.lineBreak(state);
  }

  picture(alt: string, isHidden: boolean): void {
    if (!isHidden) this.add(` ${alt.slice(0, maxAltChars)} `);
  }

  open(element: OpenElement, attributes: Attributes): void {
    const { name, kind, state } = element;
    this.lineEnds(kind, state);
    if (name === "td" || name === "th") this.pendingBlank = true;
    else if (name === "a" || name === "area") this.openLink(attributes.get("href"), state);
    else if (name === "form") {
      this.openLink(attributes.get("action"), state);
      // The content of a form does not count as the text of a link.
      this.endLink();
    } else if (name === "blockquote") {
      const isCited = attributes.get("type") === "cite" ||
        /quote|cite/i.test(attributes.get("class")?.slice(0, 500) ?? "");
      this.quotes.push(isCited);
      if (isCited) this.cited++;
    }
  }

  close({ name, kind, state }: OpenElement): void {
    if (name === "a" || name === "area") this.endLink();
    else if (name === "blockquote" && this.quotes.pop()) this.cited--;
    this.lineEnds(kind, state);
  }

  text(source: string, state: ShownState): void {
    if (!hidesText(state)) this.add(source);
    // If it is displayed, its blanks separate the texts around it.
    else if (!state.gone && /\s/.test(source)) this.pendingBlank = true;
  }

  private openLink(href: string | undefined, state: ShownState): void {
    this.endLink();
    const url = (href ?? "").slice(0, maxUrlChars).replace(/[\t\n\r]/g, "").trim();
    if (this.links.length >= maxLinks || hostOf(url) === null) return;
    const hidden = hidesText(state);
    if (!hidden) this.flushBlank();
    this.link = { url, text: "", start: this.length, end: this.length, hidden };
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
    const text = withoutUnseen(source).replace(noWidth, "").replace(/\s+/g, " ");
    const words = text.trim();
    if (text.startsWith(" ")) this.pendingBlank = true;
    if (words !== "") {
      if (this.atLineStart) {
        const quote = this.cited > 0 ? "> " : "";
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
