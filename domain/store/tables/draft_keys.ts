/** The keys of drafts and of whom an account writes to; a part of `keys.ts`. */
type Key = Deno.KvKey;

/** When mail of a thread was sent to whom in the last minutes: SendPace. */
export const sendPace = (userId: string, threadId: string): Key => ["send_pace", userId, threadId];
/** A person approved a mail that was sent to this address. */
export const knownRecipient = (userId: string, sha256: string): Key => ["known", userId, sha256];
export const draft = (userId: string, draftId: string): Key => ["drafts", userId, draftId];
export const drafts = (userId: string): Key => ["drafts", userId];
/** What an ended draft said; of an open one it is a blob. */
export const endedDraft = (
  userId: string,
  draftId: string,
): Key => ["drafts_said", userId, draftId];
/** How many drafts of an account are open, and their bytes. */
export const draftTotals = (userId: string): Key => ["draft_totals", userId];
/** A thread in which the most mail that one recipient may get has been sent: PacedThread. */
export const pacedThread = (
  userId: string,
  threadId: string,
): Key => ["paced_threads", userId, threadId];
export const pacedThreads = (userId: string): Key => ["paced_threads", userId];
