import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { removeKeys } from "../../store/row_ranges.ts";
import type { Draft } from "./draft.ts";
import { countEnded } from "./draft_totals.ts";

/** An ended draft is kept for 30 days. */
const endedKeptMs = 30 * 86_400_000;
/** The oldest are removed before, beyond this many of an account or this many bytes. */
const mostEnded = { drafts: 10_000, bytes: 100_000_000 };
/** A cut reads every ended draft of the account, so that half as many more must have ended since the last one. */
const cutAfter = { drafts: mostEnded.drafts / 2, bytes: mostEnded.bytes / 2 };
const rowsPerCommit = 200;

/**
 * Writes a draft that has ended with the content that is kept of it. `openBytes` is the size of the content that was
 * removed.
 */
export async function keepEnded(
  tx: Tx,
  service: Service,
  draft: Draft,
  content: Uint8Array,
  openBytes: number,
): Promise<void> {
  const { userId, draftId } = draft;
  tx.set(keys.draft(userId, draftId), draft, { expireInMs: endedKeptMs });
  tx.set(keys.endedDraft(userId, draftId), content, { expireInMs: endedKeptMs });
  const bytes = content.length + JSON.stringify(draft).length;
  if (await countEnded(tx, userId, openBytes, bytes, cutAfter)) {
    service.jobs.add(tx, "cut_drafts", { userId });
  }
}

/** Removes the oldest ended drafts beyond the newest 10,000 and 100 MB of an account. */
export async function cutDrafts(service: Service, job: Job<"cut_drafts">): Promise<void> {
  const { database, jobs } = service;
  const { userId } = job.payload;
  const gone: Deno.KvKey[] = [];
  let drafts = 0, bytes = 0;
  const rows = database.list<Uint8Array>({ prefix: keys.endedDrafts(userId) }, {
    reverse: true,
    batchSize: 50,
  });
  for await (const { key, value } of rows) {
    drafts++;
    bytes += value.length;
    if (drafts <= mostEnded.drafts && bytes <= mostEnded.bytes) continue;
    gone.push(key, keys.draft(userId, String(key.at(-1))));
  }
  for (const some of database.forCommits(gone, rowsPerCommit)) await removeKeys(database, some);
  await database.transact((tx) => jobs.complete(tx, job));
}
