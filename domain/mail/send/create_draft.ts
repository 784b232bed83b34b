import type { z } from "zod";
import { operation } from "../../core/operation.ts";
import type { Caller } from "../../core/caller.ts";
import type { Service } from "../../core/service.ts";
import { idempotencyKey, rememberedOutput } from "../lifecycle/idempotency.ts";
import type { Submission } from "./outgoing_message.ts";
import { readFiles, unlessAnswered } from "./files/read_files.ts";
import { draftInputSchema } from "./send_input.ts";
import { sendErrors } from "./submit.ts";
import { fitRecord } from "../read/budget.ts";
import { draftRecord, shownDraft } from "./drafts/draft_record.ts";
import { saveDraft, sendTime } from "./drafts/save_draft.ts";
import { asWritten, contentOf, quoting } from "./content/mailbox_words.ts";
import { replyTo, senderOf } from "./plan_send.ts";

/** Remembered under an idempotency key: the record itself may be too long for a row. */
interface Made {
  draft_id: string;
  mailbox_id: string;
}

export const createDraft = operation({
  name: "create_draft",
  title: "Create a draft",
  description:
    "Keeps a message without sending it: a new email (mailbox_id or from, to, subject, body) or, with reply_to_email_id, a reply. send_draft sends it; with send_at " +
    "it is sent at that time by itself. Use it to prepare a mail that a person is to look at first. The answer has the draft_id and the content_hash.",
  scope: "emails:send",
  audit: "change",
  input: draftInputSchema,
  output: draftRecord,
  errors: sendErrors,
  fit: fitRecord,
  async run(service, caller, input, call) {
    const key = idempotencyKey(caller.userId, "create_draft", input);
    const now = service.clock.now();
    const firstAnswer = async () => {
      const known = await rememberedOutput<Made>(service.database, key, now);
      if (!known) return null;
      call.audit({ mailboxId: known.mailbox_id });
      return await shownDraft(service, caller, known.draft_id);
    };
    const known = await firstAnswer();
    if (known) return known;
    const sendAt = sendTime(service, input.send_at);
    const { parent, message } = await addressed(service, caller, input);
    const written = await asWritten(service.database, { ...message, ...contentOf(input) });
    const { files, ...content } = input.quote && parent
      ? await quoting(service, caller, parent, written)
      : written;
    const reading = readFiles(service, caller, call, { ...content, files });
    const read = await unlessAnswered(reading, firstAnswer);
    if ("answer" in read) return read.answer;
    const submission: Submission = { ...content, ...read.result, idempotencyKey: key };
    const made = await saveDraft<Made>(service, call, submission, {
      draft: null,
      isToSend: false,
      sendAt,
      replyToEmailId: parent?.emailId ?? null,
      outputOf: ({ draftId, mailboxId }) => ({ draft_id: draftId, mailbox_id: mailboxId }),
    });
    return await shownDraft(service, caller, made!.draft_id);
  },
});

/** A message without its content, and the email that it answers, if it is a reply. */
async function addressed(
  service: Service,
  caller: Caller,
  input: z.output<typeof draftInputSchema>,
) {
  const { reply_to_email_id: email_id, reply_all, cc = [], bcc = [] } = input;
  if (email_id !== undefined) {
    const { parent, reply } = await replyTo(service, caller, { email_id, reply_all, cc, bcc });
    return { parent, message: reply };
  }
  const message = {
    mailbox: await senderOf(service, caller, input),
    fromName: input.from?.name,
    to: input.to ?? [],
    cc,
    bcc,
    replyTo: input.reply_to ?? [],
    subject: input.subject ?? "",
  };
  return { parent: null, message };
}
