import { z } from "zod";
import type { Caller } from "../../../core/caller.ts";
import { decodeCursor, encodeCursor } from "../../../core/cursor.ts";
import { ServiceError } from "../../../core/errors.ts";
import { operation } from "../../../core/operation.ts";
import type { Service } from "../../../core/service.ts";
import { TimeSlices } from "../../../core/work/time_slices.ts";
import { reportDamaged } from "../../../core/work/skip_damaged.ts";
import { requireMailbox, visibleMailboxIds } from "../../../mailboxes/visible_mailboxes.ts";
import * as keys from "../../../store/keys.ts";
import { bodyBytesFor, fitRecord, fitRows, maxCharsField } from "../../read/budget.ts";
import { nullIfDeleted } from "../../read/parsing/stored_message.ts";
import { draftStatuses } from "../../../core/draft_events.ts";
import type { Draft } from "../../record/draft.ts";
import { StaleRevision } from "../../lifecycle/apply.ts";
import { draftId } from "./draft.ts";
import { bodyBytes, type DraftRecord, draftRecord, recordFor, shownDraft } from "./draft_record.ts";

export const getDraft = operation({
  name: "get_draft",
  title: "Get a draft",
  description:
    "A draft with its text, status, content_hash and the reasons why it waits or was not sent.",
  scope: "emails:read",
  audit: "read",
  emailsIn: () => 0,
  input: z.object({ draft_id: draftId, max_chars: maxCharsField }),
  output: draftRecord,
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
  fit: fitRecord,
  async run(service, caller, input, call) {
    const { reserve } = call, maxChars = input.max_chars ?? call.maxChars;
    const draft = await shownDraft(service, caller, input.draft_id, { reserve, maxChars });
    call.audit({ mailboxId: draft.mailbox_id });
    return draft;
  },
});

/** The most rows that one request reads: a filter may let few of them pass. */
const maxScannedRows = 20_000;

export const listDrafts = operation({
  name: "list_drafts",
  title: "List drafts",
  description:
    "Drafts, newest first: those that you still work on (draft), that wait for their time (scheduled) or for a person (pending_approval), and the ended ones of " +
    "the last 30 days (sent, canceled, rejected).",
  scope: "emails:read",
  audit: "read",
  emailsIn: () => 0,
  input: z.object({
    status: z.enum(draftStatuses).optional().describe("Only drafts of this status"),
    mailbox_id: z.string().optional().describe("Only this mailbox; see list_mailboxes"),
    limit: z.int().min(1).max(100).default(20).describe(
      "Drafts a page, 1 to 100",
    ),
    cursor: z.string().max(500).optional().describe("next_cursor of the page before"),
    max_chars: maxCharsField,
  }),
  output: z.object({
    drafts: z.array(draftRecord),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
  fit: (output, maxChars) =>
    fitRows(output, "drafts", maxChars, (kept) => ({
      has_more: true,
      next_cursor: encodeCursor([kept.at(-1)!.draft_id]),
    })),
  async run(service, caller, input, call) {
    const { status, mailbox_id, limit, cursor } = input;
    call.audit({ mailboxId: mailbox_id ?? null });
    await requireMailbox(service, caller, mailbox_id);
    const after = cursor === undefined ? undefined : decodeCursor(cursor, ["id"])[0];
    const visible = await visibleMailboxIds(service, caller);
    const rows = service.database.list<Draft>(
      keys.range(keys.drafts(caller.userId), { end: after }),
      { reverse: true },
    );
    const chosen: Draft[] = [];
    let last: string | null = null, left = maxScannedRows;
    const maxChars = input.max_chars ?? call.maxChars;
    const mostBytes = bodyBytesFor(maxChars);
    let bytes = 0;
    const page = async (more: boolean) => {
      await call.reserve?.(bytes);
      const drafts = await recordsOf(service, caller, chosen, maxChars);
      const next_cursor = more && last !== null ? encodeCursor([last]) : null;
      return { drafts, has_more: more, next_cursor };
    };
    for await (const { key, value: draft } of rows) {
      const passes = draft && (status === undefined || draft.status === status) &&
        (mailbox_id === undefined || draft.mailboxId === mailbox_id) &&
        visible.has(draft.mailboxId);
      const isFull = chosen.length === limit || bytes >= mostBytes;
      if (left-- <= 0 || (passes && isFull)) return await page(true);
      last = String(key.at(-1));
      if (!passes) continue;
      chosen.push(draft);
      bytes += bodyBytes(draft);
    }
    return await page(false);
  },
});

/** The records of drafts that were read, without those that are gone meanwhile or damaged. */
export async function recordsOf(
  service: Service,
  caller: Caller,
  drafts: readonly Draft[],
  maxChars: number | undefined,
): Promise<DraftRecord[]> {
  const records: DraftRecord[] = [];
  const slices = new TimeSlices(service.clock, caller.userId);
  for (const draft of drafts) {
    const record = await nullIfDeleted(
      recordFor(service, draft, { slices, maxChars }).catch((error) => {
        if (!(error instanceof StaleRevision)) throw error;
        return shownDraft(service, caller, draft.draftId, { maxChars });
      }).catch((error) => {
        if (error instanceof ServiceError) throw error;
        reportDamaged(service.log, { table: "drafts", id: draft.draftId }, error);
        return null;
      }),
    );
    if (record) records.push(record);
  }
  return records;
}
