import { isBlocked, isListed } from "./address_patterns.ts";
import type { MailboxPolicy } from "./policy.ts";

/** Whose mail a mailbox accepts: the part of its policy that arrivals need. */
export type SenderLists = Pick<MailboxPolicy, "allowSenders" | "blockSenders">;

/** The addresses that a message names as its sender. They are not checked yet. */
export interface WrittenSender {
  /** RFC 5321 reverse path; "" is the null sender. */
  reversePath: string;
  /** Every address of every From field. */
  authors: readonly string[];
  /** The header has more authors than `authors`. */
  authorsCut: boolean;
}

/**
 * Whether the envelope alone is enough to refuse mail. `allowSenders` is not asked: its addresses are authors, and many
 * honest messages have another reverse path than their From.
 */
export function blocksReversePath({ blockSenders }: SenderLists, reversePath: string): boolean {
  return reversePath !== "" && isBlocked(blockSenders, reversePath);
}

/**
 * Whether the lists refuse a message: the reverse path or one author is blocked, or `allowSenders` has entries and not
 * every author is among them. A message without an author, or with more authors than are read, is not on a list.
 */
export function refusesSender(lists: SenderLists, sender: WrittenSender): boolean {
  const { allowSenders, blockSenders } = lists;
  const { reversePath, authors, authorsCut } = sender;
  if (blocksReversePath(lists, reversePath)) return true;
  if (authors.some((author) => isBlocked(blockSenders, author))) return true;
  if (allowSenders.length === 0) return false;
  return authors.length === 0 || authorsCut ||
    !authors.every((author) => isListed(allowSenders, author));
}
