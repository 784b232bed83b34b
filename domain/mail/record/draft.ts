import type { DraftStatus } from "../../core/draft_events.ts";
import type { Reason, SendOutput } from "./send_output.ts";
import type { BlobRef } from "../../core/blob_ref.ts";

/** A person, with the name at that time: the draft stays when the person leaves. */
export interface Decider {
  memberId: string;
  name: string;
}

/** A message that is not sent yet, or was sent. Its content is stored separately: see `draft_content.ts`. */
export interface Draft {
  draftId: string;
  userId: string;
  mailboxId: string;
  status: DraftStatus;
  /** Goes up with every change: a commit that sends checks that it sends what it has read. */
  revision: number;
  /** Its content; null once it has ended. */
  content: { blob: BlobRef; headBytes: number } | null;
  replyToEmailId: string | null;
  /** ms since 1970; null: it is sent when somebody asks for it. */
  sendAt: number | null;
  /** Why it waits, or was not sent. */
  reasons: readonly Reason[];
  /** The content that a person approved. */
  approvedHash: string | null;
  rejectReason: string | null;
  /** Who approved the content, or rejected it; a key is nobody. Absent: null, in rows of schema version 3. */
  decidedBy?: Decider | null;
  /** Of an ended draft: the hash of its content. */
  endedHash: string | null;
  /** The answer to the send. */
  sent: SendOutput | null;
  createdAt: number;
  updatedAt: number;
}
