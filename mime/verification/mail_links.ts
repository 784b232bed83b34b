import { cutText } from "../text/cut_text.ts";
import { kindOf } from "./link_kinds.ts";
import type { PageLink } from "./page.ts";
import { type ReadMail, type ReadPages, readPages } from "./read_mail.ts";
import { hostOf, urlsOf } from "./text_urls.ts";

export type LinkKind = "verify" | "sign_in" | "reset" | "unsubscribe" | "other";

/** A link of a mail. */
export interface MailLink {
  /** Counts from 1, in order: links of the text, then those that only the HTML has. */
  n: number;
  /** Verbatim, entities decoded; `http:` or `https:`. */
  url: string;
  /** The words that a reader sees, at most 200 characters: empty for a picture without words, null if hidden. */
  text: string | null;
  /** In lower-case ASCII. */
  host: string;
  kind: LinkKind;
  /** Present if no representation of the mail shows the link. */
  hidden?: true;
}

export const maxLinks = 500;
const maxTextChars = 200;
/** How many places of one URL have their words read: a button, the URL below it, the text part. */
const maxTimes = 4;

/**
 * The links of a mail in order, at most {@link maxLinks}; a URL that occurs twice is one link. Never throws; takes time
 * in proportion to the length of the mail.
 */
export function listLinks(mail: ReadMail): MailLink[] {
  return ratedLinks(readPages(mail)).map(({ confidence: _, ...link }) => link);
}

/** The same with the confidence of each kind, from 0 to 1. */
export function ratedLinks(read: ReadPages): (MailLink & { confidence: number })[] {
  const found = new Map<string, MailLink & { confidence: number; bare: boolean; times: number }>();
  for (const page of read.pages) {
    for (const link of page.links) {
      const known = found.get(link.url);
      const host = known?.host ?? hostOf(link.url);
      const isMore = known
        ? known.times++ >= maxTimes && !(known.hidden && !link.hidden)
        : found.size >= maxLinks;
      if (host === null || isMore) continue;
      const rated = kindOf({ ...link, host }, page, read);
      if (!known) {
        const text = link.hidden ? null : cutText(link.text, maxTextChars);
        const entry = {
          n: found.size + 1,
          url: link.url,
          text,
          host,
          ...rated,
          bare: isBare(link),
          times: 1,
        };
        found.set(link.url, link.hidden ? { ...entry, hidden: true } : entry);
      } else if (!link.hidden) join(known, link, rated);
    }
  }
  return [...found.values()].map(({ bare: _, times: __, ...link }) => link);
}

/** The link is known from another place: words win over a bare URL, and the more certain kind wins. */
function join(
  known: MailLink & { confidence: number; bare: boolean },
  link: PageLink,
  rated: { kind: LinkKind; confidence: number },
): void {
  const bare = isBare(link);
  if (known.text === null || known.text === "" || (known.bare && !bare && link.text !== "")) {
    known.text = cutText(link.text, maxTextChars);
    known.bare = bare;
  }
  const wasHidden = known.hidden === true;
  delete known.hidden;
  const isBetter = rated.kind === known.kind
    ? rated.confidence > known.confidence
    : known.kind === "other" || (rated.kind !== "other" && rated.confidence > known.confidence);
  if (wasHidden || isBetter) Object.assign(known, rated);
}

const isBare = ({ text, url }: PageLink): boolean => text === url;

/** Characters of a URL that {@link shortenUrls} leaves as it is. */
const longUrl = 120;
const pathChars = 40;

/**
 * Shortens every URL of more than 120 characters to its scheme, host, first 40 characters of the path and `…[link 7]`;
 * 7 is the `n` of {@link listLinks}. The query is left off. A URL that is not in the list (of mail with more than 500
 * links) ends in `…`.
 */
export function shortenUrls(text: string, links: readonly { n: number; url: string }[]): string {
  const numbers = new Map(links.map(({ n, url }) => [url, n]));
  const cut = new Map(
    links.flatMap(({ n, url }) => url.length > cutUrl ? [[cutForm(url), n]] : []),
  );
  let out = "";
  let from = 0;
  for (const { url, start, end } of urlsOf(text)) {
    if (url.length <= longUrl || !URL.canParse(url)) continue;
    const { protocol, host } = new URL(url);
    const path = /^[^/]*\/\/[^/?#]*([^?#]*)/.exec(url)![1];
    const n = numbers.get(url) ?? cut.get(cutForm(url));
    const mark = n === undefined ? "…" : `…[link ${n}]`;
    out += `${text.slice(from, start)}${protocol}//${host}${cutText(path, pathChars)}${mark}`;
    from = end;
  }
  return out + text.slice(from);
}

/** The text of HTML shows this many characters of a URL: html_text.ts. */
const cutUrl = 2000;
const cutForm = (url: string): string => url.replace(/\s+/g, "").slice(0, cutUrl);
