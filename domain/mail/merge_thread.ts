import type { Service } from "../service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import type { Email, EmailRow } from "./message.ts";
import type { MergeThread } from "./store_email.ts";
import { resolveThread } from "./threads.ts";
import { writeEmail } from "./store_email.ts";

/** Moves the messages of a thread that became an alias; reads resolve the alias meanwhile (DECISIONS.md 6). */
export async function mergeThread(service: Service, job: Job<MergeThread>): Promise<void> {
  const { userId, from } = job.payload;
  for await (
    const entry of service.entries.list<EmailRow>({ prefix: keys.emailsByThread(userId, from) }, {
      batchSize: 100,
    })
  ) {
    const { emailId } = entry.value;
    await service.entries.transact(async (tx) => {
      const email = await tx.get<Email>(keys.email(userId, emailId));
      tx.delete(entry.key);
      if (!email || email.threadId !== from) return;
      writeEmail(tx, { ...email, threadId: await resolveThread(tx, userId, from) });
    });
  }
  await service.entries.transact((tx) => service.jobs.complete(tx, job));
}
