import type { BlobRef } from "../../core/blob_ref.ts";
import { damaged, skipDamaged } from "../../core/work/skip_damaged.ts";
import type { Database, Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Email } from "./email.ts";
import { rawOf, type StoredDetails, withDetails } from "./email_details.ts";
import { type EmailRow, readRow, type StoredRow } from "./email_row.ts";

/** The email of an account; null if there is none, or its rows are damaged. */
export async function storedEmail(
  store: Pick<Tx, "get">,
  userId: string,
  emailId: string,
): Promise<Email | null> {
  const [row, details] = await Promise.all([
    store.get<StoredRow>(keys.email(userId, emailId)),
    store.get<StoredDetails>(keys.emailDetails(userId, emailId)),
  ]);
  if (row === null || details === null) return null;
  try {
    return withDetails(userId, readRow(emailId, row), details);
  } catch {
    // A list has logged the row: it shows no damaged one.
    return null;
  }
}

/** The bytes of an email whose row is damaged, of an unknown size; null if its details are damaged too. */
export async function rawOfDamaged(
  store: Pick<Tx, "get">,
  userId: string,
  emailId: string,
): Promise<BlobRef | null> {
  const details = await store.get<StoredDetails>(keys.emailDetails(userId, emailId));
  try {
    return details === null ? null : rawOf(emailId, 0, details);
  } catch {
    return null;
  }
}

/** The row of an email; null, with a line in the log, if it is damaged. */
export function readableRow(
  { log }: Pick<Database, "log">,
  emailId: string,
  stored: StoredRow,
): EmailRow | null {
  try {
    return readRow(emailId, stored);
  } catch (error) {
    return damaged(log, { table: "emails", id: emailId }, error);
  }
}

/** The row of an email; null if there is none, or, with a line in the log, if it is damaged. */
export async function emailRow(
  store: Pick<Tx, "get">,
  database: Pick<Database, "log">,
  userId: string,
  emailId: string,
): Promise<EmailRow | null> {
  const stored = await store.get<StoredRow>(keys.email(userId, emailId));
  return stored === null ? null : readableRow(database, emailId, stored);
}

/** The whole emails of rows that were read, without those that are gone meanwhile or damaged. */
export async function emailsOfRows(
  database: Pick<Database, "getMany" | "log">,
  entries: readonly Deno.KvEntry<StoredRow>[],
): Promise<Email[]> {
  const ids = entries.map(({ key }) => ({ userId: String(key[1]), emailId: String(key[2]) }));
  const details = await database.getMany<StoredDetails>(
    ids.map(({ userId, emailId }) => keys.emailDetails(userId, emailId)),
  );
  return entries.flatMap(({ value }, n) => {
    const stored = details[n];
    if (stored === null) return [];
    const { userId, emailId } = ids[n];
    const read = () => withDetails(userId, readRow(emailId, value), stored);
    return skipDamaged(database.log, { table: "emails", id: emailId }, read) ?? [];
  });
}

/** The sending status of the rows of sent mail, by email id. */
export async function sendStatuses(
  database: Pick<Database, "getMany" | "log">,
  userId: string,
  rows: readonly EmailRow[],
): Promise<Map<string, NonNullable<Email["status"]>>> {
  const sent = rows.filter(({ direction }) => direction === "outbound");
  const details = await database.getMany<StoredDetails>(
    sent.map(({ emailId }) => keys.emailDetails(userId, emailId)),
  );
  return new Map(sent.flatMap((row, n) => {
    const stored = details[n];
    const about = { table: "email_details", id: row.emailId };
    const read = () => stored === null ? undefined : withDetails(userId, row, stored).status;
    const status = skipDamaged(database.log, about, read);
    return status ? [[row.emailId, status]] : [];
  }));
}

/** The keys that `storedEmail` reads. */
export function storedEmailKeys(userId: string, emailId: string): Deno.KvKey[] {
  return [keys.email(userId, emailId), keys.emailDetails(userId, emailId)];
}

/** The rows of those emails that exist and are not damaged, in the order of the ids. */
export async function rowsByIds(
  database: Pick<Database, "getMany" | "log">,
  userId: string,
  emailIds: readonly string[],
): Promise<EmailRow[]> {
  const rows = await database.getMany<StoredRow>(emailIds.map((id) => keys.email(userId, id)));
  return rows.flatMap((row, n) =>
    row === null ? [] : readableRow(database, emailIds[n], row) ?? []
  );
}
