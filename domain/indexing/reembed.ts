import type { MailPlace } from "../core/job_kinds.ts";
import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import { deletedOf, pageOfAllMail } from "./all_mail.ts";
import { embedBacklog, followBacklog } from "./embed_backlog.ts";
import { embedAll } from "./embed_emails.ts";
import { type EmbeddingModel, embeddingModelKey } from "./embedding_model.ts";

const batchEmails = 32;

/**
 * Called at the start. If the model changed since the last start, adds the job that gives all mail vectors of the new model.
 * Searches meanwhile compare only vectors of the new model; lexical search finds mail without one.
 */
export async function followModel(service: Service): Promise<void> {
  const { semantic } = service;
  if (!semantic) return;
  if (semantic.backlog) return await followBacklog(service, semantic);
  const { model } = semantic.embedder;
  await service.database.transact(async (tx) => {
    const known = await tx.get<EmbeddingModel>(embeddingModelKey());
    if (known?.model === model) return;
    tx.set(embeddingModelKey(), { model, dimensions: null } satisfies EmbeddingModel);
    service.jobs.add(tx, "reembed", { model, after: null });
    service.log.info("search.model_changed", { from: known?.model ?? null, to: model });
  });
}

/** Embeds one batch of all mail, and adds the job of the next batch. */
export async function reembed(service: Service, job: Job<"reembed">): Promise<void> {
  const { semantic, database } = service;
  const { model, after } = job.payload;
  let last: MailPlace | null = null;
  if (semantic && semantic.embedder.model === model) {
    if (semantic.backlog) return await embedBacklog(service, semantic, semantic.backlog, job);
    const page = await pageOfAllMail(service, after, batchEmails);
    await embedAll(service, semantic, page.live);
    for (const { userId, emailId } of await deletedOf(service, page.live)) {
      await semantic.vectors.remove(userId, [emailId]);
    }
    last = page.last;
  }
  await database.transact((tx) => {
    service.jobs.complete(tx, job);
    if (last) service.jobs.add(tx, "reembed", { model, after: last });
  });
}
