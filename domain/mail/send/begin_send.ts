import { unavailable } from "../../core/errors.ts";
import type { OperationCall } from "../../core/operation.ts";
import type { Caller } from "../../core/caller.ts";
import type { Service } from "../../core/service.ts";
import type { MailAddress } from "../../../mime/headers/address_list.ts";
import { rememberedOutput } from "../lifecycle/idempotency.ts";
import { readFiles, unlessAnswered, type Unread } from "./files/read_files.ts";
import { hashOf, judgedAddresses, type Submission } from "./outgoing_message.ts";
import { requireContentSize } from "./message_size.ts";
import { rehearse, submit } from "./submit.ts";
import { named, reasonsOf } from "./drafts/draft_record.ts";
import { requireHash } from "./drafts/draft.ts";
import { requireRoom, saveDraft, sendTime } from "./drafts/save_draft.ts";
import { heldOutputOf, type SendResult } from "./drafts/send_output.ts";
import { readable } from "./content/readable.ts";
import type { Reason } from "../record/send_output.ts";

/** How a send, reply or forward is to be done; the fields of their inputs. */
export interface HowToSend {
  send_at?: string;
  dry_run?: boolean;
  content_hash?: string;
}

/** The policy of the mailbox may change between two commits, but not this many times in a row. */
const mostTurns = 3;

/** Sends a message now, keeps it until its time or until a person has approved it, or only answers what it would do. */
export async function beginSend(
  service: Service,
  caller: Caller,
  call: Pick<OperationCall, "audit" | "reserve">,
  unread: Unread,
  how: HowToSend,
  replyToEmailId: string | null = null,
): Promise<SendResult> {
  const now = service.clock.now();
  const firstAnswer = async () => {
    if (how.dry_run) return null;
    const { mailbox: { mailboxId }, idempotencyKey } = unread;
    const known = await rememberedOutput<SendResult>(service.database, idempotencyKey, now);
    if (known) call.audit({ mailboxId, emailId: "email_id" in known ? known.email_id : null });
    return known;
  };
  // Before `send_at` and the files, because a repeated call may come after their time.
  const known = await firstAnswer();
  if (known) return known;
  const sendAt = sendTime(service, how.send_at);
  const read = await unlessAnswered(readFiles(service, caller, call, unread), firstAnswer);
  if ("answer" in read) return read.answer;
  const { files: _files, ...message } = unread;
  const submission: Submission = { ...message, ...read.result };
  // A dry run answers that it would be refused.
  if (!how.dry_run) requireContentSize(service, caller, submission);
  if (how.content_hash !== undefined) requireHash(hashOf(submission), how.content_hash);
  if (how.dry_run) {
    call.audit(null);
    return await dryRun(service, caller, submission, sendAt);
  }
  for (let turn = 0; turn < mostTurns; turn++) {
    if (sendAt === null) {
      const sent = await submit(service, caller, call, submission);
      if ("output" in sent) return sent.output;
    }
    const held = await saveDraft(service, call, await readable(service, submission), {
      draft: null,
      isToSend: true,
      sendAt,
      replyToEmailId,
      outputOf: (draft, hash) => heldOutputOf(service, draft, submission, hash),
    });
    if (held) return held;
  }
  throw unavailable("The policy of the mailbox changes all the time.");
}

async function dryRun(
  service: Service,
  caller: Caller,
  submission: Submission,
  sendAt: number | null,
): Promise<SendResult> {
  const { size, judgement, failure } = await rehearse(service, caller, submission, {
    isLater: sendAt !== null,
    require: (tx) => requireRoom(tx, service, submission),
  });
  const recipients = judgedAddresses(submission).map((address) => ({
    address,
    provenance: judgement.provenances.get(address) ?? "new" as const,
  }));
  const written = ({ name, address }: MailAddress) => name ? named(name, address) : address;
  const refused: readonly Reason[] = judgement.refused.length > 0
    ? judgement.refused
    : failure
    ? recipients.map(({ address, provenance }) => ({
      recipient: address,
      provenance,
      code: failure.code,
    }))
    : [];
  const would = refused.length > 0
    ? "refuse"
    : judgement.wanted.length > 0
    ? "pending_approval"
    : sendAt === null
    ? "send"
    : "schedule";
  const { mailbox, fromName, to, cc, bcc, subject } = submission;
  return {
    dry_run: true,
    would,
    content_hash: hashOf(submission),
    from: written({ ...(fromName ? { name: fromName } : {}), address: mailbox.address }),
    to: to.map(written),
    cc: cc.map(written),
    bcc: bcc.map(written),
    subject,
    size,
    recipients,
    reasons: reasonsOf(refused.length > 0 ? refused : judgement.wanted),
  };
}
