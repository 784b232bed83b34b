import { largeMessageBytes, type ReadHead } from "../../../mime/body/parse_question.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { listLinks, type MailLink } from "../../../mime/verification/mail_links.ts";
import { unambiguousDomain } from "../../core/host_name.ts";
import type { Reads } from "./reads.ts";
import type { Email } from "../record/email.ts";
import { readBody } from "./parsing/parsed_bodies.ts";
import { storedMessage } from "./parsing/stored_message.ts";

/** What the head of an email has for those who look for its codes and links. */
export function readHeadOf({ subject, from }: Email): ReadHead {
  return { subject, senderDomain: unambiguousDomain(from.address) };
}

/**
 * Whether codes and links are looked for on this thread. Those of large mail can take a second: a Worker reads it and
 * looks for them, so its body is not read before.
 */
export function isQuickToRead({ size, parsed }: Email): boolean {
  return size < largeMessageBytes || Boolean(parsed?.problem);
}

/**
 * The links of an email, numbered; none if they were not found in time. `body` if it is read already. Throws NOT_FOUND if
 * the email was deleted meanwhile.
 */
export async function linksOf(
  service: Reads,
  email: Email,
  body?: MessageBody,
): Promise<MailLink[]> {
  const head = readHeadOf(email);
  if (isQuickToRead(email)) {
    return listLinks({ ...head, ...body ?? await readBody(service, email) });
  }
  return await service.parsing.links(storedMessage(service, email), head) ?? [];
}
