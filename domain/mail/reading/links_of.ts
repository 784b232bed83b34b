import { largeMessageBytes, type ReadHead } from "../../../mime/body/parse_question.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { listLinks, type MailLink } from "../../../mime/verification/mail_links.ts";
import type { Service } from "../../core/service.ts";
import type { Email } from "../record/email.ts";
import { storedMessage } from "./parsing/stored_message.ts";

/** What the head of an email says to those who look for its codes and links. */
export function readHeadOf({ subject, from }: Email): ReadHead {
  return { subject, senderDomain: from.address.split("@").at(-1)?.toLowerCase() ?? null };
}

/** Whether codes and links are looked for on this thread: those of large mail can take a second. */
export function isQuickToRead({ size }: Email, { problem }: MessageBody): boolean {
  return size < largeMessageBytes || problem !== null;
}

/** The links of an email, numbered; none if they were not found in time. Throws NOT_FOUND if it was deleted meanwhile. */
export async function linksOf(
  service: Service,
  email: Email,
  body: MessageBody,
): Promise<MailLink[]> {
  const head = readHeadOf(email);
  if (isQuickToRead(email, body)) return listLinks({ ...head, ...body });
  return await service.parsing.links(storedMessage(service, email), head) ?? [];
}
