import type { DatabaseSync } from "node:sqlite";
import { malformed } from "./checksum.ts";
import { prepared } from "./database.ts";

/** New documents stay in memory until there are this many; then they become a segment. */
export const flushDocuments = 256;

type Numbers = { next: number; flushed: number; last: number | null };

/**
 * How many document numbers an account has given, those of removed documents included. The numbers of its segments follow
 * each other, and the newest documents are in none: a number that has changed in the file fits no other one. Without this
 * check, loops and arrays would be as long as it says.
 *
 * @throws if the numbers do not fit.
 */
export function givenNumbers(db: DatabaseSync, account: number): number {
  const { next, flushed, last } = prepared(
    db,
    "select next_document as next, flushed, " +
      "(select max(document) from documents where account = ?1) as last from accounts where account = ?1",
  ).get(account) as Numbers;
  const segments = prepared(
    db,
    "select first_document as first, span from segments where account = ? order by first_document",
  ).all(account) as { first: number; span: number }[];
  let end = 0;
  for (const { first, span } of segments) {
    if (first !== end || !(span > 0)) throw malformed();
    end += span;
  }
  const isWhole = end === flushed && next >= flushed && next - flushed < flushDocuments &&
    (last ?? -1) < next;
  if (!isWhole) throw malformed();
  return next;
}
