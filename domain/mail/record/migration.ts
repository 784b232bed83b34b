import type { Database } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Migration } from "../../store/migrations.ts";
import type { Email } from "./email.ts";
import { rewriteRows } from "./write_email.ts";

/** The store puts so many small transactions into one commit, or into several if their rows are large. */
const emailsAtOnce = 50;

/** The steps for the rows of emails. */
export const mailMigrations: readonly Migration[] = [
  // The index rows of a store of development have older forms, which `readRow` cannot read.
  { from: 0, to: 1, run: rewriteAllRows },
];

async function rewriteAllRows(database: Database): Promise<void> {
  let page: Email[] = [];
  const rewrite = async () => {
    await Promise.all(
      page.map(({ userId, emailId }) =>
        database.transact((tx) => rewriteRows(tx, userId, emailId))
      ),
    );
    page = [];
  };
  const all = database.list<Email>({ prefix: keys.allEmails() }, { batchSize: emailsAtOnce });
  for await (const { value } of all) {
    page.push(value);
    if (page.length === emailsAtOnce) await rewrite();
  }
  await rewrite();
}
