import type { DatabaseSync } from "node:sqlite";
import { malformed } from "./checksum.ts";
import { prepared } from "./database.ts";
import type { Segment } from "./segment.ts";

/** New documents stay in memory until there are this many; then they become a segment. */
export const flushDocuments = 256;

/** `next`: how many document numbers an account has given, those of removed documents included. */
export interface GivenNumbers {
  next: number;
  /** The number of the first document that is in no segment. */
  flushed: number;
}

/**
 * The document numbers of an account with these segments. Those of its segments follow each other, and the newest
 * documents are in none: a number that has changed in the file fits no other one. Without this check, loops and arrays
 * would be as long as it says.
 *
 * @throws if the numbers do not fit.
 */
export function givenNumbers(
  db: DatabaseSync,
  account: number,
  segments: readonly Segment[],
): GivenNumbers {
  const { next, flushed, last } = prepared(
    db,
    "select next_document as next, flushed, " +
      "(select max(document) from documents where account = ?1) as last from accounts where account = ?1",
  ).get(account) as unknown as GivenNumbers & { last: number | null };
  let end = 0;
  for (const { firstDocument, span } of segments) {
    if (firstDocument !== end || !(span > 0)) throw malformed();
    end += span;
  }
  const isWhole = end === flushed && next >= flushed && next - flushed < flushDocuments &&
    (last ?? -1) < next;
  if (!isWhole) throw malformed();
  return { next, flushed };
}
