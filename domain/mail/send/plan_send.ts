import { invalidField, notFound, ServiceError } from "../../core/errors.ts";
import type { Caller } from "../../core/caller.ts";
import type { MailAddress } from "../../../mime/headers/address_list.ts";
import {
  automaticFields,
  type AutomaticMarks,
  automaticMarks,
} from "../../../mime/headers/automatic.ts";
import { FieldNames } from "../../../mime/headers/field_names.ts";
import {
  headerValues,
  messageHeaderLimits,
  readHeader,
} from "../../../mime/headers/header_fields.ts";
import { headRange } from "../../../mime/headers/header_range.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import { ownAddresses } from "../../mailboxes/own_addresses.ts";
import { isActive, type Route } from "../../mailboxes/route.ts";
import { readMailbox } from "../../mailboxes/visible_mailboxes.ts";
import { readBlob } from "../../store/blobs.ts";
import type { Reads } from "../read/reads.ts";
import { whileThere } from "../read/parsing/stored_message.ts";
import * as keys from "../../store/keys.ts";
import type { Answered } from "./outgoing_message.ts";
import { planReply, type ReplyRefusal } from "./reply_rules.ts";
import { readEmailWith } from "../read/shown_rows.ts";
import type { Email } from "../record/email.ts";
import { hasArrived } from "../record/email_row.ts";

/** The caller's mailbox with the given id or address, or both. */
export async function senderOf(
  service: Reads,
  caller: Caller,
  input: { mailbox_id?: string; from?: MailAddress },
): Promise<Mailbox> {
  const mailboxId = input.mailbox_id ?? await ownedBy(service, caller, input.from?.address ?? "");
  if (!mailboxId) throw notFound("mailbox");
  const mailbox = await readMailbox(service.database, caller, mailboxId);
  if (input.from && input.from.address.toLowerCase() !== mailbox.address) {
    const reason = "from is not the address of mailbox_id";
    throw new ServiceError("VALIDATION_ERROR", reason, { from: reason });
  }
  return mailbox;
}

async function ownedBy(service: Reads, caller: Caller, address: string): Promise<string | null> {
  const route = await service.database.get<Route>(keys.mailboxByAddress(address.toLowerCase()));
  return isActive(route) && route.userId === caller.userId ? route.mailboxId : null;
}

/**
 * Mailbox, recipients, subject and threading of a reply, and the email that it answers. Throws VALIDATION_ERROR if this is not
 * to be answered.
 */
export async function replyTo(
  service: Reads,
  caller: Caller,
  input: { email_id: string; reply_all?: boolean; cc?: MailAddress[]; bcc?: MailAddress[] },
) {
  const { email: parent, mailbox, beside: [marks, own] } = await readEmailWith(
    service,
    caller,
    input.email_id,
    (email) =>
      Promise.all([marksOf(service, email), ownAddressesIn(service, caller.userId, email)]),
  );
  const plan = planReply(
    {
      ...parent,
      from: parent.from.address ? parent.from : null,
      inReplyTo: parent.inReplyTo[0] ?? null,
      marks,
    },
    {
      replyAll: input.reply_all ?? false,
      cc: input.cc ?? [],
      bcc: input.bcc ?? [],
      ownAddresses: own,
    },
  );
  if (!plan.ok) throw refusal(plan.refused, plan.reason);
  const { ok: _, inReplyTo, references, autoSubmitted, ...planned } = plan;
  const answers: Answered = {
    ...{ inReplyTo, references, autoSubmitted },
    parentId: parent.emailId,
    parentMessageId: parent.messageId,
    parentThreadId: parent.threadId,
    parentDateMs: parent.date,
  };
  return { parent, reply: { mailbox, ...planned, replyTo: [], answers } };
}

/** Of the addresses in the email. */
function ownAddressesIn(service: Reads, userId: string, parent: Email): Promise<string[]> {
  const named = [parent.from, ...parent.replyTo, ...parent.to, ...parent.cc];
  return ownAddresses(service, userId, named.map(({ address }) => address));
}

const wantedFields = new FieldNames(automaticFields);

/** Reads the header fields of automatic mail from the first chunk of the message. Fields after it are not seen. */
async function marksOf(service: Reads, email: Email): Promise<AutomaticMarks> {
  const beginning = readBlob(service.database, email.raw).next();
  const { value: front = new Uint8Array() } = await whileThere(service, email, beginning);
  const { bytes, start, end } = headRange(front, front.length);
  const { fields } = readHeader(bytes, start, end, wantedFields, messageHeaderLimits);
  return automaticMarks(
    headerValues(fields),
    hasArrived(email) ? email.envelope.from : null,
  );
}

function refusal(refused: ReplyRefusal, reason: string): ServiceError {
  return invalidField(refused === "too_many_recipients" ? "reply_all" : "email_id", reason);
}
