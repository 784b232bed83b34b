import { PersonFilter } from "../analysis/people.ts";
import { hash48 } from "../analysis/term_hash.ts";
import type { SearchFilters } from "../types.ts";
import type { Account } from "./account.ts";

/** A column with 1 for each document that passes the filters, else 0. */
export function allowedDocuments(account: Account, filters: SearchFilters): Uint8Array {
  const { columns } = account;
  const allowed = account.allowed();
  const keep = (column: ArrayLike<number>, passes: (value: number) => boolean) => {
    for (let n = 0; n < allowed.length; n++) if (allowed[n] && !passes(column[n])) allowed[n] = 0;
  };
  const { mailboxIds, from, to, subject, dateFromMs, dateToMs } = filters;
  if (dateFromMs !== undefined) keep(columns.dateMs, (dateMs) => dateMs >= dateFromMs);
  if (dateToMs !== undefined) keep(columns.dateMs, (dateMs) => dateMs <= dateToMs);
  if (mailboxIds) {
    const mailboxes = new Set(mailboxIds.map(hash48));
    if (!columns.areAllOf(mailboxes)) keep(columns.mailbox, (mailbox) => mailboxes.has(mailbox));
  }
  for (const [part, column] of [[from, columns.sender], [to, columns.recipients]] as const) {
    if (!part) continue;
    const filter = new PersonFilter(part.toLowerCase());
    const phrases = account.phrasesWith(
      filter.needle,
      filter.isOfAddress ? (people) => filter.passesOne(people) : undefined,
    );
    keep(column, (phrase) => phrases.get(phrase) > 0);
  }
  if (subject) {
    const phrases = account.phrasesWith(subject.toLowerCase());
    keep(columns.subject, (phrase) => phrases.get(phrase) > 0);
  }
  return allowed;
}
