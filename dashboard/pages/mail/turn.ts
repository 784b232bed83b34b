import { mailboxes } from "../../state.ts";
import type { ThreadItem } from "../../types.ts";

/** Whose turn it is after the newest message that no program wrote; null: nobody's. The service says it in lists of threads. */
export function turnAfter(items: readonly ThreadItem[]): "us" | "them" | null {
  const newest = items.findLast(({ automated }) => !automated);
  if (!newest) return null;
  const { direction, from, to, delivered_to, auth_verdict } = newest;
  if (direction === "inbound") return isOwn(from) && auth_verdict === "pass" ? null : "us";
  return delivered_to && to.every(isOwn) ? null : "them";
}

/** Whether it is the address of a mailbox, with a tag or without. */
function isOwn(address: string): boolean {
  const bare = address.toLowerCase().replace(/\+[^@]*@/, "@");
  return mailboxes.value.some(({ email_address }) => email_address === bare);
}
