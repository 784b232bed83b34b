import {
  appOnPhone,
  confidentialMarks,
  deviceNames,
  disclaimerStart,
  farewells,
  outsideBanner,
  postscript,
  programNotice,
  sentFrom,
  sentFromMine,
  thanks,
} from "../body/reply_patterns.ts";
import { head, isBlank } from "./lines.ts";

/** More lines than this below a farewell are text, not a signature. */
const maxSignatureLines = 12;

/** No line of {@link farewells} or {@link thanks} is longer. */
const maxFarewellChars = 60;

/** A signature that a program writes has no longer lines. */
const maxProgramLine = 120;

/** Index of the first line of the signature at the end of `lines`, or null. */
export function signatureAt(lines: readonly string[]): number | null {
  const separator = separatorIn(lines);
  const end = separator < 0 ? lines.length : separator;
  // The last first.
  const below: string[] = [];
  let cut = separator < 0 ? null : separator;
  for (let n = end - 1; n >= 0 && below.length <= maxSignatureLines; n--) {
    const line = head(lines[n]);
    if (isBlank(line)) continue;
    const isListRule = /^(?:[_=*-]{20,}|_{2,})$/.test(line) &&
      isListFooter(below, line.length < 20);
    const isMobile = line.length < maxProgramLine && isOfPhone(line);
    const mayEnd = n > 0 && line.length <= maxFarewellChars;
    const isFarewell = mayEnd && farewells.test(line) && !isSentence(below.at(-1)) &&
      below.every((one) => one.length <= 100);
    const isThanks = mayEnd && areNames(below) && thanks.test(line);
    if (isListRule || isMobile || isFarewell || isThanks) cut = n;
    below.push(line);
  }
  return cut;
}

/**
 * For each line whether PGP wrote it around a signed text (RFC 9580, section 7): the head above the text, and the
 * signature below it. Empty if it wrote none.
 */
export function pgpFrame(lines: readonly string[]): boolean[] {
  if (!lines.includes(signedBegin) && !lines.includes(signatureBegin)) return [];
  let inFrame = false;
  let isHead = false;
  return lines.map((line) => {
    if (line === signedBegin) inFrame = isHead = true;
    else if (line === signatureBegin) inFrame = true;
    const isOfFrame = inFrame;
    // An empty line ends the head.
    if (line === "-----END PGP SIGNATURE-----" || (isHead && line === "")) inFrame = isHead = false;
    return isOfFrame;
  });
}

const signedBegin = "-----BEGIN PGP SIGNED MESSAGE-----";
const signatureBegin = "-----BEGIN PGP SIGNATURE-----";

/** More lines than this below a separator are text: some newsletters divide their parts with it. */
const maxSeparatedLines = 50;

/**
 * Index of the first separator of RFC 3676, section 4.3, that has a signature below it, or -1. It stands without the
 * blank at its end, which some clients remove.
 */
function separatorIn(lines: readonly string[]): number {
  let found = -1;
  let below = 0;
  for (let n = lines.length - 1; n >= 0 && below <= maxSeparatedLines; n--) {
    if (lines[n] === "--") found = n;
    else if (!isBlank(lines[n])) below++;
  }
  return found;
}

/** "I attach the invoice for May." below "Many thanks": then it is no signature. */
const isSentence = (line = ""): boolean =>
  line.split(" ", 6).length > 5 && /[.!?。！？]$/.test(line);

/** The postscript below line `from`, to the next empty line; null if there is none. */
export function postscriptIn(
  lines: readonly string[],
  from: number,
): { from: number; to: number } | null {
  let start = from + 1;
  while (start < lines.length && !postscript.test(lines[start])) start++;
  if (start >= lines.length) return null;
  const end = lines.findIndex((line, n) => n > start && isBlank(line));
  return { from: start, to: end < 0 ? lines.length : end };
}

/** Most lines have none of these; {@link appOnPhone} costs more. */
const appHints = /ios|android|ip[ah]|sender/i;

/** "Sent from my iPhone", and no sentence such as "Sent from the workshop this morning: two chairs". */
function isOfPhone(line: string): boolean {
  // Some apps write characters without width around their line.
  const bare = line.replace(/^[\s(<[*_\u200b-\u200f\u2060-\u2064\ufeff]{1,20}/, "");
  // The mark of Streak.
  if (bare === "\u1427") return true;
  if (bare.length <= 80 && appHints.test(bare) && appOnPhone.test(bare)) return true;
  if (bare.includes("Proton") && /^.{0,60}Proton ?Mail/.test(bare)) return true;
  const mine = sentFromMine.exec(bare);
  const said = mine ?? sentFrom.exec(bare);
  if (!said) return false;
  const rest = bare.slice(said[0].length);
  const [device, ...excuse] = rest.split(/[,:;.!]\s/);
  if (
    excuse.length > 0 &&
    !/excus|pardon|typo|sorry|brevi|enjoy|entschuldig|tippfehler|kürze|fautes|errat/iu.test(rest)
  ) {
    return false;
  }
  return device.split(" ", 9).length <= 8 &&
    (mine !== null || deviceNames.test(bare));
}

/** One to five short lines, the last one first, that are no sentences, such as a name, a firm and a number. */
function areNames(lines: readonly string[]): boolean {
  return lines.length > 0 && lines.length <= 5 &&
    lines[lines.length - 1].split(" ", 6).length <= 4 &&
    lines.every((line) => line.length <= 60 && !/[.!?:,;。！？]$/.test(line));
}

/**
 * Links alone make a footer of few or of short lines: below a rule of HTML there may be the whole newsletter. Below a
 * `short` rule they make none.
 */
function isListFooter(below: readonly string[], short: boolean): boolean {
  const nearest = below.slice(-5).map(head);
  if (short) return below.length <= 5 && nearest.some((line) => /mailing list|mailman/i.test(line));
  return nearest.some((line) => /mailing list|mailman|unsubscribe/i.test(line)) ||
    (nearest.some((line) => /https?:/i.test(line)) &&
      (below.length <= 4 || below.every((line) => line.length <= 100)));
}

/** A notice may begin in this many paragraphs at the end. */
const noticeParagraphs = 6;
/** A long notice begins further up: the search continues above what was found. */
const noticeSteps = 3;

/** Index of the first line of the notices at the end of `lines`, or null. */
export function noticesAt(lines: readonly string[]): number | null {
  let found: number | null = null;
  for (let step = 0; step < noticeSteps; step++) {
    const above: number | null = noticeIn(found === null ? lines : lines.slice(0, found));
    if (above === null) break;
    found = above;
  }
  return found;
}

/** Of the last paragraphs, the first one that begins like a notice. */
function noticeIn(lines: readonly string[]): number | null {
  const starts: number[] = [];
  for (let n = lines.length - 1; n > 0 && starts.length < noticeParagraphs; n--) {
    if (!isBlank(lines[n]) && isBlank(lines[n - 1])) starts.unshift(n);
  }
  return starts.find((n) => {
    const first = head(lines[n]);
    if (programNotice.test(first)) return true;
    if (!disclaimerStart.test(head(lines.slice(n, n + 8).join(" ")))) return false;
    return confidentialMarks.test(lines.slice(n, n + 60).join(" ").slice(0, 3000));
  }) ?? null;
}

/** The first paragraph if it is a program's notice above a mail from outside; else null. */
export function isBannerAt(lines: readonly string[]): { from: number; to: number } | null {
  const from = lines.findIndex((line) => !isBlank(line));
  if (from < 0 || !outsideBanner.test(head(lines[from]))) return null;
  const end = lines.findIndex((line, n) => n > from && isBlank(line));
  return end < 0 || end - from > 8 ? null : { from, to: end };
}
