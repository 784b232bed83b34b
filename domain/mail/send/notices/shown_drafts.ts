import type { Service } from "../../../core/service.ts";
import { damaged } from "../../../core/work/skip_damaged.ts";
import { readPolicy } from "../../../mailboxes/policy/policy.ts";
import * as keys from "../../../store/keys.ts";
import { nullIfDeleted } from "../../read/parsing/stored_message.ts";
import type { Draft } from "../../record/draft.ts";
import { untilUnchanged } from "../drafts/draft.ts";
import { bodyBytes, type DraftRecord, recordFor } from "../drafts/draft_record.ts";

/** A draft as a notice shows it. */
export interface ShownDraft extends DraftRecord {
  /** Its mailbox asks a person about every mail. */
  isAlwaysAsked: boolean;
}

/** A notice shows at most so many drafts, and reads at most so much of them. */
const mostShown = 10;
const mostBytes = 4 * 2 ** 20;

/**
 * The first of the drafts that wait, in their order, and the ids of those among them that wait no more or whose mailbox was
 * deleted. What is too large is neither. Throws SERVICE_UNAVAILABLE if one changes all the time.
 */
export async function shownOf(
  service: Service,
  userId: string,
  waiting: readonly { draftId: string }[],
): Promise<{ shown: ShownDraft[]; gone: Set<string> }> {
  const shown: ShownDraft[] = [], gone = new Set<string>();
  let left = mostBytes;
  for (const { draftId } of waiting.slice(0, mostShown)) {
    const read = async () => {
      const draft = await service.database.get<Draft>(keys.draft(userId, draftId));
      if (draft?.status !== "pending_approval") return null;
      left -= bodyBytes(draft);
      if (left < 0) return "large";
      const { approval } = await readPolicy(service.database, userId, draft.mailboxId);
      return { ...await recordFor(service, draft), isAlwaysAsked: approval === "always" };
    };
    const found = await nullIfDeleted(untilUnchanged(read)).catch((error) =>
      damaged(service.log, { table: "drafts", id: draftId }, error)
    );
    if (found === "large") break;
    if (found) shown.push(found);
    else gone.add(draftId);
  }
  return { shown, gone };
}
