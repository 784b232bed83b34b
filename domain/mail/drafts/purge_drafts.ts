import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";
import type { Draft } from "./draft.ts";
import { removeContent } from "./draft_content.ts";
import { uncountDraft } from "./draft_totals.ts";

/**
 * Removes every draft of a mailbox that was deleted, with its content. Jobs of scheduled drafts find nothing and end.
 */
export async function purgeDrafts(
  { database }: Service,
  userId: string,
  mailboxId: string,
): Promise<void> {
  for await (const { value } of database.list<Draft>({ prefix: keys.drafts(userId) })) {
    if (value.mailboxId !== mailboxId) continue;
    await database.transact(async (tx) => {
      const row = keys.draft(userId, value.draftId);
      const draft = await tx.get<Draft>(row);
      if (!draft) return;
      removeContent(tx, draft);
      if (draft.content) await uncountDraft(tx, userId, draft.content.blob.size);
      tx.delete(row);
      tx.delete(keys.endedDraft(userId, value.draftId));
    });
  }
}
