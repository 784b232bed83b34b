import { createHash } from "node:crypto";
import { readRow, type StoredRow } from "../../domain/mail/record/email_row.ts";
import { type StoredDetails, withDetails } from "../../domain/mail/record/email_details.ts";
import { readWholeBlob } from "../../domain/store/blobs.ts";
import { Database } from "../../domain/store/database.ts";
import { createLog } from "../../domain/core/log.ts";
import type { Reserved } from "../../domain/billing/usage_counts.ts";
import type { Upload } from "../../domain/uploads/upload.ts";
import type { MailboxStats } from "../../domain/mailboxes/mailbox_stats.ts";

/**
 * Returns the contradictions between emails and uploads, their bytes, their index rows and the counters of a store that
 * nobody writes; `[]` if there are none. It scans every row, without the code under test.
 */
export async function mailDisagreements(kv: Deno.Kv): Promise<string[]> {
  const wrong: string[] = [];
  const log = createLog({ level: "error", format: "json", write: () => {} });
  const database = new Database(kv, { log, exclusive: true });
  const details = new Map(
    (await rows<StoredDetails>(kv, "email_details")).map(({ key, value }) => [
      key.slice(1).join(" "),
      value,
    ]),
  );
  const blobs = new Map<string, number>();
  const bytes = new Map<string, number>();
  const perMailbox = new Map<string, number>();
  const unread = new Map<string, number>();
  const perUser = new Map<string, number>();
  const expected = new Set<string>();
  for (const { key, value } of await rows<StoredRow>(kv, "emails")) {
    const place = key.slice(1).join(" ");
    const stored = details.get(place);
    details.delete(place);
    if (!stored) {
      wrong.push(`emails ${place} has no details`);
      continue;
    }
    const email = withDetails(String(key[1]), readRow(String(key[2]), value), stored);
    const { userId, mailboxId, emailId, threadId, date, raw, importId } = email;
    add(blobs, raw.blobId, 1);
    add(bytes, userId, email.size);
    if (email.direction === "inbound") {
      add(perMailbox, `${userId} ${mailboxId}`, 1);
      if (!email.isRead) add(unread, `${userId} ${mailboxId}`, 1);
      add(perUser, userId, 1);
    }
    expected.add(`emails_by_mailbox ${userId} ${mailboxId} ${emailId}`);
    expected.add(`emails_by_thread ${userId} ${threadId} ${date} ${emailId}`);
    if (importId) expected.add(`emails_imported ${userId} ${mailboxId} ${importId}`);
    const whole = await readWholeBlob(database, raw).catch((error) => String(error));
    if (typeof whole === "string") wrong.push(`${emailId}: ${whole}`);
    else if (createHash("sha256").update(whole).digest("hex") !== raw.sha256) {
      wrong.push(`${emailId}: the bytes do not match its record`);
    }
  }
  for (const { key, value: { content } } of await rows<Upload>(kv, "uploads")) {
    if (!content) continue;
    add(blobs, content.blobId, 1);
    add(bytes, String(key[1]), content.size);
  }
  const found = new Set<string>();
  for (const place of details.keys()) wrong.push(`email_details ${place} has no row`);
  for (const table of ["emails_by_mailbox", "emails_by_thread", "emails_imported"]) {
    for (const { key } of await rows(kv, table)) found.add(key.join(" "));
  }
  for (const row of expected.difference(found)) wrong.push(`${row} is missing`);
  for (const row of found.difference(expected)) wrong.push(`${row} leads nowhere`);
  for await (const { key } of kv.list({ prefix: ["blob_chunks"] }, { batchSize: 50 })) {
    if (!blobs.has(String(key[1]))) wrong.push(`chunk ${key.join(" ")} has no message`);
  }
  const owners = new Map(
    (await rows<number>(kv, "blob_owners")).map(({ key, value }) => [String(key[1]), value]),
  );
  for (const blobId of new Set([...blobs.keys(), ...owners.keys()])) {
    const [recount, stored] = [blobs.get(blobId) ?? 0, owners.get(blobId) ?? 1];
    if (recount !== stored) wrong.push(`blob ${blobId} has ${recount} emails, counted ${stored}`);
  }
  for (const { key } of await rows(kv, "blobs_pending")) wrong.push(`${key.join(" ")} is pending`);
  for (const { key } of await rows(kv, "emails_processing")) {
    wrong.push(`${key.join(" ")} was never processed`);
  }
  for (const { key } of await rows(kv, "jobs_due")) wrong.push(`${key.join(" ")} is still due`);
  for (const { key } of await rows(kv, "jobs_dead")) wrong.push(`${key.join(" ")} is dead`);
  // On a shared store: reserved blocks of shards are counted in advance, and counts of shards are in separate rows.
  for (const { key, value } of await rows<Reserved>(kv, "usage_reserved")) {
    add(bytes, String(key[1]), value.left.storageBytes?.amount ?? 0);
    add(perUser, String(key[1]), value.left.emailsPerMonth?.amount ?? 0);
  }
  for (const { key, value } of await rows<MailboxStats>(kv, "mailbox_stats_lanes")) {
    add(perMailbox, `${String(key[1])} ${String(key[2])}`, -value.emails);
    add(unread, `${String(key[1])} ${String(key[2])}`, -(value.unread ?? 0));
  }
  compare(wrong, "storage", bytes, await rows<number>(kv, "storage"), (value) => value);
  const stats = await rows<MailboxStats>(kv, "mailbox_stats");
  compare(wrong, "mailbox_stats", perMailbox, stats, ({ emails }) => emails);
  compare(wrong, "unread mail", unread, stats, (value) => value.unread ?? 0);
  const used = new Map<string, number>();
  for (const { key, value } of await rows<{ emails?: number }>(kv, "usage")) {
    // In addition to the billing periods there is a row for the day, which restarts.
    if (key[2] !== "today") add(used, String(key[1]), value.emails ?? 0);
  }
  for (const user of new Set([...perUser.keys(), ...used.keys()])) {
    const [recount, stored] = [perUser.get(user) ?? 0, used.get(user) ?? 0];
    if (recount !== stored) wrong.push(`usage of ${user} is ${stored}, a recount gives ${recount}`);
  }
  return wrong;
}

function compare<T>(
  wrong: string[],
  name: string,
  counted: Map<string, number>,
  rows: Deno.KvEntry<T>[],
  value: (row: T) => number,
): void {
  const all = new Map(rows.map((row) => [row.key.slice(1).join(" "), value(row.value)]));
  for (const key of new Set([...counted.keys(), ...all.keys()])) {
    const [recount, stored] = [counted.get(key) ?? 0, all.get(key) ?? 0];
    if (recount !== stored) {
      wrong.push(`${name} of ${key} is ${stored}, a recount gives ${recount}`);
    }
  }
}

function add(map: Map<string, number>, key: string, count: number): void {
  map.set(key, (map.get(key) ?? 0) + count);
}

async function rows<T>(kv: Deno.Kv, table: string): Promise<Deno.KvEntry<T>[]> {
  return await Array.fromAsync(kv.list<T>({ prefix: [table] }, { batchSize: 500 }));
}
