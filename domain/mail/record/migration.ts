import type { Database } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Migration } from "../../store/migrations.ts";
import type { Email } from "./email.ts";
import { oneRowOfProcessing } from "./processing_rows.ts";
import { authWithoutCheck } from "./stored_auth.ts";
import { emailRows } from "./write_email.ts";

/** The store puts this many small transactions into one commit, or into several if their rows are large. */
const emailsAtOnce = 50;

/** The steps for the rows of emails. */
export const mailMigrations: readonly Migration[] = [
  { from: 1, to: 2, run: splitRecords },
  { from: 2, to: 3, run: oneRowOfProcessing },
];

/** In schema version 1 the record had everything of an email, and three more rows had what lists and threads show. */
type OldEmail = Omit<Email, "parsed" | "isRead" | "labels" | "automated" | "auth"> & {
  parsed: Omit<NonNullable<Email["parsed"]>, "attachments"> & { excerpt: string } | null;
};

/**
 * The email with the fields that are new since: unread, without labels; of the facts of its header only the envelope is
 * known.
 */
function broughtForward(old: OldEmail): Email {
  const isInbound = old.direction === "inbound";
  const { parsed } = old;
  return {
    ...old,
    isRead: !isInbound,
    labels: [],
    automated: isInbound && old.envelope.from === "",
    auth: isInbound ? authWithoutCheck("none") : null,
    parsed: parsed && { ...parsed, attachments: parsed.attachmentIds.length === 0 ? [] : null },
  };
}

async function splitRecords(database: Database): Promise<void> {
  let page: OldEmail[] = [];
  const split = async () => {
    await Promise.all(page.map((email) => splitRecord(database, email)));
    page = [];
  };
  const all = database.list<unknown>({ prefix: keys.allEmails() }, { batchSize: emailsAtOnce });
  for await (const { value } of all) {
    if (isOldEmail(value)) page.push(value);
    if (page.length === emailsAtOnce) await split();
  }
  await split();
}

async function splitRecord(database: Database, { userId, emailId }: OldEmail): Promise<void> {
  await database.transact(async (tx) => {
    const email = await tx.get<unknown>(keys.email(userId, emailId));
    if (!isOldEmail(email)) return;
    const rows = emailRows(broughtForward(email), email.parsed?.excerpt ?? "");
    for (const { key, value } of rows) tx.set(key, value);
    tx.delete(keys.emailByTime(userId, emailId));
  });
}

/** A new row is text, or an array. */
function isOldEmail(value: unknown): value is OldEmail {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
