import { deleteDraft, rejectDraft } from "../../domain/mail/send/drafts/end_draft.ts";
import { getDraft, listDrafts } from "../../domain/mail/send/drafts/list_drafts.ts";
import { approveDraft, sendDraft } from "../../domain/mail/send/drafts/send_draft.ts";
import { updateDraft } from "../../domain/mail/send/drafts/update_draft.ts";
import { createDraft } from "../../domain/mail/send/create_draft.ts";
import { largeBodyBytes } from "../http/bodies/body.ts";
import { inData, pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

const drafts = { family: "v1", tag: "Drafts" } as const;
const ofDraft = { ...drafts, params: { draftId: "draft_id" }, envelope: inData };
const one = "/v1/api/drafts/:draftId";

export const draftRoutes: RestRoute[] = [
  {
    ...drafts,
    method: "POST",
    path: "/v1/api/drafts",
    operation: createDraft,
    input: "json",
    strict: true,
    headers: { "Idempotency-Key": "idempotency_key" },
    status: 201,
    envelope: inData,
    maxBodyBytes: largeBodyBytes,
  },
  {
    ...drafts,
    method: "GET",
    path: "/v1/api/drafts",
    operation: listDrafts,
    input: "query",
    envelope: pageIn("drafts"),
  },
  { ...ofDraft, method: "GET", path: one, operation: getDraft, input: "query" },
  {
    ...ofDraft,
    method: "PATCH",
    path: one,
    operation: updateDraft,
    input: "json",
    strict: true,
    maxBodyBytes: largeBodyBytes,
  },
  { ...ofDraft, method: "DELETE", path: one, operation: deleteDraft, input: "none" },
  {
    ...ofDraft,
    method: "POST",
    path: `${one}/send`,
    operation: sendDraft,
    input: "json",
    bodyOptional: true,
    strict: true,
    status: 201,
  },
  {
    ...ofDraft,
    method: "POST",
    path: `${one}/approve`,
    operation: approveDraft,
    input: "json",
    strict: true,
    status: 201,
  },
  {
    ...ofDraft,
    method: "POST",
    path: `${one}/reject`,
    operation: rejectDraft,
    input: "json",
    bodyOptional: true,
    strict: true,
  },
];
