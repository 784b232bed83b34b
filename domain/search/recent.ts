import { type Filters, passes } from "../mail/reading/filters.ts";
import type { EmailRow, StoredRow } from "../mail/record/email_row.ts";
import { readableRow } from "../mail/record/read_email.ts";
import type { Address } from "../mail/record/email.ts";
import type { SearchHit } from "../ports/search_index.ts";
import type { Service } from "../core/service.ts";
import { TimeSlices } from "../core/work/time_slices.ts";
import * as keys from "../store/keys.ts";
import { isSmallWord } from "../../fulltext/analysis/term_weights.ts";
import { tokenize } from "../../fulltext/analysis/tokens.ts";

/** How many of an account's newest emails are read. */
const maxEmails = 500;
/** Characters of a row that are read: a row may have 400 recipients, and all rows are read on the main thread. */
const maxRowChars = 2_000;
/** These hits are guesses: their scores are weak (docs/specification.md "Search"). */
const maxScore = 0.49;

/**
 * The search while the full-text index does not answer: the newest emails whose list row (subject, people, the beginning of
 * the text) has words of the query, those with the most words first.
 */
export async function searchRecent(
  service: Service,
  userId: string,
  text: string,
  query: Filters & { mailboxes: Set<string> },
): Promise<SearchHit[]> {
  const words = tokenize(text).map(({ word }) => word);
  const content = words.filter((word) => !isSmallWord(word.text));
  const wanted = new Set((content.length > 0 ? content : words).map(({ stemKey }) => stemKey));
  const hits: SearchHit[] = [];
  const slices = new TimeSlices(service.clock);
  const newest = service.database.list<StoredRow>(
    { prefix: keys.emails(userId) },
    { reverse: true, limit: maxEmails },
  );
  for await (const { key, value } of newest) {
    await slices.next();
    const row = readableRow(service.database, String(key.at(-1)), value);
    if (!row || !query.mailboxes.has(row.mailboxId) || !passes(row, query)) continue;
    const held = new Set(tokenize(rowText(row)).map(({ word }) => word.stemKey));
    const share = wanted.intersection(held).size / wanted.size;
    if (share > 0) hits.push({ emailId: row.emailId, score: maxScore * share });
  }
  return hits.sort((a, b) => b.score - a.score);
}

function rowText({ subject, from, to, cc, parsed }: EmailRow): string {
  const people = [from, ...to, ...cc].map(({ name, address }: Address) => `${name} ${address}`);
  // The recipients last: they are many, or nobody looks for them.
  return [subject, parsed?.snippet ?? "", ...people].join("\n").slice(0, maxRowChars);
}
