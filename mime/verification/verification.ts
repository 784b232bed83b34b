import { asciiText } from "./digits.ts";
import { type Candidate, candidatesOf } from "./code_candidates.ts";
import { confidenceOf, type Surroundings } from "./code_evidence.ts";
import { codeNames, otherNumbers, plainCode, signInTalk } from "./code_words.ts";
import { type LinkKind, type MailLink, ratedLinks } from "./mail_links.ts";
import type { Page } from "./page.ts";
import { type ReadMail, type ReadPages, readPages } from "./read_mail.ts";
import { urlsOf } from "./text_urls.ts";
import { Words } from "./words.ts";

/** A code that a reader is to type into a form. */
export interface FoundCode {
  /**
   * As a form expects it: ASCII digits, without blanks; a numeric one without hyphens and without a prefix that forms
   * show themselves (`G-`).
   */
  code: string;
  /** As the mail shows it, on one line. */
  as_written: string;
  kind: "numeric" | "alphanumeric";
  /** 0 to 1. */
  confidence: number;
  /** The words around it, on one line, at most 160 characters. */
  context: string;
}

export interface FoundLink {
  /** Verbatim, entities decoded. */
  url: string;
  /** The words that a reader sees, at most 200 characters. */
  text: string;
  /** In lower-case ASCII. */
  host: string;
  kind: LinkKind;
  /** 0 to 1: how certain the kind is. */
  confidence: number;
}

export interface Verification {
  /** The code to type in, or null. */
  best_code: string | null;
  /** The URL of the best link of kind `verify`, `sign_in` or `reset`, or null. */
  best_link: string | null;
  /** Best first, at most {@link maxFound}. */
  codes: FoundCode[];
  links: FoundLink[];
}

const maxFound = 20;

/**
 * The codes and links of a mail with which somebody proves who they are. Rules over words, places and shapes in some
 * thirty languages; no model, no look-up. Left out: numbers that the mail calls something else (orders, prices, dates,
 * phones), hidden text of the HTML, and codes of the mail that is answered. Never throws; takes time in proportion to
 * the length of the mail.
 */
export function findVerification(mail: ReadMail): Verification {
  const read = readPages(mail);
  const codes = codesOf(read);
  const links = ratedLinks(read).flatMap((link): FoundLink[] => {
    const { url, text, host, kind, confidence } = link;
    return text === null ? [] : [{ url, text, host, kind, confidence }];
  });
  const sorted = links.sort((a, b) => rank(b) - rank(a)).slice(0, maxFound);
  return {
    best_code: codes[0]?.code ?? null,
    best_link: sorted.find(({ kind }) => isBestKind(kind))?.url ?? null,
    codes,
    links: sorted,
  };
}

const isBestKind = (kind: MailLink["kind"]): boolean =>
  kind === "verify" || kind === "sign_in" || kind === "reset";

/** Links that prove something come before those that end a subscription, and these before all others. */
const rank = ({ kind, confidence }: FoundLink): number =>
  confidence + (isBestKind(kind) ? 2 : kind === "unsubscribe" ? 1 : 0);

/** A result with a lower confidence is not shown. */
const leastConfidence = 0.5;
/** A result with this much less confidence than the best is dropped. */
const mostBehindBest = 0.22;
/** A mail names its topic within this many characters of its text. */
const aboutChars = 3_000;

function codesOf(read: ReadPages): FoundCode[] {
  const about = [
    read.subject,
    ...read.pages.map((page) => withoutAddresses(page.text.slice(0, aboutChars))),
  ]
    .join("\n");
  const named = codeNames.isIn(about);
  const mail = {
    about,
    signIn: named || signInTalk.isIn(about),
    named,
    trade: otherNumbers.isIn(read.subject) && !codeNames.isIn(read.subject),
  };
  const found = read.pages.flatMap((page) => codesOfPage(freshText(page), mail));
  if (!read.isReply) found.push(...codesOfPage(read.subject, mail));
  const best = new Map<string, FoundCode>();
  for (const each of found) {
    const before = best.get(each.code);
    if (!before || before.confidence < each.confidence) best.set(each.code, each);
  }
  const sorted = [...best.values()].sort((a, b) => b.confidence - a.confidence);
  const least = Math.max(leastConfidence, (sorted[0]?.confidence ?? 0) - mostBehindBest);
  return sorted.filter(({ confidence }) => confidence >= least).slice(0, maxFound);
}

function freshText({ text, fresh }: Page): string {
  return text.split("\n").filter((_, n) => fresh[n]).join("\n");
}

function codesOfPage(source: string, mail: Omit<Surroundings, "text">): FoundCode[] {
  const ascii = asciiText(source);
  const text = withoutAddresses(ascii.text);
  return candidatesOf(text).filter(isNoWord).flatMap((candidate) => {
    const confidence = confidenceOf(candidate, { ...mail, text });
    if (confidence < leastConfidence) return [];
    const { code, kind, start, end } = candidate;
    const [from, to] = [ascii.original(start), ascii.original(end - 1) + 1];
    return [{
      code,
      // Cells of a table are lines.
      as_written: oneLine(source.slice(from, to).replaceAll("\n", "")),
      kind,
      confidence: rounded(confidence),
      context: contextOf(source, from, to),
    }];
  });
}

const buttonWords = new Words(["continue|click|button|here|please|thank|hello|welcome"]);

/** A button in capitals ("VERIFY") is no code. */
const isNoWord = ({ shape, code }: Candidate): boolean =>
  shape !== "word" ||
  ![codeNames, plainCode, signInTalk, buttonWords].some((words) => words.isIn(code.toLowerCase()));

/** URLs and mail addresses become blanks of the same length: their digits are no codes. */
function withoutAddresses(text: string): string {
  let out = "";
  let from = 0;
  for (const { start, end } of urlsOf(text)) {
    out += text.slice(from, start) + " ".repeat(end - start);
    from = end;
  }
  const rest = out + text.slice(from);
  return rest.includes("@")
    ? rest.split(/(\s)/).map((word) => word.includes("@") ? "\u00a0".repeat(word.length) : word)
      .join("")
    : rest;
}

const contextChars = 160;

function contextOf(text: string, start: number, end: number): string {
  const room = Math.max(20, contextChars - (end - start));
  const from = Math.max(0, start - Math.round(room * 0.6));
  const to = Math.min(text.length, end + room - (start - from));
  return oneLine(text.slice(from, to)).slice(0, contextChars);
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const rounded = (confidence: number): number => Math.round(confidence * 100) / 100;
