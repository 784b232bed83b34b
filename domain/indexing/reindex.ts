import { readBody } from "../mail/reading/parsed_bodies.ts";
import type { Email } from "../mail/record/email.ts";
import type { Service } from "../core/service.ts";
import { describeError } from "../core/log.ts";
import { embeddingModelKey } from "./embedding_model.ts";
import type { Semantic } from "../search/semantic.ts";
import { embedAll } from "./embed_emails.ts";
import * as keys from "../store/keys.ts";
import { indexedEmail } from "./indexed_email.ts";

/** Emails added to the index in one commit: few enough to keep memory flat. */
const batchEmails = 64;

/**
 * Rebuilds the search index from the database. Emails that are not processed yet are left to their jobs. Calls `progress`
 * with the number done after every batch; returns the number of indexed emails.
 */
export async function reindex(
  service: Service,
  progress: (done: number) => void = () => {},
): Promise<number> {
  await service.searchIndex.reset();
  await service.semantic?.vectors.reset();
  let batch: Email[] = [];
  let done = 0;
  let embedded = true;
  const flush = async () => {
    const bodies = [];
    for (const email of batch) {
      bodies.push(indexedEmail(email, await readBody(service, email, { remember: false })));
    }
    await service.searchIndex.add(bodies);
    if (service.semantic && embedded) embedded = await tryToEmbed(service, service.semantic, batch);
    done += batch.length;
    batch = [];
    progress(done);
  };
  for await (
    const { value: email } of service.database.list<Email>({ prefix: keys.allEmails() }, {
      batchSize: batchEmails,
    })
  ) {
    if (await service.database.get(keys.mailbox(email.userId, email.mailboxId)) === null) continue;
    batch.push(email);
    if (batch.length === batchEmails) await flush();
  }
  if (batch.length > 0) await flush();
  // The next start then embeds all mail in the background, as after a change of the model.
  if (!embedded) await service.database.transact((tx) => tx.delete(embeddingModelKey()));
  return done;
}

/** Whether the emails were embedded: if the provider is down, only the full-text index is rebuilt. */
async function tryToEmbed(service: Service, semantic: Semantic, emails: Email[]): Promise<boolean> {
  try {
    await embedAll(service, semantic, emails);
    return true;
  } catch (error) {
    service.log.warn("search.reindex_without_vectors", { error: describeError(error) });
    return false;
  }
}
