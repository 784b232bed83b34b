import { cutText } from "../../mime/text/cut_text.ts";
import { describeError } from "../core/log.ts";
import { readBody } from "../mail/read/parsing/parsed_bodies.ts";
import type { Email } from "../mail/record/email.ts";
import { storedEmail } from "../mail/record/read_email.ts";
import { EmbeddingsError } from "../ports/embeddings.ts";
import type { EmbeddedEmail } from "../ports/vector_index.ts";
import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { acceptedPassages } from "./accepted_passages.ts";
import { chunks } from "./chunks.ts";
import { passagesOf, subjectCharacters } from "./passages.ts";
import { embeddingModel, rememberDimensions } from "./embedding_model.ts";
import type { Semantic } from "../search/semantic.ts";
import { indexedEmail } from "./indexed_email.ts";
import { endJob, endWithoutEmail } from "../mail/lifecycle/processing_jobs.ts";

/** A provider that takes longer for one request counts as down. */
const embedTimeoutMs = 15_000;
/** A model of this machine has the lowest priority, and loads before the first text. */
const ownTimeoutMs = 120_000;
/** How long jobs wait while the provider is down; its recovery wakes them earlier. */
const outageWaitMs = 60_000;

/**
 * Gives emails their vectors and marks them processed. While the provider is down the jobs are put off, without a limit;
 * lexical search finds the mail meanwhile.
 */
export async function embedEmails(service: Service, jobs: Job<"embed_email">[]): Promise<void> {
  const { semantic, clock } = service;
  if (!semantic) {
    // The provider was removed from the settings: its waiting jobs end without vectors.
    await Promise.all(jobs.map((job) => endJob(service, job, { is: "embedded" })));
    return;
  }
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
  await Promise.all(found.map(({ job }) => endJob(service, job, { is: "embedded" })));
}

/** A text that every model takes. */
const plainText = "mail";

/**
 * Makes the vectors of emails and stores them; throws the errors of the provider and the index. An email that the
 * provider refuses gets those of its passages that are accepted, and does not block other mail. A model in the background
 * gets one email at a time, when no mail arrives, at the latest after 5 s.
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
  const drafts: Draft[] = [];
  for (const email of emails) {
    const draft = await draftOf(service, semantic, email);
    if (draft.passages.length > 0) drafts.push(draft);
    // So that it no longer counts as waiting.
    else if (semantic.backlog) await semantic.vectors.add([{ ...draft.email, passages: [] }]);
  }
  const inputs = drafts.flatMap(({ inputs }) => inputs);
  if (inputs.length === 0) return;
  try {
    const made = await vectorsOf(service, semantic, inputs);
    let next = 0;
    await store(
      semantic,
      drafts.map(({ email, passages }) => ({
        ...email,
        passages: passages.map((text) => ({ text, vector: made[next++] })),
      })),
    );
  } catch (error) {
    if (!(error instanceof EmbeddingsError && error.refused)) throw error;
    if (emails.length > 1) {
      for (const email of emails) await embedAll(service, semantic, [email]);
    } else await embedAccepted(service, semantic, drafts[0], error);
  }
}

/** Stores the vectors of those passages of a refused email that the provider accepts. */
async function embedAccepted(
  service: Service,
  semantic: Semantic,
  { email, passages, inputOf }: Draft,
  error: EmbeddingsError,
): Promise<void> {
  // A provider that refuses this, too, has a wrong setting: that is an outage, after which the mail gets its vectors.
  await vectorsOf(service, semantic, [plainText]);
  const accepted = await acceptedPassages(
    passages,
    (some) => vectorsOf(service, semantic, some.map(inputOf)),
  );
  service.log.warn("search.embedding_refused", {
    email_id: email.emailId,
    accepted: accepted.length,
    error: describeError(error),
  });
  if (accepted.length > 0 || semantic.backlog) {
    await store(semantic, [{ ...email, passages: accepted }]);
  }
}

/** An email with its passages and what the model gets of each. */
interface Draft {
  email: Omit<EmbeddedEmail, "passages">;
  passages: string[];
  inputs: string[];
  inputOf(passage: string): string;
}

async function draftOf(service: Service, { embedder }: Semantic, stored: Email): Promise<Draft> {
  const body = await readBody(service, stored, { remember: false });
  const { text, subject, from, to, userId, emailId, mailboxId, dateMs } = indexedEmail(
    stored,
    body,
  );
  // The subject gives a passage its topic.
  const topic = embedder.passages ? cutText(subject, subjectCharacters) : subject;
  const inputOf = (passage: string) => `${topic}\n\n${passage}`.trim() || from;
  // A mail without subject, text and sender has none: models fail for an empty text.
  const cut = embedder.passages
    ? passagesOf({ subject: topic, text, own: body.newText.normalize().trim() }, embedder.passages)
    : chunks(text);
  const passages = cut.filter((each) => inputOf(each) !== "");
  const email = { userId, emailId, mailboxId, from, to, subject, dateMs, model: embedder.model };
  return { email, passages, inputs: passages.map(inputOf), inputOf };
}

async function vectorsOf(
  service: Service,
  semantic: Semantic,
  texts: string[],
): Promise<Float32Array[]> {
  const timeoutMs = semantic.embedder.inBackground ? ownTimeoutMs : embedTimeoutMs;
  const made = await semantic.embedder.embed(texts, { timeoutMs });
  await demandDimensions(service, semantic, made);
  return made;
}

async function store({ vectors, scale }: Semantic, emails: EmbeddedEmail[]): Promise<void> {
  await vectors.add(emails);
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
