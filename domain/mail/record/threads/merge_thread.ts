import type { Service } from "../../../core/service.ts";
import type { Job } from "../../../store/jobs.ts";
import * as keys from "../../../store/keys.ts";
import { emailRow } from "../read_email.ts";
import { endAbsorbing, resolveThread } from "./thread_aliases.ts";
import { moveToThread } from "../write_email.ts";

/** Moved in one batch: they share commits, and arrivals get their turn between two batches. */
const rowsAtOnce = 32;

/**
 * Moves the messages of a thread that became an alias (docs/specification.md "Threads"). Until it ends, reads follow the
 * alias and read both threads. After a kill the next run moves the rest.
 */
export async function mergeThread(
  { database, jobs }: Pick<Service, "database" | "jobs">,
  job: Job<"merge_thread">,
): Promise<void> {
  const { userId, from } = job.payload;
  const prefix = keys.emailsByThread(userId, from);
  for (;;) {
    const rows = await database.collect({ prefix }, { limit: rowsAtOnce });
    if (rows.length === 0) break;
    await Promise.all(
      rows.map(({ key }) =>
        database.transact(async (tx) => {
          const emailId = String(key.at(-1));
          const row = await emailRow(tx, database, userId, emailId);
          const excerptEnd = await tx.get<string>(key);
          tx.delete(key);
          if (row?.threadId !== from || excerptEnd === null) return;
          moveToThread(tx, userId, row, await resolveThread(tx, userId, from), excerptEnd);
        })
      ),
    );
  }
  await database.transact(async (tx) => {
    await endAbsorbing(tx, userId, from);
    jobs.complete(tx, job);
  });
}
