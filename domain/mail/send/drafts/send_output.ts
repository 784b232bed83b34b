import { z } from "zod";
import { isoTime, timestampField } from "../../../core/clock.ts";
import type { Service } from "../../../core/service.ts";
import type { Submission } from "../outgoing_message.ts";
import type { Draft } from "../../record/draft.ts";
import {
  approvalLink,
  approvalUrlOutput,
  contentHashOutput,
  reasonRecord,
  reasonsOf,
} from "./draft_record.ts";
import { truncatedField } from "../../record/email_record.ts";
import { provenances, sendOutput } from "../../record/send_output.ts";

/** The answer of a send that waits for its time or for a person. */
const heldOutput = z.object({
  draft_id: z.string().describe("For get_draft and delete_draft, which cancels it"),
  mailbox_id: z.string(),
  status: z.enum(["scheduled", "pending_approval"]),
  send_at: timestampField.nullable(),
  content_hash: contentHashOutput,
  reasons: z.array(reasonRecord).describe("Why a person must approve it"),
  approval_url: approvalUrlOutput,
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  created_at: timestampField,
  truncated: truncatedField,
}).meta({ id: "HeldEmail", description: "An email that waits for its time or for a person" });

export const dryRunOutput = z.object({
  dry_run: z.literal(true),
  would: z.enum(["send", "schedule", "pending_approval", "refuse"]),
  content_hash: contentHashOutput,
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  subject: z.string(),
  size: z.number().int().describe(
    "Bytes of the message; at least so many if it is surely too large",
  ),
  recipients: z.array(z.object({ address: z.string(), provenance: z.enum(provenances) }))
    .describe("Every address that is judged: to, cc, bcc and reply_to, each once"),
  reasons: z.array(reasonRecord).describe("Why it would be refused or wait for a person"),
  truncated: truncatedField,
}).meta({ id: "DryRun", description: "What a send would do; nothing was sent or written" });

/** What a draft answers to send and approve. */
export const draftSendOutput = z.union([sendOutput, heldOutput]);
export type DraftSendOutput = z.output<typeof draftSendOutput>;

/** What send, reply and forward answer. */
export const sendResult = z.union([sendOutput, heldOutput, dryRunOutput]);
export type SendResult = z.output<typeof sendResult>;

export function heldOutputOf(
  service: Pick<Service, "settings">,
  draft: Draft,
  { mailbox, to, cc, subject }: Pick<Submission, "mailbox" | "to" | "cc" | "subject">,
  hash: string,
): z.output<typeof heldOutput> {
  return {
    draft_id: draft.draftId,
    mailbox_id: draft.mailboxId,
    status: draft.status as "scheduled" | "pending_approval",
    send_at: draft.sendAt === null ? null : isoTime(draft.sendAt),
    content_hash: hash,
    reasons: reasonsOf(draft.reasons),
    ...approvalLink(service, draft),
    from: mailbox.address,
    to: to.map(({ address }) => address),
    cc: cc.map(({ address }) => address),
    subject,
    created_at: isoTime(draft.createdAt),
  };
}
