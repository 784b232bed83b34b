import type { Service } from "../../core/service.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import type { Email } from "../record/email.ts";
import { endAbsorbing, resolveThread } from "./thread_aliases.ts";
import { writeEmail } from "../record/write_email.ts";

/** Moved at once: they share commits, and arrivals get their turn between two batches. */
const rowsAtOnce = 32;

/**
 * Moves the messages of a thread that became an alias (docs/specification.md "Threads"). Until it ends, reads follow the
 * alias and read both threads. After a kill the next run moves the rest.
 */
export async function mergeThread(service: Service, job: Job<"merge_thread">): Promise<void> {
  const { userId, from } = job.payload;
  const prefix = keys.emailsByThread(userId, from);
  for (;;) {
    const rows = await service.database.collect({ prefix }, { limit: rowsAtOnce });
    if (rows.length === 0) break;
    await Promise.all(
      rows.map(({ key }) =>
        service.database.transact(async (tx) => {
          const email = await tx.get<Email>(keys.email(userId, String(key.at(-1))));
          tx.delete(key);
          if (!email || email.threadId !== from) return;
          writeEmail(tx, { ...email, threadId: await resolveThread(tx, userId, from) });
        })
      ),
    );
  }
  await service.database.transact(async (tx) => {
    await endAbsorbing(tx, userId, from);
    service.jobs.complete(tx, job);
  });
}
