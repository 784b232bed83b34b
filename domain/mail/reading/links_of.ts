import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { listLinks, type MailLink } from "../../../mime/verification/mail_links.ts";
import type { ReadMail } from "../../../mime/verification/read_mail.ts";
import type { Email } from "../record/email.ts";

/** What codes and links of an email are read from. */
export function readMailOf({ subject, from }: Email, { text, html }: MessageBody): ReadMail {
  const senderDomain = from.address.split("@").at(-1)?.toLowerCase() ?? null;
  return { subject, text, html, senderDomain };
}

/** The links of an email, numbered. */
export function linksOf(email: Email, body: MessageBody): MailLink[] {
  return listLinks(readMailOf(email, body));
}
