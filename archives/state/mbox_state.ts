import type { MboxMessage } from "../mbox.ts";
import { folderState, withUnwanted } from "./folders.ts";
import { decodedField, fieldsOf, headOf } from "./head.ts";
import { labelsOf } from "./labels.ts";
import { isUnwanted, type MailState } from "./mail_state.ts";
import { isCategory, markOf } from "./marks.ts";

/**
 * The state of a message in an mbox: the time of its `From ` line, and what its program wrote into the header: Gmail's export
 * X-Gmail-Labels, Thunderbird X-Mozilla-Status, others Status and X-Status.
 */
export function mboxState(
  { line, raw, isThunderbird }: MboxMessage,
  folder: readonly string[],
): MailState {
  const head = raw ? headOf(raw).text : "";
  const [gmail] = fieldsOf(head, "x-gmail-labels");
  if (gmail !== undefined) return { ...gmailState(gmail), receivedAt: timeOfLine(line) };
  const state = { ...folderState(folder), receivedAt: timeOfLine(line) };
  const flags = isThunderbird ? mozillaFlags(head) : statusFlags(head);
  if (!flags) return state;
  const labels = [...flags.isFlagged ? ["flagged"] : [], ...flags.isAnswered ? ["answered"] : []];
  const more = [
    ...flags.isDeleted ? ["trash" as const] : [],
    ...flags.isDraft ? ["drafts" as const] : [],
  ];
  return { ...state, isRead: flags.isRead, ...withUnwanted(state, more, labels) };
}

interface Flags {
  isRead: boolean;
  isFlagged: boolean;
  isAnswered: boolean;
  isDeleted: boolean;
  isDraft: boolean;
}

/** `Status: RO`, `X-Status: AFDT`: read, old; answered, flagged, deleted, a draft. null if it has neither. */
function statusFlags(head: string): Flags | null {
  // Programs write theirs at the end; a sender's own stands above.
  const status = fieldsOf(head, "status").at(-1), more = fieldsOf(head, "x-status").at(-1);
  if (status === undefined && more === undefined) return null;
  const has = (flag: string) => (more ?? "").includes(flag);
  return {
    isRead: (status ?? "").includes("R"),
    isAnswered: has("A"),
    isFlagged: has("F"),
    isDeleted: has("D"),
    isDraft: has("T"),
  };
}

/** The flags of nsMsgMessageFlags; Thunderbird writes its own above all others. */
function mozillaFlags(head: string): Flags | null {
  const flags = parseInt(fieldsOf(head, "x-mozilla-status")[0] ?? "", 16);
  if (Number.isNaN(flags)) return null;
  const has = (bit: number) => (flags & bit) !== 0;
  return {
    isRead: has(0x1),
    isAnswered: has(0x2),
    isFlagged: has(0x4),
    isDeleted: has(0x8),
    isDraft: false,
  };
}

/** Of X-Gmail-Labels that is read, in characters: 32 labels have 2,048. */
const longestField = 8_192;

/** The labels of Gmail's export: a line of CSV, in whole or in part an encoded word. */
function gmailState(field: string): Omit<MailState, "receivedAt"> {
  const labels = labelsInField(decodedField(field.slice(0, longestField))).filter((label) =>
    !isCategory(label)
  );
  const marks = labels.map(markOf);
  const has = (mark: ReturnType<typeof markOf>) => marks.includes(mark);
  const unwanted = [...new Set(marks.filter(isUnwanted))];
  const own = labels.filter((_, n) => marks[n] === null);
  const states = [...has("starred") ? ["flagged"] : [], ...has("important") ? ["important"] : []];
  return {
    isRead: !has("unread"),
    direction: has("sent") ? "outbound" : null,
    labels: labelsOf([...unwanted, ...states, ...own]),
    unwanted,
  };
}

/** A label with a comma stands in quotes (RFC 4180). */
function labelsInField(text: string): string[] {
  const found = text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g);
  return [...found].map(([, quoted, bare]) => (quoted?.replaceAll('""', '"') ?? bare).trim())
    .filter(Boolean);
}

const months = "JanFebMarAprMayJunJulAugSepOctNovDec";

/**
 * The time of `From ada@x.net Fri Nov 20 10:00:00 2026`, in ms since 1970; of UTC, unless it names a zone by its distance. null
 * if it has none.
 */
export function timeOfLine(line: string): number | null {
  const found =
    /\b([A-Z][a-z]{2}) +(\d{1,2}) +(\d{1,2}):(\d{2})(?::(\d{2}))?(?: +([+-]\d{4}|[A-Z]{1,5}))? +(\d{4})(?: +([+-]\d{4}))?/
      .exec(line);
  if (!found) return null;
  const [, month, day, hour, minute, second = "0", before, year, after] = found;
  const at = months.indexOf(month);
  if (at < 0) return null;
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(after ?? before ?? "") ?? [];
  const shift = sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) : 0;
  return Date.UTC(+year, at / 3, +day, +hour, +minute - shift, +second);
}
