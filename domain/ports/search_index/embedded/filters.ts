import { hash48 } from "../../../search/term_key.ts";
import type { SearchFilters } from "../port.ts";
import type { Account } from "./account.ts";
import { prepared } from "./database.ts";

/** Which documents may be found: 1 for each that passes the filters. */
export function allowedDocuments(account: Account, filters: SearchFilters): Uint8Array {
  const { columns } = account;
  const allowed = columns.isLive.slice(0, columns.size);
  const keep = (column: ArrayLike<number>, passes: (value: number) => boolean) => {
    for (let n = 0; n < allowed.length; n++) if (allowed[n] && !passes(column[n])) allowed[n] = 0;
  };
  const { mailboxIds, from, to, subject, dateFromMs, dateToMs } = filters;
  if (dateFromMs !== undefined) keep(columns.dateMs, (dateMs) => dateMs >= dateFromMs);
  if (dateToMs !== undefined) keep(columns.dateMs, (dateMs) => dateMs <= dateToMs);
  if (mailboxIds) {
    const mailboxes = new Set(mailboxIds.map(hash48));
    keep(columns.mailbox, (mailbox) => mailboxes.has(mailbox));
  }
  for (
    const [part, column] of [
      [from, columns.sender],
      [to, columns.recipients],
      [subject, columns.subject],
    ] as const
  ) {
    if (!part) continue;
    const phrases = phrasesWith(account, part);
    keep(column, (phrase) => phrases.has(phrase));
  }
  return allowed;
}

/** The phrases of an account that contain a text; one string, for a row a phrase is slow. */
function phrasesWith({ db, account }: Account, part: string): Set<number> {
  const { found } = prepared(
    db,
    "select group_concat(phrase) as found from phrases where account = ? and instr(text, ?)",
  ).get(account, part.toLowerCase()) as { found: string | null };
  return new Set(found ? found.split(",").map(Number) : []);
}
