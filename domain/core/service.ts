import type { ClaimTurns } from "../mail/work/claim_turns.ts";
import type { AuditTrail } from "../audit/trail.ts";
import type { Waiting } from "../changes/waiting.ts";
import type { ClientDocuments } from "../apps/client_documents.ts";
import type { Credentials } from "../accounts/credentials.ts";
import type { LoginGuard } from "../accounts/login_guard.ts";
import type { MailboxNames } from "../mailboxes/mailbox_names.ts";
import type { Passwords } from "../accounts/passwords.ts";
import type { RateLimiter } from "../billing/rate_limit.ts";
import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";
import type { Log } from "./log.ts";
import type { FairTurns } from "./work/fair_turns.ts";
import type { IdleMemory } from "./work/idle_memory.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { AttachmentTexts } from "../ports/attachment_text.ts";
import type { IdentityProvider } from "../ports/identity_provider.ts";
import type { Dns } from "../ports/dns.ts";
import type { SenderChecks } from "../ports/sender_checks.ts";
import type { PlanTable } from "./plans.ts";
import type { Semantic } from "../search/semantic.ts";
import type { SearchIndex } from "../ports/search_index.ts";
import type { ParsePool } from "../mail/read/parsing/parse_pool.ts";
import type { ParsedBodies } from "../mail/read/parsing/parsed_bodies.ts";
import type { RecipientResult } from "../ports/mailer.ts";
import type { ArrivalLoad } from "../mail/receive/arrival_load.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { Payments } from "../ports/payments.ts";
import type { WebhookTarget } from "../ports/webhook_target.ts";
import type { Settings } from "./settings.ts";
import type { Database } from "../store/database.ts";
import type { Jobs } from "../store/jobs.ts";
import type { StoreChecks } from "../store/store_checks.ts";

/** What an operation receives: the database, time, ids, and the ports. Built by assemble.ts and tests/service.ts. */
export interface Service {
  database: Database;
  jobs: Jobs;
  clock: Clock;
  ids: Ids;
  settings: Settings;
  plans: PlanTable;
  log: Log;
  metrics: Metrics;
  searchIndex: SearchIndex;
  /** A job gives the index all mail: until its end searches do not find each email. */
  isRebuildingIndex: boolean;
  /** Semantic search; null without an embedding provider. */
  semantic: Semantic | null;
  mailer: Mailer;
  /** null: billing is off. */
  payments: Payments | null;
  /** Where people sign in without a password; null without OIDC_ISSUER. */
  identityProvider: IdentityProvider | null;
  audit: AuditTrail;
  credentials: Credentials;
  mailboxNames: MailboxNames;
  loginGuard: LoginGuard;
  passwords: Passwords;
  rateLimiter: RateLimiter;
  /** Counts arrivals in flight: other work waits while there are many. */
  arrivalLoad: ArrivalLoad;
  /** Returns the memory of a burst to the system. */
  idleMemory: IdleMemory;
  /** Parses messages, large ones in Workers. */
  parsing: ParsePool;
  parsedBodies: ParsedBodies;
  /** Reads the text of PDF, DOCX and other files. */
  attachmentTexts: AttachmentTexts;
  /** Answers of the relay that are not written to the store yet. */
  unrecordedSends: Map<string, RecipientResult[]>;
  /** Claims of one mailbox take turns in this process. */
  claimTurns: ClaimTurns;
  /** Requests that wait for changes. */
  waiting: Waiting;
  dns: Dns;
  senderChecks: SenderChecks;
  /** Large messages that are composed, or whose signatures are verified: one of an account at a time. */
  largeMessageTurns: FairTurns;
  webhookTarget: WebhookTarget;
  /** What apps say of themselves. */
  clientDocuments: ClientDocuments;
  storeChecks: StoreChecks;
  /** When this process started, ms since 1970. */
  startedAt: number;
  version: string;
}
