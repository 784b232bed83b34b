import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";
import type { Draft } from "./draft.ts";
import { uncountOpen } from "./draft_totals.ts";
import { releaseContent } from "./release_content.ts";

/**
 * Removes every draft of a mailbox that was deleted, with its content. Jobs of scheduled drafts find nothing and end.
 */
export async function purgeDrafts(
  service: Service,
  userId: string,
  mailboxId: string,
): Promise<void> {
  const { database } = service;
  for await (const { value } of database.list<Draft>({ prefix: keys.drafts(userId) })) {
    if (value.mailboxId !== mailboxId) continue;
    await database.transact(async (tx) => {
      const row = keys.draft(userId, value.draftId);
      const draft = await tx.get<Draft>(row);
      if (!draft) return;
      releaseContent(tx, service, draft);
      if (draft.content) await uncountOpen(tx, userId, draft.content.blob.size);
      tx.delete(row);
      tx.delete(keys.endedDraft(userId, value.draftId));
    });
  }
}
