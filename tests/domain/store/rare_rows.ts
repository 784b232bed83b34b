import type { Position } from "../../../domain/changes/position.ts";
import type { PacedThread } from "../../../domain/mail/record/outgoing.ts";
import type { Suppression } from "../../../domain/mail/record/addresses/suppressions.ts";
import type { ExpectedEmail } from "../../../domain/mail/work/expectation.ts";
import type { MailboxStats } from "../../../domain/mailboxes/mailbox_stats.ts";
import type { ExampleRow } from "./storage_document.ts";

const at = Date.parse("2026-11-20T10:00:00.000Z");
const id = "<id>", userId = id, mailboxId = id, emailId = id;

/** An example of each table that `oneOfEverything` leaves empty, and when its rows expire. */
export const rareRows: Record<string, ExampleRow> = {
  blob_owners: { value: 2 },
  claim_marks: { value: emailId },
  commits: { value: 42 },
  confirmations: { value: { userId, expiresAt: at + 86_400_000 }, expires: "1 day" },
  confirmations_asked: { value: [at], expires: "1 hour" },
  emails_unsent: { value: { row: "as in emails", details: "as in email_details" } },
  ended_accounts: { value: at, expires: "30 days" },
  expected_emails: {
    value: { mailboxId } satisfies ExpectedEmail,
    expires: "8 days",
  },
  journal_cut: { value: { versionstamp: "00000000000000660000", entries: 3 } satisfies Position },
  journal_news: { value: [userId], expires: "1 minute" },
  mailbox_stats_lanes: { value: { emails: 2, lastEmailAt: at } satisfies MailboxStats },
  members_by_subject: { value: { userId, memberId: id } },
  paced_threads: {
    value: { at, until: at + 600_000, mailboxId, recipient: "x@example.net" } satisfies PacedThread,
    expires: "1 day",
  },
  posted_words: { value: { mailboxId, words: [1_804_289_383, 846_930_886] } },
  postings: { value: 1 },
  return_paths: { value: { userId, emailId, mailboxId }, expires: "30 days" },
  suppressions: {
    value: {
      ...{ address: "gone@example.net", status: "5.1.1", emailId, mailboxId, createdAt: at },
    } satisfies Suppression,
  },
  usage_reserved: {
    value: { period: "2026-11-01T00:00:00.000Z", day: at, left: { searches: { amount: 3 } } },
  },
};
