import type { MailHead } from "../headers/mail_head.ts";
import { bareSubject } from "../headers/subject.ts";
import { type LabelledLine, labelledLine, type Role } from "./header_labels.ts";
import { dated, head, isBlank, unquoted } from "./lines.ts";

/** Lines that are looked at; a block of more fields than this is one without the rest. */
const maxLines = 16;
/** A long list of recipients, or a long subject, takes more lines. */
const maxFolded = 2;

/** What else is known about the place of a block. */
export interface BlockPlace {
  /** A title stands above: then two fields of the lists are enough; `certain` if two of any language are. */
  titled?: boolean | "certain";
  mail?: MailHead | null;
}

/**
 * Index after the header block of an earlier mail that begins at `lines[at]`, or `at` if none does. It may be quoted. The
 * fields may be in any order; the labels are those of the lists, or any if one field has an address, one a time, and one
 * the subject of the mail itself. A journey has "From", "To" and "Date" too, and a form has labels: they have no address
 * behind a label of the lists.
 */
export function headerBlockEnd(
  lines: readonly string[],
  at: number,
  place: BlockPlace = {},
): number {
  const first = fieldAt(lines, at);
  if (first === null || !mayBegin(first, place)) return at;
  const fields = [first];
  let end = at + 1;
  for (let n = end; n < Math.min(lines.length, at + maxLines); n++) {
    const field = fieldAt(lines, n);
    const between = n - end;
    // After an empty or a folded line, only a label of the lists continues the block.
    const continues = field !== null && (between === 0 || field.role !== null);
    if (continues) {
      fields.push(field);
      end = n + 1;
    } else if (between >= maxFolded) break;
  }
  return isHeader(fields, place) ? end : at;
}

function fieldAt(lines: readonly string[], n: number): LabelledLine | null {
  const line = unquoted(head(lines[n]));
  return isBlank(line) ? null : labelledLine(line);
}

const mayBegin = ({ role, value }: LabelledLine, { titled, mail }: BlockPlace) =>
  role !== null || titled || dated.test(value) || isSubject(value, mail?.subject);

const isSubject = (value: string, subject: string | undefined) =>
  !!subject && value.length > 0 && subject.includes(value.slice(-8).trimEnd()) &&
  bareSubject(value) === bareSubject(subject);

function isHeader(fields: readonly LabelledLine[], { titled, mail }: BlockPlace): boolean {
  const roles = new Set<Role>();
  let hasAddress = false;
  for (const { role, value } of fields) {
    if (role === null || role === "other") continue;
    roles.add(role);
    hasAddress ||= role !== "date" && role !== "subject" && value.includes("@");
  }
  const people = roles.has("from") || roles.has("to");
  if (people && (roles.size >= 4 || (roles.size >= 3 && hasAddress))) return true;
  if (titled && people && roles.size >= 2) return true;
  if (titled === "certain") return fields.filter(({ value }) => dated.test(value)).length >= 2;
  if (hasAddress && fields.some(({ role, value }) => role === "date" && isStamp.test(value))) {
    return true;
  }
  return fields.length >= 4 && fields.some(({ value }) => value.includes("@")) &&
    fields.some(({ value }) => !value.includes("@") && dated.test(value)) &&
    fields.some(({ value }) => isSubject(value, mail?.subject));
}

/** A date with seconds and a zone, which programs write and people do not. */
const isStamp = /\d\d:\d\d:\d\d\s{1,2}[+-]\d{4}\b/;
