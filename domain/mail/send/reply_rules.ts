import {
  checkedAddress,
  hasLineBreakOrControl,
  type MailAddress,
} from "../../../mime/headers/address_list.ts";
import { type AutomaticMarks, isAutomatic, maxHops } from "../../../mime/headers/automatic.ts";
import { maxSendRecipients } from "./send_input.ts";
import { maxSentReferencesChars } from "../../../mime/headers/limits.ts";
import { capReferences } from "../../../mime/headers/parse_head.ts";
import { replyPrefixes } from "../../../mime/headers/subject.ts";
import { unambiguousDomain } from "../../core/host_name.ts";
import { mailboxForm } from "../../mailboxes/address.ts";

/** The fields of the answered message that the rules need. */
export interface ReplyParent {
  direction: "inbound" | "outbound";
  from: MailAddress | null;
  replyTo: readonly MailAddress[];
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  messageId: string | null;
  inReplyTo: string | null;
  references: readonly string[];
  subject: string;
  marks: AutomaticMarks;
}

export interface ReplyOptions {
  replyAll: boolean;
  cc: readonly MailAddress[];
  bcc: readonly MailAddress[];
  /** Addresses of mailboxes of the account, and those that are held for it. */
  ownAddresses: readonly string[];
}

/** The recipients and headers of a reply, or why it is refused. */
export type ReplyPlan = {
  ok: true;
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  subject: string;
  inReplyTo: string | null;
  references: string[];
  /** The answered message was automatic, so the reply is marked as automatic too (RFC 3834 5). */
  autoSubmitted: boolean;
} | { ok: false; refused: ReplyRefusal; reason: string };

export type ReplyRefusal = "no_recipient" | "too_many_recipients" | "loop";

/**
 * The rules of a reply (docs/specification.md "Reply", RFC 5322 3.6.2 to 3.6.4, RFC 3834).
 *
 * A reply goes to Reply-To, else to From; a reply to sent mail goes to its recipients. Reply-all adds everybody else of To
 * and Cc and leaves out the account's own addresses, unless nobody would be left. Mail with a null reverse path, delivery
 * reports and mail in a loop are not replied to. A reply to other automatic mail is marked `auto-replied`; the caller
 * allows one an hour in a thread.
 */
export function planReply(parent: ReplyParent, options: ReplyOptions): ReplyPlan {
  const loop = loopReason(parent.marks);
  if (loop) return { ok: false, refused: "loop", reason: loop };
  const { to, cc, bcc } = replyRecipients(parent, options);
  if (to.length === 0) {
    return {
      ok: false,
      refused: "no_recipient",
      reason:
        "the email has no address to reply to; what is before its @ must be ASCII without quotes",
    };
  }
  const count = to.length + cc.length + bcc.length;
  if (count > maxSendRecipients) {
    return {
      ok: false,
      refused: "too_many_recipients",
      reason: `the reply would go to ${count} recipients, at most ${maxSendRecipients} are allowed`,
    };
  }
  return {
    ok: true,
    to,
    cc,
    bcc,
    subject: replySubject(parent.subject),
    inReplyTo: headerMessageId(parent.messageId),
    references: replyReferences(parent),
    autoSubmitted: isAutomatic(parent.marks),
  };
}

function replyRecipients(parent: ReplyParent, options: ReplyOptions) {
  const own = new Set(options.ownAddresses.map(mailboxForm));
  const isOther = ({ address }: MailAddress) => !own.has(mailboxForm(address));
  const [replyTo, from, parentTo, parentCc] = [
    parent.replyTo,
    parent.from ? [parent.from] : [],
    parent.to,
    parent.cc,
  ].map(usable);
  const answered = parent.direction === "outbound" ? parentTo : replyTo.length > 0 ? replyTo : from;
  const everybody = [...parentTo, ...parentCc];

  const seen = new Set<string>();
  const once = ({ address }: MailAddress) => {
    const form = address.toLowerCase();
    return !seen.has(form) && Boolean(seen.add(form));
  };
  if (!options.replyAll) {
    return {
      to: answered.filter(once),
      cc: options.cc.filter(once),
      bcc: options.bcc.filter(once),
    };
  }
  let to = answered.filter(isOther).filter(once);
  let cc = everybody.filter(isOther).filter(once);
  if (to.length === 0) [to, cc] = cc.length > 0 ? [cc, []] : [answered.filter(once), []];
  cc.push(...options.cc.filter(once));
  return { to, cc, bcc: options.bcc.filter(once) };
}

/**
 * The addresses of a received header that mail can be sent to; the others are left out. So is one whose domain has two
 * readings: mail would go to another host than the one that was checked.
 */
function usable(addresses: readonly MailAddress[]): MailAddress[] {
  return addresses.flatMap(({ name, address: given }) => {
    const address = checkedAddress(given);
    if (!address || !unambiguousDomain(given)) return [];
    return [name && !hasLineBreakOrControl(name) ? { name, address } : { address }];
  });
}

function loopReason(marks: AutomaticMarks): string | null {
  if (marks.nullReversePath || marks.isReport) {
    return "a delivery report is not replied to (RFC 3834 2)";
  }
  return marks.hops > maxHops ? `the email has been through more than ${maxHops} hosts` : null;
}

/** The subject with one `Re:` in place of its reply prefixes in any language. */
export function replySubject(subject: string): string {
  return `Re: ${subject.replace(replyPrefixes, "").trim()}`.trimEnd();
}

/**
 * References of a reply: those of the parent and the parent itself (RFC 5322 3.6.4), or of many the first and the newest,
 * which every relay takes.
 */
function replyReferences(parent: ReplyParent): string[] {
  const before = parent.references.length > 0 ? parent.references : [parent.inReplyTo];
  const all = [...before, parent.messageId].map(headerMessageId)
    .filter((id): id is string => id !== null);
  return capReferences([...new Set(all)], maxSentReferencesChars).kept;
}

/** A received Message-ID in header form; null if it is not safe to write into a header. */
function headerMessageId(id: string | null): string | null {
  const bare = id?.trim().replace(/^<|>$/g, "") ?? "";
  return bare.length <= maxMessageIdLength && safeMessageId.test(bare) ? `<${bare}>` : null;
}

/** A line holds 998 characters (RFC 5322 2.1.1), and an id cannot be folded. */
const maxMessageIdLength = 900;
const safeMessageId = /^[!-;=?-~]+$/;
