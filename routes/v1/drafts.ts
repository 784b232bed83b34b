import { deleteDraft, rejectDraft } from "../../domain/mail/send/drafts/end_draft.ts";
import { getDraft, listDrafts } from "../../domain/mail/send/drafts/list_drafts.ts";
import { approveDraft, sendDraft } from "../../domain/mail/send/drafts/send_draft.ts";
import { updateDraft } from "../../domain/mail/send/drafts/update_draft.ts";
import { createDraft } from "../../domain/mail/send/create_draft.ts";
import { largeBodyBytes } from "../http/bodies/body.ts";
import { pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";

const row = rowsOf("/v1/api/drafts", {
  family: "v1",
  tag: "Drafts",
  params: { draftId: "draft_id" },
});

export const draftRoutes: RestRoute[] = [
  row("POST", "", createDraft, "json", {
    strict: true,
    headers: { "Idempotency-Key": "idempotency_key" },
    status: 201,
    maxBodyBytes: largeBodyBytes,
  }),
  row("GET", "", listDrafts, "query", { envelope: pageIn("drafts") }),
  row("GET", "/:draftId", getDraft, "query"),
  row("PATCH", "/:draftId", updateDraft, "json", { strict: true, maxBodyBytes: largeBodyBytes }),
  row("DELETE", "/:draftId", deleteDraft, "none"),
  row("POST", "/:draftId/send", sendDraft, "json", {
    bodyOptional: true,
    strict: true,
    status: 201,
  }),
  row("POST", "/:draftId/approve", approveDraft, "json", { strict: true, status: 201 }),
  row("POST", "/:draftId/reject", rejectDraft, "json", { bodyOptional: true, strict: true }),
];
