import type { DraftEventName } from "../../core/draft_events.ts";
import type { JobKind, JobPayloads } from "../../core/job_kinds.ts";
import type { AuditFacts } from "../../core/operation.ts";
import type { FinishedBlob } from "../../store/blobs.ts";
import type { SendFailure } from "../../webhooks/events.ts";
import type { IdempotencyKey } from "./idempotency.ts";
import type { Draft } from "../record/draft.ts";
import type { BlobRef } from "../../core/blob_ref.ts";

/** What a move of a life cycle leads to: the state after it, and what its commit contains besides. */
export interface Transition<S, E = Effect> {
  next: S;
  /** In the order in which they are carried out; the journal has its entries in this order. */
  effects: readonly E[];
}

/** The list is closed: `apply.ts` carries out each of them, and nothing else does. */
export type Effect =
  | JobEffect
  /** An entry of the journal, which wakes waits, streams and followers, and the event of webhooks. */
  | { change: DraftEventName; draft: Draft; contentHash: string }
  /** The same for an email that is sent; `occasion` separates two failures of one email. */
  | { emailEvent: "email.sent" }
  | { emailEvent: "email.failed"; failure: SendFailure; occasion: string }
  /** When the job that made the move runs again, ms since 1970; null: it has ended. */
  | { again: number | null }
  /** The account's open drafts, the bytes of their content, and the bytes of a draft that has ended. */
  | { count: "drafts"; open: number; bytes: number; endedBytes?: number }
  | { audit: AuditFacts }
  /** Makes the bytes of a blob permanent. */
  | { attach: FinishedBlob }
  /** Ends the only reference to a blob; a job removes its bytes, so that no blob outlives its row. */
  | { release: BlobRef }
  /** The answer to a request that is repeated with its idempotency key. */
  | { remember: unknown; under: IdempotencyKey }
  /** Recipients of mail that a person approved. */
  | { known: readonly string[]; mailboxId: string; since: number }
  /** What is kept of the content of a draft that has ended. */
  | { keep: Uint8Array };

/** Adds a job; without `at` (ms since 1970) it runs now. */
export type JobEffect = {
  [K in JobKind]: { job: K; payload: JobPayloads[K]; at?: number };
}[JobKind];
