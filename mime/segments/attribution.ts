import { endsInName, endsInWrote, wrotePatterns } from "./announcement_words.ts";
import { endsInColon, isBlank, isQuoted, maxLineChars } from "./lines.ts";

/** Where an attribution begins. */
export interface AttributionStart {
  line: number;
  /** Characters of the writer before it, in that line: "Yes. On 3 May 2026, Ann wrote:". */
  column: number;
}

/** Programs break their attribution into at most this many lines, an empty one included. */
const maxBroken = 5;

/**
 * The attribution that ends with `lines[end]`, which {@link mayEndAttribution}: "On 3 May 2026, Ann <ann@example.com>
 * wrote:", ">>> Ann 5/3/26 >>>". Null if there is none. `top` is the first line that may belong to it. Which lines it has
 * is seen from its end: one above belongs to it if the date, the person or the bracket of the address would else lack.
 * In doubt a line is the writer's.
 */
export function attributionStart(
  lines: readonly string[],
  end: number,
  top: number,
): AttributionStart | null {
  const quoted = isQuotedBelow(lines, end + 1);
  if (!quoted && !mayAnnounce(lines, end - maxBroken + 1, end + 1)) return null;
  let joined = "";
  let fallback: AttributionStart | null = null;
  for (let n = end; n >= Math.max(top, end - maxBroken + 1); n--) {
    const line = lines[n].trim();
    const above = lines[n - 1] ?? "";
    if (line === "" && (!isInBracket(joined) || isBlank(above))) break;
    if (isQuoted(line) && (n < end || !mayStand(line, above))) break;
    const below = joined;
    joined = `${line} ${joined}`.trim();
    if (joined.length > maxLineChars) break;
    if (n < end && !isInBracket(below) && endsSentence(line)) break;
    const inner = innerStart(line);
    const whole = inner > 0 ? joined.slice(inner) : joined;
    if (inner > 0 && isComplete(whole) && announces(whole, quoted)) {
      return { line: n, column: lines[n].indexOf(line) + inner };
    }
    if (isComplete(joined) && (n === end || opens(line))) {
      return announces(joined, quoted) ? { line: n, column: 0 } : null;
    }
    // "On Friday, 3 May 2026 at 16:45,", "Ann thought:".
    const isDated = quoted && !hasDate(below) && opens(line) && hasDate(joined) && time.test(line);
    if ((n === end || isInBracket(below) || isDated) && announces(joined, quoted)) {
      fallback = { line: n, column: 0 };
    }
  }
  return fallback;
}

/** Whether the line ends as attributions do, so that {@link attributionStart} can say something about it. */
export function mayEndAttribution(line: string): boolean {
  const last = line.charCodeAt(line.length - 1);
  if (line.length > maxLineChars) return endsInColon(line);
  // ">": GroupWise's mark, or an address. "-": a rule behind words.
  if (last === 0x3e) return line.endsWith(">>>") ? line.length > 9 : line.includes("@");
  if (last === 0x2d) return /\p{L}\)?\s?-{2,8}$/u.test(line);
  return endsInColon(line) || (line.includes("@") && endsInWrote.test(line.slice(-maxVerb)));
}

/** No word for "wrote" is longer, with what may stand behind it. */
const maxVerb = 30;

/** A sign that cheaply rules out most lines that end in a colon. */
function mayAnnounce(lines: readonly string[], from: number, to: number): boolean {
  for (let n = to - 1; n >= Math.max(0, from) && lines[n] !== ""; n--) {
    if (lines[n].includes("@") || /\d[:.]\d\d/.test(lines[n])) return true;
  }
  return false;
}

/** Of lines with the mark of a quote, the end of the bracket of an address, "> wrote:", and GroupWise's. */
const mayStand = (line: string, above: string) =>
  /^>{3}\s.*>{3}$/.test(line) ||
  (/<[^<>]{0,200}$|^mailto:|@\S{1,200}$/.test(above) && /^>[^<>]*[:：]$/.test(line));

const isQuotedBelow = (lines: readonly string[], from: number) => {
  const next = lines.slice(from, from + 3).find((line) => !isBlank(line));
  return next !== undefined && isQuoted(next);
};

/** A time of the day. */
const time = /\p{Nd}[:.：時时시]\s?\p{Nd}{1,2}(?!\p{Nd})/u;
const year = /(?<!\p{Nd})(?:(?:19|20|25|14|57)\p{Nd}\p{Nd}|[٠-٩۰-۹]{4})(?!\p{Nd})/u;
/** A date in numbers, or of East Asia. */
const numbers = /\p{Nd}{1,4}(?:[./-]\s?|\s?[年년]\s?)\p{Nd}{1,2}(?:[./-]\s?\p{Nd}{1,4}|\s?[月월])/u;
/** A number that may be that of a day: no part of a time or of a zone. */
const day = /(?<![\p{Nd}:.+-])\p{Nd}{1,2}(?![\p{Nd}:]|\.\p{Nd})/u;
const address = /<[^<>]{0,200}>|[^\s<>()[\]]{1,100}@[^\s<>()[\]]{1,100}/gu;
const closed = /[\])>]\s{0,3}(?:-\s?)?[:：][\u200e\u200f\u202a-\u202e]{0,3}$|@\S{1,200}[:：]$/u;

function hasDate(text: string): boolean {
  if (!/\p{Nd}/u.test(text)) return false;
  const bare = text.includes("@") || text.includes("<") ? text.replace(address, " ") : text;
  return numbers.test(bare) || (day.test(bare) && (year.test(bare) || time.test(bare)));
}

/** A day, and a person or "wrote": what an attribution says. */
const isComplete = (text: string) =>
  !isInBracket(text) && hasDate(text) && (text.includes("@") || wrotePatterns.test(text));

/** True if the bracket of the address begins above. */
function isInBracket(text: string): boolean {
  if (text.startsWith(">>")) return false;
  if (/^[<>([]|^mailto:/.test(text)) return true;
  const close = text.indexOf(">");
  const open = text.indexOf("<");
  return close >= 0 && (open < 0 || close < open);
}

/** "Bring three chairs." Abbreviations of a day or a month end in a full stop as well: "9 nov." */
const endsSentence = (line: string) =>
  /[!?。！？…]$/.test(line) ||
  (line.endsWith(".") && !/\p{Nd}\.?(?:\s(?:de\s)?\p{L}{1,9})?\.$|@/u.test(line));

/** A date after at most five words, a time before it, or a name and its address. */
const opens = (line: string) =>
  /^["'“”«»([*_>\u200e\u200f\u202a-\u202c-]{0,10}\s?(?:[^\s\p{Nd}<>@:]{1,14}\s{1,3}){0,5}(?:\p{Nd}{1,2}[:.]\p{Nd}\p{Nd}\S{0,4}\s)?[([]?\p{Nd}{1,4}(?![\p{Nd}:])|^\p{Nd}{1,2}:\p{Nd}\p{Nd}/u
    .test(line) ||
  /^(?:[^\s@<\p{Nd}]{1,30}\s{1,3}){0,6}[<([]{1,2}[^\s<>@]{1,80}@|^[^\s@]{1,80}@/u.test(line);

/** Whether the joined lines say so. Above marks of a quote two signs are enough; else it is a person, a day and a time. */
function announces(text: string, quoted: boolean): boolean {
  const wrote = wrotePatterns.test(text);
  const person = text.includes("@");
  if (text.startsWith(">>") || text.endsWith(">>>")) {
    return text.endsWith(">>>") && (person || (hasDate(text) && time.test(text)));
  }
  if (text.endsWith("-")) {
    const inner = text.replace(/^[-\s]{1,80}|[-\s]{1,80}$/g, "");
    return text.endsWith("--") && endsInWrote.test(inner) &&
      (quoted || (hasDate(inner) && time.test(inner)));
  }
  if (!endsInColon(text)) {
    const isWhole = person && hasDate(text);
    return isWhole && (quoted || time.test(text)) && (quoted || wrote) &&
      (endsInWrote.test(text) || opensWithDate.test(text));
  }
  if (quoted) return wrote || person || time.test(text) || year.test(text);
  // A sentence of the writer has more words behind "wrote", or before the day or the person.
  if (!opens(text) || !(closed.test(text) || endsInName.test(text) || endsInNumber.test(text))) {
    return false;
  }
  if (wrote && time.test(text)) {
    // A sentence ends before the date; "9. November" and "4:45 p.m. Ann" end none.
    return person || (hasDate(text) && !/\p{L}{3}[.!?] \p{Lu}/u.test(text));
  }
  if (wrote && person) return hasDate(text) || endsInWrote.test(text);
  // A time, a name and an address at the end: Yandex and Mail.ru in any language.
  // A log has "pump@hall3".
  return hostWithDot.test(text) && hasDate(text) && time.test(text) && closed.test(text);
}

const hostWithDot = /@[^\s<>@]{1,200}\.[\p{L}\p{N}]{2}/u;
const endsInNumber = /\p{Nd}[^\p{Nd}]{0,10}[:：]$/u;
const opensWithDate = /^["(]?\p{Nd}{1,4}[./年-]/u;

const opener =
  "[\u200e\u200f\u202a-\u202e]?(?:On|Am|Le|El|Il giorno|Il|Em|Op|Den|På|Dne|Dňa|W dniu|Dnia|La data|În|Pe|Στις|Vào|Pada|Dana|U|เมื่อ|בתאריך|في)\\s";
export const startsOpened = new RegExp(`^${opener}`, "u");
/** Words before the date of an attribution, in a line of the writer. */
export const openers = new RegExp(
  `[\\s.!?…。！？)\\]-](?=${opener}(?:\\p{L}[^\\s\\p{Nd}]{0,12}\\s{1,2}){0,3}\\p{Nd})`,
  "gu",
);
/** The end of a sentence of the writer, before a date, or a name with an address. */
const sentenceEnds =
  /(?:[\p{L}\p{M}]{2}\.\s|[!?…。！？])\s{0,2}(?=(?:[\p{L}\p{M}]{1,12}[.,]{0,2}\s){0,2}\p{Nd}{1,4}(?:[./-]\s?\p{Nd}|[年년.]|\.?\s[\p{L}\p{M}]{2})|[\p{Lu}\p{Lo}"][^<>@.!?]{1,60}<[^\s<>]{1,80}@)/gu;

/** The column at which an attribution begins behind words of the writer; 0 if none does. */
function innerStart(line: string): number {
  if (line.length < 30 || !/\p{Nd}/u.test(line)) return 0;
  for (const { index } of line.matchAll(openers)) {
    if (hasWords(line.slice(0, index + 1)) && hasDate(line.slice(index + 1))) return index + 1;
  }
  if (startsOpened.test(line)) return 0;
  for (const found of line.matchAll(sentenceEnds)) {
    const index = found.index + found[0].length;
    const before = line.slice(0, index).trim();
    const isDay = dayOfWeek.test(before) && /^\p{Nd}/u.test(line.slice(index));
    if (!isDay && !/[\p{Nd}@]/u.test(before) && hasDate(line.slice(index))) return index;
  }
  return 0;
}

/** "man. 9. nov.": with what attributions begin in Danish, Norwegian, Swedish, German, French, English and others. */
const dayOfWeek =
  /^(?:man|tirs?|ons|tors?|fre|lør|lau|søn|mån|tis|lör|sön|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mon|tues?|wed|thu|thurs?|fri|sat|sun|mié|jue|vie|sáb|dom|gio|sab|seg|ter|qua|qui|sex|pon|wt|śr|czw|pt|sob|niedz)\.$/iu;

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);
