import type { Caller } from "../../core/caller.ts";
import type { OperationCall } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { TimeSlices } from "../../core/work/time_slices.ts";
import * as keys from "../../store/keys.ts";
import { bodyBytesFor } from "../read/budget.ts";
import type { Reads } from "../read/reads.ts";
import { isOpen } from "../lifecycle/draft.ts";
import type { Draft } from "../record/draft.ts";
import type { OpenReply } from "../record/open_replies.ts";
import { rowsInSlices } from "../record/threads/thread_rows.ts";
import { bodyBytes, type DraftRecord } from "../send/drafts/draft_record.ts";
import { recordsOf } from "../send/drafts/list_drafts.ts";

/** The open replies of an account that are looked at, the newest. */
const maxReplies = 1_000;
/** Drafts of one conversation that are shown, the newest. */
const maxShown = 50;

/** The ids of the open drafts that reply, oldest first, by the thread of the email that they reply to. */
export type OpenDrafts = ReadonlyMap<string, readonly string[]>;

/** The open replies from visible mailboxes. A thread that is being merged has rows under its former id. */
export async function openDrafts(
  { database, clock }: Reads,
  userId: string,
  visible: ReadonlySet<string>,
): Promise<OpenDrafts> {
  const prefix = keys.openReplies(userId);
  const rows = await database.cachedRangeIfSmall<OpenReply>(prefix) ??
    (await database.collect<OpenReply>({ prefix }, { reverse: true, limit: maxReplies })).reverse();
  const replies = rows.filter(({ value }) => visible.has(value.mailboxId));
  const threads = new Map<string, string>();
  const answered = [...new Set(replies.map(({ value }) => value.emailId))];
  for await (
    const some of rowsInSlices(database, userId, answered, new TimeSlices(clock, userId))
  ) {
    for (const { emailId, threadId } of some) threads.set(emailId, threadId);
  }
  const found = new Map<string, string[]>();
  for (const { key, value } of replies) {
    const threadId = threads.get(value.emailId);
    if (threadId === undefined) continue;
    const ids = found.get(threadId) ?? [];
    found.set(threadId, ids);
    ids.push(String(key.at(-1)));
  }
  return found;
}

/** The open drafts of a conversation, oldest first. */
export function draftsAmong(drafts: OpenDrafts, threadIds: Iterable<string>): string[] {
  return [...threadIds].flatMap((id) => drafts.get(id) ?? []).sort();
}

/** The records of the newest of these drafts, oldest first, as far as the answer has room for their texts. */
export async function shownDrafts(
  service: Service,
  caller: Caller,
  ids: readonly string[],
  { maxChars, reserve }: Pick<OperationCall, "reserve"> & { maxChars: number | undefined },
): Promise<DraftRecord[]> {
  const newest = ids.slice(-maxShown);
  const rows = await service.database.getMany<Draft>(
    newest.map((id) => keys.draft(caller.userId, id)),
  );
  const mostBytes = bodyBytesFor(maxChars);
  const chosen: Draft[] = [];
  let bytes = 0;
  for (const draft of rows.reverse()) {
    if (!draft || !isOpen(draft)) continue;
    bytes += bodyBytes(draft);
    if (chosen.length > 0 && bytes > mostBytes) break;
    chosen.unshift(draft);
  }
  if (chosen.length === 0) return [];
  await reserve?.(bytes);
  return await recordsOf(service, caller, chosen, maxChars);
}
