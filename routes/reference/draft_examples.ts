import { draft, email_id, mailbox_id, page, reason, sent } from "./example_records.ts";
import type { RouteExample } from "./route_examples.ts";

/** Examples of forwards and drafts, by operation name. */
export const draftExamples: Record<string, RouteExample> = {
  forward_email: {
    input: { email_id, to: ["grace@example.org"], body_text: "For you.", as: "inline" },
    output: { ...sent, to: ["grace@example.org"], subject: "Fwd: Your order" },
  },
  create_draft: {
    input: {
      mailbox_id,
      to: ["Ada <ada@example.net>"],
      subject: draft.subject,
      body_text: draft.body_text,
    },
    output: draft,
  },
  list_drafts: {
    input: { status: "pending_approval", limit: 20 },
    output: { drafts: [{ ...draft, status: "pending_approval", reasons: [reason] }], ...page },
  },
  get_draft: { input: { draft_id: draft.draft_id }, output: draft },
  update_draft: {
    input: { draft_id: draft.draft_id, subject: "Your order has left" },
    output: { ...draft, subject: "Your order has left" },
  },
  delete_draft: {
    input: { draft_id: draft.draft_id },
    output: { ...draft, status: "canceled" },
  },
  send_draft: {
    input: { draft_id: draft.draft_id, content_hash: draft.content_hash },
    output: { ...sent, subject: draft.subject, draft_id: draft.draft_id },
  },
  approve_draft: {
    input: { draft_id: draft.draft_id, content_hash: draft.content_hash },
    output: { ...sent, subject: draft.subject, draft_id: draft.draft_id },
  },
  reject_draft: {
    input: { draft_id: draft.draft_id, reason: "Not to this address." },
    output: { ...draft, status: "rejected", reject_reason: "Not to this address." },
  },
};
