import { ServiceError } from "../../../core/errors.ts";
import {
  dateField,
  hasOneReading,
  rewritten,
  submittedHead,
} from "../../../../mime/compose/submitted.ts";
import { checkedAddress, type MailAddress } from "../../../../mime/headers/address_list.ts";
import {
  type MessageHead,
  parseFieldAddresses,
  parseHead,
} from "../../../../mime/headers/parse_head.ts";
import { unambiguousDomain } from "../../../core/host_name.ts";
import { normaliseAddress } from "../../../mailboxes/address.ts";
import type { Mailbox } from "../../../mailboxes/mailbox.ts";
import { isControlHeader } from "../content/extra_headers.ts";
import { sha256Of } from "../../record/content_hash.ts";
import { messageIdOf, type Submission } from "../outgoing_message.ts";
import { uniqueAddresses } from "../../lifecycle/sending.ts";

/** A transaction of a client: the bytes of DATA, and who gets them. */
export interface Transaction {
  bytes: Uint8Array;
  /** Each once. */
  recipients: readonly string[];
  /** Addresses that were refused as recipients: To and Cc may name them. */
  refused: readonly string[];
}

/** The fields whose addresses other programs and people answer to, besides To and Cc. */
const answerFields = [
  ...["reply-to", "mail-followup-to", "mail-reply-to", "disposition-notification-to"],
];
/** All of them are judged in the commit that sends. */
const maxNamed = 100;
/** Fields that a message has at most once (RFC 5322, section 3.6; RFC 2045): readers choose different ones of two. */
const single = [
  ...["from", "sender", "reply-to", "to", "cc", "subject", "date", "message-id", "in-reply-to"],
  ...["references", "content-type", "content-transfer-encoding", "content-disposition"],
];

/**
 * The message of a transaction: as it came, without `Bcc` and the control fields of relays, with `Date` and `Message-ID` if
 * it has none. `id` is in a new Message-ID. Throws BAD_REQUEST if it is malformed, VALIDATION_ERROR with `from` if From is
 * not the mailbox alone, and VALIDATION_ERROR if it names too many addresses.
 */
export function readSubmitted(
  mailbox: Mailbox,
  { bytes, recipients, refused }: Transaction,
  { id, now }: { id: string; now: number },
): Omit<Submission, "idempotencyKey"> & Required<Pick<Submission, "written">> {
  const found = submittedHead(bytes);
  if (typeof found === "string") throw new ServiceError("BAD_REQUEST", found);
  const twice = single.find((name) => (found.counts.get(name) ?? 0) > 1);
  if (twice === "from") throw wrongFrom(mailbox);
  if (twice) throw new ServiceError("BAD_REQUEST", `The message has the field ${twice} twice`);
  const head = parseHead(bytes);
  if (!isFrom(mailbox, head) || !hasOneReading(bytes, found)) throw wrongFrom(mailbox);
  const visible = parseFieldAddresses(bytes, ["to", "cc"]);
  const answers = parseFieldAddresses(bytes, answerFields);
  if (visible.cut || answers.cut || visible.kept.length + answers.kept.length > maxNamed) {
    const reason = `must name at most ${maxNamed} addresses in its header`;
    throw new ServiceError("VALIDATION_ERROR", `The message ${reason}`, { message: reason });
  }
  const isIn = (list: readonly string[], address: string) =>
    list.some((each) => each.toLowerCase() === address.toLowerCase());
  const seen = visible.kept.map(inAscii);
  const messageId = head.messageId ?? messageIdOf(mailbox, id);
  const isRemoved = (name: string) =>
    name === "bcc" || name === "resent-bcc" || isControlHeader(name) ||
    (name === "message-id" && head.messageId === null);
  const written = rewritten(bytes, found, isRemoved, {
    ...found.counts.has("date") ? {} : { Date: dateField(now) },
    ...head.messageId === null ? { "Message-ID": messageId } : {},
  });
  return {
    mailbox,
    fromName: head.from?.name || undefined,
    to: head.to.map(asWritten),
    cc: head.cc.map(asWritten),
    bcc: recipients.filter((each) => !isIn(seen, each)).map((address) => ({ address })),
    replyTo: head.replyTo.map(asWritten),
    subject: head.subject,
    attachments: [],
    automatic: head.isAutomatic,
    written: {
      bytes: written,
      sha256: sha256Of(written),
      recipients,
      named: uniqueAddresses([
        ...seen.filter((each) => !isIn(refused, each)),
        ...answers.kept.map(inAscii),
      ]),
      messageId,
      dateMs: head.dateMs ?? now - now % 1_000,
      inReplyTo: head.inReplyTo,
      references: head.references,
    },
  };
}

/** The address with its domain as in all records. */
const inAscii = ({ address }: MailAddress): string => checkedAddress(address) ?? address;

function asWritten(person: MailAddress): MailAddress {
  return { ...person, address: inAscii(person) };
}

/** Whether From is the mailbox alone. */
export function isFrom(
  mailbox: Pick<Mailbox, "address">,
  { authors, authorsCut }: Pick<MessageHead, "authors" | "authorsCut">,
): boolean {
  return authors.length === 1 && !authorsCut && isAddressOf(mailbox, authors[0]);
}

/** Whether this is the mailbox's address, in any case, its domain in ASCII or not (RFC 5891). */
export function isAddressOf({ address }: Pick<Mailbox, "address">, text: string): boolean {
  return unambiguousDomain(text) !== null && normaliseAddress(text)?.address === address;
}

function wrongFrom({ address }: Mailbox): ServiceError {
  const reason = `must be ${address} alone, the mailbox that is logged in`;
  return new ServiceError("VALIDATION_ERROR", `From ${reason}`, { from: reason });
}
