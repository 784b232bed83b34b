import { describeError } from "../core/log.ts";
import { readBody } from "../mail/reading/parsing/parsed_bodies.ts";
import type { Email } from "../mail/record/email.ts";
import { storedEmail } from "../mail/record/read_email.ts";
import { EmbeddingsError } from "../ports/embeddings.ts";
import type { EmbeddedEmail } from "../ports/vector_index.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { chunks } from "./chunks.ts";
import { embeddingModel, rememberDimensions } from "./embedding_model.ts";
import type { Semantic } from "../search/semantic.ts";
import { indexedEmail } from "./indexed_email.ts";
import { endWithoutEmail, finishEmail } from "./finish_email.ts";

/** A provider that takes longer for one request counts as down. */
const embedTimeoutMs = 15_000;
/** How long jobs wait while the provider is down; its recovery wakes them earlier. */
const outageWaitMs = 60_000;

/**
 * Gives emails their vectors and marks them processed. While the provider is down the jobs are put off, without a limit;
 * lexical search finds the mail meanwhile.
 */
export async function embedEmails(service: Service, jobs: Job<"embed_email">[]): Promise<void> {
  const { semantic, clock } = service;
  if (!semantic) return await withoutProvider(service, jobs);
  const now = clock.now();
  if (semantic.outage.nextTry(now) > now) {
    await putOff(service, jobs, now + outageWaitMs);
    // If the outage ended while these jobs were written, nothing else would wake them.
    if (semantic.outage.isOver) service.jobs.wake("embed_email");
    return;
  }
  const found: { job: Job<"embed_email">; email: Email }[] = [];
  for (const job of jobs) {
    const email = await storedEmail(
      service.database,
      job.payload.userId,
      job.payload.emailId,
    );
    if (email) found.push({ job, email });
    else await endWithoutEmail(service, job);
  }
  try {
    const emails = found.map(({ email }) => email);
    await embedAll(service, semantic, emails);
  } catch (error) {
    const retryAfterMs = error instanceof EmbeddingsError ? error.retryAfterMs : null;
    service.metrics.called("embeddings", false);
    const again = semantic.outage.failed(clock.now(), now, retryAfterMs);
    service.log.warn("search.embedding_failed", {
      emails: found.length,
      error: describeError(error),
      retry_at: new Date(again).toISOString(),
    });
    return await putOff(service, found.map(({ job }) => job), again);
  }
  service.metrics.called("embeddings", true);
  if (semantic.outage.succeeded()) service.jobs.wake("embed_email");
  await Promise.all(
    found.map(({ job, email }) =>
      finishEmail(service, job, email, { also: (tx) => dropMark(tx, job) })
    ),
  );
}

function dropMark(tx: Tx, { payload: { userId, emailId } }: Job<"embed_email">): void {
  tx.delete(keys.emailWithoutVectors(userId, emailId));
}

/**
 * Makes the vectors of emails and stores them; throws the errors of the provider and the index. An email that the
 * provider refuses stays without vectors, so that it does not block other mail. A model in the background gets one
 * email at a time, when no mail arrives, at the latest after 5 s.
 */
export async function embedAll(
  service: Service,
  semantic: Semantic,
  emails: Email[],
): Promise<void> {
  if (semantic.embedder.inBackground && emails.length > 1) {
    for (const email of emails) await embedAll(service, semantic, [email]);
    return;
  }
  if (semantic.embedder.inBackground) await service.arrivalLoad.idle();
  try {
    await embed(service, semantic, emails);
  } catch (error) {
    if (!(error instanceof EmbeddingsError && error.refused)) throw error;
    if (emails.length > 1) {
      for (const email of emails) await embedAll(service, semantic, [email]);
    } else {
      const facts = { email_id: emails[0]?.emailId, error: describeError(error) };
      service.log.warn("search.embedding_refused", facts);
    }
  }
}

async function embed(service: Service, semantic: Semantic, emails: Email[]): Promise<void> {
  const { embedder, vectors, scale } = semantic;
  const texts: string[] = [];
  const drafts: Omit<EmbeddedEmail, "passages">[] = [];
  const passages: string[][] = [];
  for (const email of emails) {
    const body = await readBody(service, email, { remember: false });
    const { text, subject, from, to, userId, emailId, mailboxId, dateMs } = indexedEmail(
      email,
      body,
    );
    const cut = chunks(text).slice(0, embedder.maxPassages);
    passages.push(cut);
    // The subject gives a passage its topic.
    texts.push(...cut.map((chunk) => `${subject}\n\n${chunk}`.trim() || from));
    drafts.push({ userId, emailId, mailboxId, from, to, subject, dateMs, model: embedder.model });
  }
  if (texts.length === 0) return;
  const made = await embedder.embed(texts, { timeoutMs: embedTimeoutMs });
  await demandDimensions(service, semantic, made);
  let next = 0;
  await vectors.add(drafts.map((draft, n) => ({
    ...draft,
    passages: passages[n].map((text) => ({ text, vector: made[next++] })),
  })));
  // Searches need the scale. If this fails, the next search measures it.
  scale.measure(embedTimeoutMs).catch(() => {});
}

/** Throws if a vector has another length than the model's earlier ones: such a vector is never stored. */
async function demandDimensions(service: Service, { embedder }: Semantic, made: Float32Array[]) {
  const known = await embeddingModel(service);
  const dimensions = known?.model === embedder.model ? known.dimensions : null;
  const [first] = made;
  for (const vector of made) {
    if (vector.length !== (dimensions ?? first.length)) {
      throw new EmbeddingsError(
        `${embedder.model} gave ${vector.length} numbers in place of ${dimensions ?? first.length}`,
      );
    }
  }
  if (dimensions === null) await rememberDimensions(service, embedder.model, first.length);
}

async function putOff(service: Service, jobs: Job[], until: number): Promise<void> {
  await Promise.all(jobs.map((job) =>
    service.database.transact(async (tx) => {
      if (await tx.get(keys.jobDue(job.dueAt, job.jobId))) service.jobs.putOff(tx, job, until);
    })
  ));
}

/** The provider was removed from the settings: its waiting jobs end without vectors. */
async function withoutProvider(service: Service, jobs: Job<"embed_email">[]): Promise<void> {
  await Promise.all(jobs.map(async (job) => {
    const email = await storedEmail(
      service.database,
      job.payload.userId,
      job.payload.emailId,
    );
    if (email) {
      await finishEmail(service, job, email, { also: (tx) => dropMark(tx, job) });
    } else await endWithoutEmail(service, job);
  }));
}
