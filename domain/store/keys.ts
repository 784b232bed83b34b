/**
 * Every key of the database. Each position has one type. The owner comes first, so a foreign id finds no row. Text that a
 * sender chose is hashed before it enters a key. A test writes a row of every table and asserts the whole list.
 */
type Key = Deno.KvKey;

export * from "./tables/account_keys.ts";
export * from "./tables/draft_keys.ts";
export * from "./tables/expectation_keys.ts";
export * from "./tables/activity_keys.ts";
export * from "./tables/billing_keys.ts";
export * from "./tables/webhook_keys.ts";

// mailboxes
/** Its id, its address and its domain: Mailbox. */
export const mailbox = (userId: string, mailboxId: string): Key => ["mailboxes", userId, mailboxId];
export const mailboxes = (userId: string): Key => ["mailboxes", userId];
/** Routing: lower-case address -> Route. */
export const mailboxByAddress = (address: string): Key => ["mailboxes_by_address", address];
/** The mailbox that takes mail to every address of a custom domain that no mailbox has: Route. */
export const catchAll = (customDomain: string): Key => ["catch_alls", customDomain];
/** The name, signature and metadata of a mailbox: MailboxProfile. */
export const mailboxProfile = (userId: string, mailboxId: string): Key => [
  "mailbox_profiles",
  userId,
  mailboxId,
];
/** The mailboxes on a domain. */
export const mailboxByDomain = (
  userId: string,
  customDomain: string,
  mailboxId: string,
): Key => ["mailboxes_by_domain", userId, customDomain, mailboxId];
export const mailboxesByDomain = (userId: string, domain: string): Key => [
  "mailboxes_by_domain",
  userId,
  domain,
];
/** The number of active mailboxes of an account. */
export const mailboxQuota = (userId: string): Key => ["mailbox_quota", userId];
/** The number of emails and the last arrival of a mailbox, counted in the commit that stores an email. */
export const mailboxStats = (
  userId: string,
  mailboxId: string,
): Key => ["mailbox_stats", userId, mailboxId];
/** The rules that the owner sets for a mailbox: MailboxPolicy. */
export const policy = (userId: string, mailboxId: string): Key => ["policies", userId, mailboxId];
export const allPolicies = (): Key => ["policies"];
/** What the processes of a shard have counted in addition to the row above. The table keeps its first name. */
export const mailboxStatsShard = (
  userId: string,
  mailboxId: string,
  shard: number,
): Key => ["mailbox_stats_lanes", userId, mailboxId, shard];
export const mailboxStatsShards = (
  userId: string,
  mailboxId?: string,
): Key => ["mailbox_stats_lanes", userId, ...(mailboxId === undefined ? [] : [mailboxId])];

// custom domains
/** A domain that an account added, and what its DNS answered: CustomDomain. */
export const customDomain = (
  userId: string,
  domainId: string,
): Key => ["custom_domains", userId, domainId];
export const customDomains = (userId: string): Key => ["custom_domains", userId];
/** The id of the domain, so that an account adds it once. */
export const customDomainByName = (
  userId: string,
  domain: string,
): Key => ["custom_domains_by_name", userId, domain];
/** The account that has proved the domain: DomainClaim. Without it mailboxes there neither receive nor send. */
export const customDomainVerified = (domain: string): Key => ["custom_domains_verified", domain];
/** The number of domains of an account. */
export const customDomainQuota = (userId: string): Key => ["custom_domain_quota", userId];
/** The number of the account's active mailboxes on one custom domain. */
export const customDomainMailboxes = (
  userId: string,
  domain: string,
): Key => ["custom_domain_mailboxes", userId, domain];
/** The domain's DKIM key, in a separate row so that no list of domains shows it. */
export const dkimKey = (userId: string, domainId: string): Key => ["dkim_keys", userId, domainId];

// mail
/** What lists show of an email. Ids are in order of `received_at`. */
export const email = (userId: string, emailId: string): Key => ["emails", userId, emailId];
export const emails = (userId: string): Key => ["emails", userId];
/** The fields of an email that no list shows. */
export const emailDetails = (
  userId: string,
  emailId: string,
): Key => ["email_details", userId, emailId];
export const allEmails = (): Key => ["emails"];
/** All emails after one of them, in the order of their keys. */
export const allEmailsAfter = (userId: string, emailId: string): Deno.KvListSelector => ({
  prefix: ["emails"],
  start: ["emails", userId, emailId, ""],
});
/** The emails of a mailbox, in order of `received_at`: 1 for an imported one, else 0. */
export const emailByMailbox = (
  userId: string,
  mailboxId: string,
  emailId: string,
): Key => ["emails_by_mailbox", userId, mailboxId, emailId];
export const emailsByMailbox = (
  userId: string,
  mailboxId: string,
): Key => ["emails_by_mailbox", userId, mailboxId];
/** The imported emails of a mailbox, in the order in which they came into the store: the id of the email. */
export const importedEmail = (
  userId: string,
  mailboxId: string,
  importId: string,
): Key => ["emails_imported", userId, mailboxId, importId];
export const importedEmails = (
  userId: string,
  mailboxId: string,
): Key => ["emails_imported", userId, mailboxId];
/** The emails of a thread, by date. */
export const emailByThread = (
  userId: string,
  threadId: string,
  dateMs: number,
  emailId: string,
): Key => ["emails_by_thread", userId, threadId, dateMs, emailId];
export const emailsByThread = (
  userId: string,
  threadId: string,
): Key => ["emails_by_thread", userId, threadId];
/** The id of every n-th email of a mailbox, by its number in the mailbox. */
export const emailCheckpoint = (
  userId: string,
  mailboxId: string,
  n: number,
): Key => ["email_checkpoints", userId, mailboxId, n];
export const emailCheckpoints = (
  userId: string,
  mailboxId: string,
): Key => ["email_checkpoints", userId, mailboxId];
/** The same of all mailboxes of an account. */
export const mailOfMailboxes = (userId: string): Key => ["emails_by_mailbox", userId];
/** Dedupe: SHA-256 of the ingest id or of the bytes -> email id. */
export const emailByDelivery = (
  mailboxId: string,
  sha256: string,
): Key => ["emails_by_delivery", mailboxId, sha256];
export const emailsByDelivery = (mailboxId: string): Key => ["emails_by_delivery", mailboxId];
/** What is missing of an email's processing: Processing. There is no row if nothing is. */
export const emailProcessing = (
  userId: string,
  emailId: string,
): Key => ["emails_processing", userId, emailId];
export const emailsProcessing = (userId: string): Key => ["emails_processing", userId];
/** A table of schema version 2, with rows of an email each; see `record/processing_rows.ts`. */
export type FormerTable = "emails_unprocessed" | "emails_unchecked" | "emails_without_vectors";
export const formerRows = (table: FormerTable): Key => [table];
/** A sent email that was deleted while its recipients were still tried. */
export const emailUnsent = (
  userId: string,
  emailId: string,
): Key => ["emails_unsent", userId, emailId];
export const emailsUnsent = (userId: string): Key => ["emails_unsent", userId];
/** Who takes part in a thread, or the thread that it was joined to. */
export const thread = (userId: string, threadId: string): Key => ["threads", userId, threadId];
export const threads = (userId: string): Key => ["threads", userId];
/** The thread of a Message-ID that was seen, with its participants. */
export const threadByReference = (
  userId: string,
  sha256: string,
): Key => ["threads_by_reference", userId, sha256];
export const threadsByReference = (userId: string): Key => ["threads_by_reference", userId];
/** The newest threads of a mailbox with one normalised subject. */
export const threadsBySubject = (
  userId: string,
  mailboxId: string,
  sha256: string,
): Key => ["threads_by_subject", userId, mailboxId, sha256];
export const threadsOfSubjects = (
  userId: string,
  mailboxId: string,
): Key => ["threads_by_subject", userId, mailboxId];
/** A piece of the bytes of a blob. */
export const blobChunk = (blobId: string, n: number): Key => ["blob_chunks", blobId, n];
export const blobChunks = (blobId: string): Key => ["blob_chunks", blobId];
/** A blob whose owner is not committed yet: when it was begun. An old one is an orphan, which the sweep removes. */
export const blobPending = (blobId: string): Key => ["blobs_pending", blobId];
export const blobsPending = (): Key => ["blobs_pending"];
/** How many emails refer to a blob; absent: one. */
export const blobOwners = (blobId: string): Key => ["blob_owners", blobId];
/** One attempt to deliver to the account: Arrival. */
export const arrival = (userId: string, arrivalId: string): Key => ["arrivals", userId, arrivalId];
export const arrivals = (userId: string): Key => ["arrivals", userId];
/** How many attempts of one kind a mailbox, or a domain of the account, had in a day: ArrivalWindow. */
export const arrivalWindow = (userId: string, place: string, kind: string): Key => [
  "arrivals_counted",
  userId,
  place,
  kind,
];
export const arrivalWindows = (userId: string, place: string): Key => [
  "arrivals_counted",
  userId,
  place,
];

// claims
/** The claim of an email in a mailbox that workers share: ClaimRow. */
export const claim = (
  userId: string,
  mailboxId: string,
  emailId: string,
): Key => ["claims", userId, mailboxId, emailId];
export const claims = (userId: string, mailboxId: string): Key => ["claims", userId, mailboxId];
/** The emails that can be claimed again, by the time from which they can. */
export const claimDue = (
  userId: string,
  mailboxId: string,
  dueAt: number,
  emailId: string,
): Key => ["claims_due", userId, mailboxId, dueAt, emailId];
export const claimsDue = (
  userId: string,
  mailboxId: string,
): Key => ["claims_due", userId, mailboxId];
/** The mailbox and email of a claim. */
export const claimById = (userId: string, claimId: string): Key => [
  "claims_by_id",
  userId,
  claimId,
];
export const claimsById = (userId: string): Key => ["claims_by_id", userId];
/** Every email of the mailbox up to this one has been handed out at least once. */
export const claimMark = (userId: string, mailboxId: string): Key => [
  "claim_marks",
  userId,
  mailboxId,
];

// sending
/** The state of a sent email for each recipient. */
export const outgoing = (userId: string, emailId: string): Key => ["outgoing", userId, emailId];
/** When automatic mail of a thread was last answered, ms since 1970; kept for an hour. */
export const automaticReply = (
  userId: string,
  threadId: string,
): Key => ["automatic_replies", userId, threadId];

// search without a disk: words as numbers (fulltext/analysis/term_hash.ts)
/** An email that contains a word. */
export const posting = (userId: string, word: number, emailId: string): Key => [
  "postings",
  userId,
  word,
  emailId,
];
export const postings = (userId: string, word: number): Key => ["postings", userId, word];
export const allPostings = (): Key => ["postings"];
/** The words of an email that have a posting. */
export const postedWords = (userId: string, emailId: string): Key => [
  "posted_words",
  userId,
  emailId,
];
export const postedWordsOf = (userId: string): Key => ["posted_words", userId];
export const allPostedWords = (): Key => ["posted_words"];

/** The email whose envelope senders have this id: ReturnRow. */
export const returnPath = (id: string): Key => ["return_paths", id];
export const allReturnPaths = (): Key => ["return_paths"];
/** A recipient whose mail from the account bounced. The address is in its normalised spelling. */
export const suppression = (userId: string, address: string): Key => [
  "suppressions",
  userId,
  address,
];
export const suppressions = (userId: string): Key => ["suppressions", userId];

// jobs
/** A job that waits or runs: Job. */
export const jobDue = (dueAt: number, jobId: string): Key => ["jobs_due", dueAt, jobId];
export const jobsDue = (): Key => ["jobs_due"];
/** A job that failed at its last attempt; it is kept and not retried. */
export const jobDead = (jobId: string): Key => ["jobs_dead", jobId];
export const jobsDead = (): Key => ["jobs_dead"];

/** The number of the last commit of a process, on a store that several write: commits/writer_row.ts. */
export const commits = (writerId: string): Key => ["commits", writerId];

// changes
/** Changes of an account that one commit made: JournalRow. The last part is the versionstamp of the commit. */
export const journalRow = (
  userId: string,
  versionstamp: string,
): Key => ["journal", userId, versionstamp];
export const journalRows = (userId: string): Key => ["journal", userId];
export const allJournals = (): Key => ["journal"];
/** The versionstamp of the newest row of an account's journal that was removed because of its age. */
export const journalCut = (userId: string): Key => ["journal_cut", userId];
/** On a shared store: the accounts whose journal a commit added to, for the other instances. */
export const journalNews = (versionstamp: string): Key => ["journal_news", versionstamp];
export const allJournalNews = (): Key => ["journal_news"];

// Rows that recognise repetitions
/** The first answer of an operation with this idempotency key. */
export const idempotency = (
  userId: string,
  operation: string,
  sha256: string,
): Key => ["idempotency", userId, operation, sha256];
export const idempotencies = (userId: string): Key => ["idempotency", userId];
/** The message for which a provider's event id (hashed) was first used. */
export const inboundSeen = (
  provider: string,
  sha256: string,
): Key => ["inbound_seen", provider, sha256];
/** Keys of rows that one commit wrote and that expire at the same time. */
export const expiring = (expiresAt: number, listId: string): Key => [
  "expiring",
  expiresAt,
  listId,
];
export const allExpiring = (): Key => ["expiring"];
/** Facts about the store itself, such as the schema version and the embedding model. */
export const mark = (name: string): Key => ["meta", name];

/** A range within `prefix` from `start` to before `end`. Both are last key parts and optional. */
export function range(
  prefix: Key,
  bounds: { start?: Deno.KvKeyPart; end?: Deno.KvKeyPart } = {},
): Deno.KvListSelector {
  if (bounds.start !== undefined && bounds.end !== undefined) {
    return { start: [...prefix, bounds.start], end: [...prefix, bounds.end] };
  }
  if (bounds.start !== undefined) return { prefix, start: [...prefix, bounds.start] };
  if (bounds.end !== undefined) return { prefix, end: [...prefix, bounds.end] };
  return { prefix };
}
