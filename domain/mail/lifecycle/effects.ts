import type { BlobRef } from "../../core/blob_ref.ts";
import type { DraftEventName } from "../../core/draft_events.ts";
import type { EmailOfAccount, JobKind, JobPayloads } from "../../core/job_kinds.ts";
import type { AuditFacts } from "../../core/operation.ts";
import type { SenderAuth } from "../../ports/sender_checks.ts";
import type { FinishedBlob } from "../../store/blobs.ts";
import type { RecipientStates, SendFailure } from "../../webhooks/events.ts";
import type { Draft } from "../record/draft.ts";
import type { IdempotencyKey } from "./idempotency.ts";

/** What a move of a life cycle leads to: the state after it, and what its commit contains besides. */
export interface Transition<S, E extends Effect> {
  next: S;
  /** In the order in which they are carried out; the journal has its entries in this order. */
  effects: readonly E[];
}

/** The list is closed: `apply.ts` carries out each of them, and nothing else does. */
export type Effect = DraftEffect | SendingEffect | ProcessingEffect | EmailEffect;

export type DraftEffect =
  | JobEffect<"send_draft">
  /** An entry of the journal, which wakes waits, streams and followers, and the event of webhooks. */
  | { change: DraftEventName; draft: Draft; contentHash: string }
  /** The account's open drafts, the bytes of their content, and the bytes of a draft that has ended. */
  | { count: "drafts"; open: number; bytes: number; endedBytes?: number }
  | { audit: AuditFacts }
  /** It begins to wait for a person, or waits no more. */
  | { wait: "begins" | "ends" }
  /** Makes the bytes of a blob permanent. */
  | { attach: FinishedBlob }
  | Release
  | Remember
  /** Recipients of mail that a person approved. */
  | { known: readonly string[]; mailboxId: string; since: number }
  /** What is kept of the content of a draft that has ended. */
  | { keep: Uint8Array };

export type SendingEffect =
  | JobEffect<"send_email" | "send_within">
  /** An entry of the journal and the event of webhooks; `occasion` separates two failures of one email. */
  | { emailEvent: "email.sent" }
  | {
    emailEvent: "email.failed";
    failure: SendFailure;
    recipients: RecipientStates;
    occasion: string;
  }
  /** When the job that made the move runs again, ms since 1970; null: it has ended. */
  | { again: number | null }
  /** Puts a recipient on the list of those to whom the account does not write again, with the code of RFC 3463. */
  | { suppress: string; status: string }
  | { audit: AuditFacts }
  | Remember;

export type ProcessingEffect =
  | EmailJob<"process_email" | "process_large_email" | "check_sender" | "index_attachments">
  | EmailJob<"embed_email">
  /** Written into the row of the email. */
  | { auth: SenderAuth }
  /** An entry of the journal. */
  | { change: "email.received" | "email.imported" | "email.updated" }
  /** The event of webhooks. */
  | { event: "email.received" | "email.imported" }
  /** Both. */
  | { processed: "indexed" | "failed" };

export type EmailEffect =
  | EmailJob<"unindex_email" | "purge_email">
  | { change: "email.updated" | "email.deleted" }
  /** The emails of its mailbox, and the unread ones. */
  | { count: "mailbox"; by: 1 | -1 }
  | { count: "unread"; by: 1 | -1 }
  /** What people see of an hour and a day. */
  | { count: "activity"; what: "received" | "sent" | "imported" }
  /** The bytes of the account. */
  | { count: "storage"; bytes: number }
  /** Keeps the rows of an email that nobody sees any more, for those who still send it. */
  | { keepUnsent: true }
  | Release
  /** Removes the states of its recipients. */
  | { forget: "recipients" };

/** Ends a reference to a blob: with the last one its bytes go, so that no blob outlives its row. */
type Release = { release: BlobRef };

/** The answer to a request that is repeated with its idempotency key. */
type Remember = { remember: unknown; under: IdempotencyKey };

/** Adds a job; without `at` (ms since 1970) it runs now. */
type JobEffect<Kind extends JobKind> = {
  [K in Kind]: { job: K; payload: JobPayloads[K]; at?: number };
}[Kind];

/** The same for a job about the email. */
type EmailJob<Kind extends JobKind> = {
  [K in Kind]: { job: K; payload: Omit<JobPayloads[K], keyof EmailOfAccount>; at?: number };
}[Kind];
