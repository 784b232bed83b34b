import { describeError } from "../core/log.ts";
import type { Service } from "../core/service.ts";
import { storedEmail } from "../mail/record/read_email.ts";
import { EmbeddingsError } from "../ports/embeddings.ts";
import type { Backlog } from "../search/backlog.ts";
import type { Semantic } from "../search/semantic.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { embedAll } from "./embed_emails.ts";
import { type EmbeddingModel, embeddingModelKey } from "./embedding_model.ts";

/** After a piece of work of this length the model rests three times as long: a quarter of a core. */
const restsFor = 3;
/** How long mail that was there before waits for arrivals that have no vectors yet. */
const arrivalsMs = 1_000;

/** Called at the start with a model of this machine: adds the job that gives its vectors to mail that has none. */
export async function followBacklog(service: Service, { embedder }: Semantic): Promise<void> {
  const { model } = embedder;
  const waiting = await service.database.collect<Job>({ prefix: keys.jobsDue() });
  await service.database.transact((tx) => {
    // Vectors of another model are replaced: if that comes back, all mail needs them again.
    tx.set(embeddingModelKey(), { model, dimensions: null } satisfies EmbeddingModel);
    for (const { value } of waiting) if (value.kind === "reembed") service.jobs.complete(tx, value);
    service.jobs.add(tx, "reembed", { model, after: null });
  });
}

/** Embeds one email of the backlog, and adds the job of the next after a rest. */
export async function embedBacklog(
  service: Service,
  semantic: Semantic,
  backlog: Backlog,
  job: Job<"reembed">,
): Promise<void> {
  const { clock, log } = service;
  const { waiting = 0, running = 0 } = service.jobs.counts().get("embed_email") ?? {};
  if (waiting + running > 0) return await again(service, job, clock.now() + arrivalsMs);
  const begunAt = clock.elapsed(), now = clock.now();
  try {
    const next = await backlog.next();
    const left = next && backlog.report(begunAt);
    if (left) log.info("search.vectors_missing", { emails: left, meaning: missing });
    if (!next) return await service.database.transact((tx) => service.jobs.complete(tx, job));
    const email = await storedEmail(service.database, next.userId, next.emailId);
    if (email) await embedAll(service, semantic, [email]);
    // It was deleted after it was listed, and an earlier run may have brought it back.
    else await service.searchIndex.remove(next.userId, [next.emailId]);
    semantic.outage.succeeded();
  } catch (error) {
    const retryAfterMs = error instanceof EmbeddingsError ? error.retryAfterMs : null;
    const until = semantic.outage.failed(clock.now(), now, retryAfterMs);
    service.metrics.called("embeddings", false);
    log.warn("search.embedding_failed", {
      emails: 1,
      error: describeError(error),
      retry_at: new Date(until).toISOString(),
    });
    return await again(service, job, until);
  }
  await again(service, job, clock.now() + restsFor * (clock.elapsed() - begunAt));
}

const missing =
  "this mail is found by its words, and by its meaning once it has vectors; they are made with a quarter of a core";

async function again(service: Service, job: Job<"reembed">, at: number): Promise<void> {
  await service.database.transact(async (tx) => {
    if (await service.jobs.stands(tx, job)) service.jobs.putOff(tx, job, at, { attempts: 0 });
  });
}
