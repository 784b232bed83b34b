import { originalMessage, wrotePatterns } from "../body/reply_patterns.ts";
import { withoutQuotes } from "../body/new_text.ts";
import { readPage } from "./html_page.ts";
import { type FoundUrl, urlsOf } from "./text_urls.ts";

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

/** How many characters of text are read for codes and for the words around links. */
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

const collapsed = (line: string): string => line.split(/\s+/).join(" ").trim();

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
  const kept = withoutQuotes(lines);
  let next = 0;
  return lines.map((line) => {
    const isKept = next < kept.length && kept[next] === line;
    if (isKept) next++;
    return isKept;
  });
}
