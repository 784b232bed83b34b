import type { Database } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Migration } from "../../store/migrations.ts";
import { oneRowOfProcessing } from "../record/processing_rows.ts";
import { readableRow, storedEmail } from "../record/read_email.ts";
import type { StoredRow } from "../record/email_row.ts";
import { type Expectation, writeMet, writeOpen } from "../work/expectation.ts";
import { type KnownRecipient, rowOf } from "../record/addresses/known_recipients.ts";

/** Stores that the service wrote during development: expectations without lists, known recipients without addresses. */
export const developmentStores: Migration = {
  from: 2,
  to: 3,
  async run(database, now) {
    await oneRowOfProcessing(database, now);
    for await (const { key: [, id] } of database.list({ prefix: keys.users() })) {
      const userId = String(id);
      await listExpectations(database, userId, now);
      await nameKnownRecipients(database, userId);
    }
  },
};

/** Expectations had no lists of the open ones and of the emails that met one, and stayed as deleted rows. */
type OldExpectation = Expectation & { isListed?: true; isDeleted?: true };

async function listExpectations(database: Database, userId: string, now: number): Promise<void> {
  const rows = await database.collect<OldExpectation>({ prefix: keys.expectations(userId) });
  for (const { key } of rows.filter(({ value }) => !value.isListed)) {
    await database.transact(async (tx) => {
      const current = await tx.get<OldExpectation>(key);
      if (!current) return;
      const { isDeleted, ...expectation } = current;
      if (expectation.met) writeMet(tx, userId, expectation, expectation.met, now);
      else writeOpen(tx, userId, expectation, now);
      if (isDeleted) tx.delete(key);
    });
  }
}

/**
 * A known recipient was the hash of an address alone. The address is that of mail which was sent there; without such mail
 * the row goes, and the next mail to the address waits for a person.
 */
async function nameKnownRecipients(database: Database, userId: string): Promise<void> {
  const rows = await database.collect<unknown>({ prefix: keys.knownRecipients(userId) });
  const unnamed = new Set(rows.filter(({ value }) => value === 0).map(({ key }) => key.at(-1)));
  if (unnamed.size === 0) return;
  const name = async (key: Deno.KvKey, row: KnownRecipient | null) => {
    unnamed.delete(key.at(-1));
    await database.transact((tx) => row ? tx.set(key, row) : tx.delete(key));
  };
  for await (const { key, value } of database.list<StoredRow>({ prefix: keys.emails(userId) })) {
    const emailId = String(key.at(-1));
    if (readableRow(database, emailId, value)?.direction !== "outbound") continue;
    const email = await storedEmail(database, userId, emailId);
    for (const address of email?.envelope.to ?? []) {
      const known = rowOf(userId, address);
      if (!email || !unnamed.has(known.at(-1))) continue;
      await name(known, { address, knownSince: email.receivedAt, mailboxId: email.mailboxId });
    }
  }
  for (const { key } of rows) if (unnamed.has(key.at(-1))) await name(key, null);
}
