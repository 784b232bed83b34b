/**
 * Pure: how a record of the API becomes shorter (docs/specification.md "Budgets"). Lengths are UTF-16 code units of JSON.
 */

/** The length of a value as JSON. */
export function jsonChars(value: unknown): number {
  return JSON.stringify(value).length;
}

type Fields = Record<string, unknown>;

/** Removed first: bodies that the record also has in another form. */
const secondBodies: readonly [field: string, empty: null | ""][] = [
  ["body_html", null],
  ["body_new_text", ""],
];
/** Then lists lose entries from their end, in this order; lists that are not named here come after these. */
const firstLists = [
  ...[
    "delivery",
    "bcc",
    "cc",
    "to",
    "envelope_to",
    "reply_to",
    "references",
    "attachments",
    "attachment_ids",
  ],
  ...["links", "codes"],
];
/** The text has the same words. The last entry is cut, not removed, because it is often the only one. */
const lastList = "segments";
/** A URL without its end is useless. */
const wholeOrNull = ["best_link", "link"];
/** The text is cut last. */
const texts = ["body_text", "body_text_snippet", "snippet"];
/**
 * This much of a text stays, in characters of JSON; instead, header fields are cut if they are longer than the answer.
 */
const leastText = 200;

/** A record that is shorter than before. */
export type Shortened<T> = T & { truncated: true; next_offset?: number };

/**
 * A record whose JSON has at most `room` code units, with `truncated: true`. It loses, in this order and no more than
 * necessary: `body_html`, `body_new_text`, the ends of lists (`segments` last), the end of its text, and if that is not
 * enough the ends of its longest other strings. With `offset`, the position at which its `body_text` begins in the whole,
 * `next_offset` is the position at which the rest begins. Ids, times and numbers stay, so a record cannot become shorter
 * than about 1,500.
 */
export function shorten<T extends object>(
  record: T,
  room: number,
  { offset }: { offset?: number } = {},
): Shortened<T> {
  const short: Fields = { ...record, truncated: true };
  let size = jsonChars(short);
  const set = (field: string, value: unknown) => {
    size += jsonChars(value) - jsonChars(short[field]);
    short[field] = value;
  };
  for (const [field, empty] of secondBodies) {
    if (size > room && short[field]) set(field, empty);
  }
  for (const field of listsOf(short)) {
    if (size <= room) continue;
    const list = short[field] as unknown[];
    const kept = beginning(list, size - room);
    set(field, kept);
    const next = list[kept.length];
    if (field !== lastList || next === undefined) continue;
    const last = cutEntry(next as { text: string }, room - size - (kept.length > 0 ? 1 : 0));
    if (last) set(field, [...kept, last]);
  }
  for (const field of wholeOrNull) {
    if (size > room && short[field]) set(field, null);
  }
  if (size <= room) return short as Shortened<T>;
  const field = texts.find((each) => typeof short[each] === "string");
  const text = field === undefined ? "" : short[field] as string;
  if (field !== undefined) set(field, "");
  const goesOn = field === "body_text" && offset !== undefined;
  // As many digits as `next_offset` can have.
  if (goesOn) short.next_offset = offset + text.length;
  const others = capStrings(short, room - Math.min(leastText, jsonChars(text)));
  if (field === undefined) return others as Shortened<T>;
  const kept = jsonBeginning(text, room - jsonChars(others) + '""'.length);
  others[field] = kept;
  if (goesOn && kept.length < text.length) others.next_offset = offset + kept.length;
  else delete others.next_offset;
  return others as Shortened<T>;
}

function listsOf(record: Fields): string[] {
  const lists = Object.keys(record).filter((field) => Array.isArray(record[field]));
  const unnamed = lists.filter((field) => !firstLists.includes(field) && field !== lastList);
  return [...firstLists, ...unnamed, lastList].filter((field) => lists.includes(field));
}

/** The list without entries at its end that have at least `excess` code units together; empty if all have less. */
function beginning(list: unknown[], excess: number): unknown[] {
  let kept = list.length;
  while (kept > 0 && excess > 0) {
    kept--;
    excess -= jsonChars(list[kept]) + (kept > 0 ? ",".length : 0);
  }
  return list.slice(0, kept);
}

/** The entry with the beginning of its text, so that its JSON has at most `room` code units; null if nothing fits. */
function cutEntry<E extends { text: string }>(entry: E, room: number): E | null {
  const frame = jsonChars({ ...entry, text: "" }) - '""'.length;
  const text = jsonBeginning(entry.text, room - frame);
  return text === "" ? null : { ...entry, text };
}

/** The longest beginning of a text whose JSON has at most `room` code units. It does not end inside a character. */
export function jsonBeginning(text: string, room: number): string {
  let left = room - '""'.length;
  let end = 0;
  while (end < text.length) {
    const code = text.codePointAt(end)!;
    left -= charCost(code);
    if (left < 0) break;
    end += code > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** The length of a character in JSON. */
function charCost(code: number): number {
  if (code > 0xffff) return 2;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x20) return "\b\t\n\f\r".includes(String.fromCharCode(code)) ? 2 : 6;
  return code >= 0xd800 && code <= 0xdfff ? 6 : 1;
}

/** Fields that stay whole: ids, times, words of an enumeration and short codes. */
const opaque = /^[\w.:-]{0,40}$/;

/** The record with its longest strings cut to one length, the largest at which its JSON has at most `room` code units. */
function capStrings(record: Fields, room: number): Fields {
  if (jsonChars(record) <= room) return record;
  let [fits, tooLong] = [0, 1_024];
  while (tooLong - fits > 1) {
    const cap = (fits + tooLong) >> 1;
    if (jsonChars(capped(record, cap)) <= room) fits = cap;
    else tooLong = cap;
  }
  return capped(record, fits) as Fields;
}

function capped(value: unknown, cap: number): unknown {
  if (typeof value === "string") return opaque.test(value) ? value : jsonBeginning(value, cap + 2);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => capped(each, cap));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, capped(each, cap)]));
}
