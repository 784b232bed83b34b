import type { MailPlace } from "../core/job_kinds.ts";
import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import { pageOfAllMail } from "./all_mail.ts";
import { embedAll } from "./embed_emails.ts";
import { type EmbeddingModel, embeddingModelKey } from "./embedding_model.ts";

const batchEmails = 32;

/**
 * To be called at the start: where the model is another than last time, a job begins to give
 * all mail vectors of the new one. Searches go on meanwhile and compare only vectors of the
 * new model; what has none yet is found by its words.
 */
export async function followModel(service: Service): Promise<void> {
  if (!service.semantic) return;
  const { model } = service.semantic.embedder;
  await service.database.transact(async (tx) => {
    const known = await tx.get<EmbeddingModel>(embeddingModelKey());
    if (known?.model === model) return;
    tx.set(embeddingModelKey(), { model, dimensions: null } satisfies EmbeddingModel);
    service.jobs.add(tx, "reembed", { model, after: null });
    service.log.info("search.model_changed", { from: known?.model ?? null, to: model });
  });
}

/** One step of the way through all mail; the next step is a job of its own. */
export async function reembed(service: Service, job: Job<"reembed">): Promise<void> {
  const { semantic, database } = service;
  const { model, after } = job.payload;
  let last: MailPlace | null = null;
  if (semantic && semantic.embedder.model === model) {
    const page = await pageOfAllMail(service, after, batchEmails);
    await embedAll(service, semantic, page.live);
    last = page.last;
  }
  await database.transact((tx) => {
    service.jobs.complete(tx, job);
    if (last) service.jobs.add(tx, "reembed", { model, after: last });
  });
}
