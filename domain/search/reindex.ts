import { readBody } from "../mail/body.ts";
import type { Email } from "../mail/message.ts";
import { indexedEmail } from "../mail/process_email.ts";
import type { Service } from "../service.ts";
import { embedAll } from "./embed_emails.ts";
import * as keys from "../store/keys.ts";

/** Emails given to the index at once: enough to share its commit, few enough to keep memory flat. */
const batchEmails = 64;

/**
 * Rebuilds the search index from the database alone. Emails still waiting to be processed are left to their
 * jobs. Calls `progress` with the number done after every batch; answers the number indexed.
 */
export async function reindex(
  service: Service,
  progress: (done: number) => void = () => {},
): Promise<number> {
  await service.searchIndex.reset();
  await service.semantic?.vectors.reset();
  let batch: Email[] = [];
  let done = 0;
  const flush = async () => {
    const bodies = [];
    for (const email of batch) {
      bodies.push(indexedEmail(email, await readBody(service, email, { remember: false })));
    }
    await service.searchIndex.add(bodies);
    if (service.semantic) await embedAll(service, service.semantic, batch);
    done += batch.length;
    batch = [];
    progress(done);
  };
  for await (
    const { value: email } of service.entries.list<Email>({ prefix: keys.allEmails() }, {
      batchSize: batchEmails,
    })
  ) {
    if (await service.entries.get(keys.mailbox(email.userId, email.mailboxId)) === null) continue;
    batch.push(email);
    if (batch.length === batchEmails) await flush();
  }
  if (batch.length > 0) await flush();
  return done;
}
