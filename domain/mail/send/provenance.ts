import type { Service } from "../../core/service.ts";
import { mailboxForm } from "../../mailboxes/address.ts";
import { isListed } from "../../mailboxes/policy/address_patterns.ts";
import type { MailboxPolicy } from "../../mailboxes/policy/policy.ts";
import { type Tx, withoutChecks } from "../../store/transaction.ts";
import * as keys from "../../store/keys.ts";
import { findRoute } from "../receive/find_route.ts";
import { checkedAuthor } from "../record/stored_auth.ts";
import { type EmailRow, hasArrived } from "../record/email_row.ts";
import { emailRow, rowsByIds } from "../record/read_email.ts";
import { findThreadRow } from "../record/threads/thread_aliases.ts";
import { isKnown, normalForm } from "../record/addresses/known_recipients.ts";
import type { Provenance } from "../record/send_output.ts";

/** What the rules of a send use of the service. */
export type Judges = Pick<Service, "database" | "settings" | "clock">;

/** By the address of an author: an email of the thread whose sender's check did not fail. */
export type Writers = ReadonlyMap<string, string>;

export async function provenanceOf(
  tx: Tx,
  service: Judges,
  userId: string,
  policy: MailboxPolicy,
  writers: Writers,
  address: string,
): Promise<Provenance> {
  // Reads without a check are enough: these rows are hardly ever removed.
  const store = withoutChecks(tx);
  const { route } = await findRoute(store, service, mailboxForm(address));
  if (route?.userId === userId) return "own";
  if (await isKnown(tx, userId, address)) return "known";
  const emailId = writers.get(normalForm(address));
  const row = emailId ? await emailRow(store, service.database, userId, emailId) : null;
  if (row && isWrittenBy(row, address)) return "known";
  return isListed(policy.allowRecipients, address) ? "listed" : "new";
}

/** This many of the newest messages of a thread are searched for mail of the recipient. */
const maxThreadRows = 500;

/** Which of `addresses` wrote in the thread. The answered email, `parentId`, counts whatever its age. */
export async function writersOf(
  service: Judges,
  userId: string,
  threadId: string,
  parentId: string,
  addresses: readonly string[],
): Promise<Writers> {
  const { database } = service;
  const found = await findThreadRow(database, userId, threadId);
  const ids = [parentId];
  for (const id of [found.threadId, ...found.thread?.absorbing ?? []]) {
    const places = await database.collect(
      { prefix: keys.emailsByThread(userId, id) },
      { reverse: true, limit: maxThreadRows },
    );
    ids.push(...places.map(({ key }) => String(key.at(-1))));
  }
  const rows = await rowsByIds(database, userId, [...new Set(ids)]);
  return new Map(addresses.flatMap((address) => {
    const row = rows.find((row) => isWrittenBy(row, address));
    return row ? [[normalForm(address), row.emailId]] : [];
  }));
}

/** Received mail of that author whose check has ended and did not fail. Who imports mail could write it too. */
function isWrittenBy(row: EmailRow, address: string): boolean {
  const { auth } = row;
  return hasArrived(row) && auth !== null && auth.verdict !== "fail" &&
    checkedAuthor(row)?.address === normalForm(address);
}
