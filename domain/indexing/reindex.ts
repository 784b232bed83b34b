import type { Email } from "../mail/record/email.ts";
import type { Service } from "../core/service.ts";
import { describeError } from "../core/log.ts";
import { embeddingModelKey } from "./embedding_model.ts";
import type { Semantic } from "../search/semantic.ts";
import { embedAll } from "./embed_emails.ts";
import type { MailPlace } from "../core/job_kinds.ts";
import type { MailPage } from "./all_mail.ts";
import { indexFiles, indexPage, reindexingKey } from "./rebuild_index.ts";

/**
 * Rebuilds the search index from the database. Emails that are not processed yet are left to their jobs. Calls `progress`
 * with the number done after every batch; returns the number of indexed emails. The texts of their files follow by jobs.
 * If it is killed, the next start rebuilds the index.
 */
export async function reindex(
  service: Service,
  progress: (done: number) => void = () => {},
): Promise<number> {
  const { database } = service;
  await database.transact((tx) => tx.set(reindexingKey(), true));
  await service.searchIndex.reset();
  await service.semantic?.vectors.reset();
  let done = 0;
  let embedded = true;
  for (let after: MailPlace | null = null;;) {
    const { live, last }: MailPage = await indexPage(service, after);
    await database.transact((tx) => indexFiles(tx, service, live));
    // A model of this machine gives the vectors while the service runs.
    if (service.semantic && !service.semantic.backlog && embedded) {
      embedded = await tryToEmbed(service, service.semantic, live);
    }
    done += live.length;
    progress(done);
    if (!last) break;
    after = last;
  }
  await database.transact((tx) => {
    tx.delete(reindexingKey());
    // The next start then embeds all mail in the background, as after a change of the model.
    if (!embedded) tx.delete(embeddingModelKey());
  });
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
