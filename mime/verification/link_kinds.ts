import { imitates, siteOf } from "./look_alikes.ts";
import {
  articleWords,
  deedWords,
  genericText,
  otherWords,
  resetWords,
  signInWords,
  unsubscribeWords,
  urlWords,
  verifyWords,
} from "./link_words.ts";
import type { LinkKind } from "./mail_links.ts";
import type { Page, PageLink } from "./page.ts";
import type { ReadPages } from "./read_mail.ts";
import { hostOf } from "./text_urls.ts";

/** A kind, and how certain it is, from 0 to 1. */
export interface Rated {
  kind: LinkKind;
  confidence: number;
}

/** The purpose of a link: by its own words, else by its URL, else by the words around it, else by the subject. */
export function kindOf(link: PageLink & { host: string }, page: Page, read: ReadPages): Rated {
  if (link.hidden || link.quoted || isDeceptive(link, read)) {
    return { kind: "other", confidence: 0.9 };
  }
  const words = wordsOf(link.text);
  const byUrl = kindOfUrl(link.url);
  const token = hasToken(link.url);
  const own = words === "" ? null : ownKind(words, read);
  const rated = own && own !== "other"
    ? { kind: own, confidence: 0.95 }
    : own === "other"
    ? { kind: "other" as const, confidence: 0.85 }
    : kindAround(link, words, byUrl, token, page, read);
  return settled(rated, byUrl, token, link, read);
}

/** Text that is a URL or a host does not name a purpose. */
function wordsOf(text: string): string {
  const words = text.trim().toLowerCase();
  return /^(?:https?:\/\/|www\.)\S*$/.test(words) ||
      /^[\w.-]{1,100}\.[a-z]{2,12}(?:\/\S*)?$/.test(words)
    ? ""
    : words;
}

/** Letters of a text that may leave out what it confirms: "Confirm", "Confirm request". */
const maxBareLetters = 16;

/** The kind that a link's own words name. A deed is `other` here even if no word says that the link confirms it. */
function ownKind(words: string, { subject }: ReadPages): LinkKind | null {
  const kind = kindOfWords(words) ?? (deedWords.isIn(words) ? "other" : null);
  const isBare = kind === "verify" && withoutMarks(words).length <= maxBareLetters;
  return isBare && !words.includes("mail") && deedWords.isIn(subject) ? "other" : kind;
}

/** The kind that words name; null if they name none. */
function kindOfWords(words: string): LinkKind | null {
  if (unsubscribeWords.isIn(words)) return "unsubscribe";
  if (resetWords.isIn(words)) return "reset";
  const other = otherWords.isIn(words);
  if (verifyWords.isIn(words)) {
    return other || deedWords.isIn(words) || articleWords.isIn(words) ? "other" : "verify";
  }
  if (other) return "other";
  return signInWords.isIn(words) ? "sign_in" : null;
}

/** Characters of a URL whose words are read. */
const maxUrlChars = 2_000;

function kindOfUrl(url: string): LinkKind | null {
  if (!URL.canParse(url)) return null;
  const { pathname, search, hash } = new URL(url);
  const written = `${pathname} ${search} ${hash}`.slice(0, maxUrlChars);
  const parts = written.split(/[^A-Za-z-]+/).flatMap((part) => {
    const pieces = part.toLowerCase().split("-").filter(Boolean);
    // "how-to-verify-email-addresses" is the title of a page.
    return pieces.length > 3 ? [] : [...pieces, pieces.join("")];
  });
  const words = new Set(parts);
  const has = (kind: keyof typeof urlWords) => [...words].some((word) => urlWords[kind].has(word));
  const pair = (a: string, b: string) => words.has(a) && words.has(b);
  if (has("unsubscribe") || pair("opt", "out")) return "unsubscribe";
  const isPassword = words.has("password") || words.has("passwords") || words.has("passwort");
  if (has("reset") || (isPassword && ["edit", "new", "set", "change"].some((w) => words.has(w)))) {
    return "reset";
  }
  if (has("other")) return "other";
  if (has("verify") || pair("opt", "in")) return "verify";
  return has("sign_in") || pair("sign", "in") || pair("log", "in") ? "sign_in" : null;
}

/** Names of parameters that carry a proof. */
const tokenNames =
  /[?&#;](?:[a-z_-]{0,20}(?:token|code|key|hash|sig|signature|secret|otp|jwt|nonce|ticket|auth)|t|k|c|h|s|upn|data|id|uid|u)=[^&#]{5,}/i;

/** True if a URL has a part that only the recipient of the mail can know. */
function hasToken(url: string): boolean {
  const front = url.slice(0, maxUrlChars);
  const path = front.split(/[/?#&=.]/).slice(3);
  return tokenNames.test(front) ||
    path.some((part) => /^[\w~%+-]{10,}$/.test(part) && /\d/.test(part) && /[a-z]/i.test(part));
}

/** A text without the arrows, quotes and points around its words. */
function withoutMarks(text: string): string {
  const letters = [...text];
  const isLetter = (letter: string) => /[\p{L}\p{M}\p{N}]/u.test(letter);
  return letters.slice(letters.findIndex(isLetter), letters.findLastIndex(isLetter) + 1).join("");
}

/** Characters before and after a link that are read. */
const windowChars = 200;

function kindAround(
  link: PageLink,
  words: string,
  byUrl: LinkKind | null,
  token: boolean,
  page: Page,
  read: ReadPages,
): Rated {
  const isGeneric = words === "" || genericText.test(withoutMarks(words));
  // A page about passwords is no page to reset one.
  const isSure = token || !isProof(byUrl ?? "other") || (isGeneric && asks(link.url, byUrl));
  if (byUrl !== null && isSure) return { kind: byUrl, confidence: byUrl === "other" ? 0.7 : 0.85 };
  if (!isGeneric) return { kind: "other", confidence: 0.6 };
  const before = page.text.slice(Math.max(0, link.start - windowChars), link.start);
  const after = page.text.slice(link.end, link.end + windowChars).split("\n", 1)[0];
  const lineBefore = before.slice(before.lastIndexOf("\n") + 1);
  const clause = lineBefore.split(/[.!?]\s|[。！？।]/).at(-1)!.toLowerCase() + " … " +
    after.split(/[.!?](?:\s|$)|[。！？।]/, 1)[0].toLowerCase();
  const near = kindOfWords(clause);
  const line = before.split("\n").slice(0, -1).filter((each) => /\p{L}/u.test(each)).at(-1);
  const above = /\p{L}/u.test(lineBefore) || !line ? null : kindOfWords(line.toLowerCase());
  // A link that proves something has a part that only the recipient knows, or a URL with the same meaning as its words.
  const isMeant = (kind: LinkKind | null): kind is LinkKind =>
    kind !== null && (token || kind === byUrl || !isProof(kind));
  if (isMeant(near)) return { kind: near, confidence: 0.85 };
  if (isMeant(above)) return { kind: above, confidence: 0.75 };
  const subject = kindOfWords(read.subject.toLowerCase());
  if (isMeant(subject) && isProof(subject)) return { kind: subject, confidence: 0.65 };
  return { kind: "other", confidence: 0.6 };
}

/** True if a URL is about one thing only: it has a query, or a part of its path is the word itself. */
function asks(url: string, kind: LinkKind | null): boolean {
  const [path, query] = url.slice(0, maxUrlChars).split("?", 2);
  const parts = path.toLowerCase().split("/").slice(3);
  return query !== undefined ||
    (kind !== null && parts.some((part) => urlWords[kind].has(part.replaceAll("-", ""))));
}

const isProof = (kind: LinkKind): boolean => kind !== "other" && kind !== "unsubscribe";

/** Corrects the result: a link to a sign-in page is not a link that signs somebody in. */
function settled(
  rated: Rated,
  byUrl: LinkKind | null,
  token: boolean,
  link: PageLink & { host: string },
  read: ReadPages,
): Rated {
  let { kind, confidence } = rated;
  if (kind === "other") return rated;
  if (kind === "sign_in" && !token) {
    if (!signInWords.isIn(read.subject)) return { kind: "other", confidence: 0.55 };
    confidence -= 0.25;
  }
  if (byUrl === kind) confidence += 0.03;
  else if (kind !== "unsubscribe" && !token) confidence -= 0.15;
  const shown = hostOf(link.text.trim());
  if (shown !== null && siteOf(shown) !== siteOf(link.host)) confidence -= 0.25;
  if (/^[\d.]+$|^\[/.test(link.host)) confidence -= 0.3;
  const { senderDomain } = read;
  if (senderDomain && siteOf(senderDomain) === siteOf(link.host)) confidence += 0.02;
  return { kind, confidence: Math.round(Math.max(0.1, Math.min(0.99, confidence)) * 100) / 100 };
}

/** True if the link leads to a host that pretends to be another one. */
function isDeceptive(link: PageLink & { host: string }, read: ReadPages): boolean {
  if (/^https?:\/\/[^/?#]*@/i.test(link.url.slice(0, maxUrlChars))) return true;
  const shown = hostOf(/^www\./i.test(link.text) ? `http://${link.text.trim()}` : link.text.trim());
  return [read.senderDomain, shown].some((known) => known !== null && imitates(link.host, known));
}
