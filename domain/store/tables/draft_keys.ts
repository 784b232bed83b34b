/** The keys of drafts and their files, and of whom an account writes to; a part of `keys.ts`. */
type Key = Deno.KvKey;

/** The sends of a thread in the last minutes, with their recipients: SendPace. */
export const sendPace = (userId: string, threadId: string): Key => ["send_pace", userId, threadId];
/** A person approved a mail that was sent to this address: KnownRecipient. */
export const knownRecipient = (userId: string, sha256: string): Key => ["known", userId, sha256];
export const knownRecipients = (userId: string): Key => ["known", userId];
/** A draft without its content: Draft. */
export const draft = (userId: string, draftId: string): Key => ["drafts", userId, draftId];
export const drafts = (userId: string): Key => ["drafts", userId];
export const allDrafts = (): Key => ["drafts"];
/** The content of an ended draft; that of an open one is a blob. */
export const endedDraft = (
  userId: string,
  draftId: string,
): Key => ["drafts_said", userId, draftId];
export const endedDrafts = (userId: string): Key => ["drafts_said", userId];
/** A draft that waits for a person: WaitingDraft. */
export const waitingDraft = (
  userId: string,
  draftId: string,
): Key => ["drafts_waiting", userId, draftId];
export const waitingDrafts = (userId: string): Key => ["drafts_waiting", userId];
/** An open draft that replies to an email: OpenReply. */
export const openReply = (
  userId: string,
  draftId: string,
): Key => ["drafts_replying", userId, draftId];
export const openReplies = (userId: string): Key => ["drafts_replying", userId];
/** What the people of an account were told of such drafts: Notices. */
export const notices = (userId: string): Key => ["notices", userId];
/** How many drafts of an account are open, and their bytes. */
export const draftTotals = (userId: string): Key => ["draft_totals", userId];
/** A file that waits to be attached to a message, or for its bytes: Upload. */
export const upload = (userId: string, uploadId: string): Key => ["uploads", userId, uploadId];
export const uploads = (userId: string): Key => ["uploads", userId];
export const allUploads = (): Key => ["uploads"];
/** A thread in which one recipient got as many mails as allowed: PacedThread. */
export const pacedThread = (
  userId: string,
  threadId: string,
): Key => ["paced_threads", userId, threadId];
export const pacedThreads = (userId: string): Key => ["paced_threads", userId];
