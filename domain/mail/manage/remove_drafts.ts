import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { removeKeys } from "../../store/row_ranges.ts";
import { type Parts, purgeDraft } from "../lifecycle/apply.ts";
import { mostEnded } from "../lifecycle/draft_totals.ts";
import type { Draft } from "../record/draft.ts";

const rowsPerCommit = 200;

/** Removes the oldest ended drafts beyond the newest 10,000 and 100 MB of an account. */
export async function cutDrafts(
  { database, jobs }: Parts,
  job: Job<"cut_drafts">,
): Promise<void> {
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

/**
 * Removes every draft of a mailbox that was deleted, with its content. Jobs of scheduled drafts find nothing and end.
 */
export async function purgeDrafts(
  parts: Parts,
  userId: string,
  mailboxId: string,
): Promise<void> {
  const { database } = parts;
  for await (const { value } of database.list<Draft>({ prefix: keys.drafts(userId) })) {
    if (value.mailboxId !== mailboxId) continue;
    await database.transact(async (tx) => {
      const draft = await tx.get<Draft>(keys.draft(userId, value.draftId));
      if (draft) await purgeDraft(tx, parts, draft);
    });
  }
}
