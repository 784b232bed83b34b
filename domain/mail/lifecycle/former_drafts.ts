import type { Database } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Migration } from "../../store/migrations.ts";
import type { Draft } from "../record/draft.ts";
import { noteReply } from "../record/open_replies.ts";
import { isOpen } from "./draft.ts";
import type { WaitingDraft } from "./draft_waits.ts";

/** Gives the drafts that wait for a person the rows by which people are told of all that wait. */
export const waitingBefore: Migration = {
  from: 3,
  to: 4,
  async run(database) {
    for await (const { key, value } of database.list<Draft>({ prefix: keys.allDrafts() })) {
      if (value?.status === "pending_approval") await keepWaiting(database, key);
    }
  },
};

/** Gives the open drafts that reply the rows by which conversations show them. */
export const repliesBefore: Migration = {
  from: 4,
  to: 5,
  async run(database) {
    for await (const { key, value } of database.list<Draft>({ prefix: keys.allDrafts() })) {
      if (!value || value.replyToEmailId === null || !isOpen(value)) continue;
      await database.transact(async (tx) => {
        const draft = await tx.get<Draft>(key);
        if (draft) noteReply(tx, draft, isOpen(draft));
      });
    }
  },
};

async function keepWaiting(database: Database, draftKey: Deno.KvKey): Promise<void> {
  const [userId, draftId] = draftKey.slice(-2).map(String);
  const row = keys.waitingDraft(userId, draftId);
  await database.transact(async (tx) => {
    if (await tx.get(row) === null) tx.set(row, { number: 0 } satisfies WaitingDraft);
  });
}
