import type { IndexedEmail } from "../ports/search_index.ts";
import type { Address, Email } from "../mail/record/email.ts";
import type { MessageBody } from "../../mime/body/parse_body.ts";

/** Text after this many characters is not searchable. */
export const maxIndexedCharacters = 250_000;

/** The part of a body that the search index needs. */
type IndexedBody = Pick<MessageBody, "text" | "attachedTexts" | "attachments">;

/** An email in the form that the search index takes. */
export function indexedEmail(email: Email, body: IndexedBody): IndexedEmail {
  return {
    userId: email.userId,
    emailId: email.emailId,
    mailboxId: email.mailboxId,
    direction: email.direction,
    from: shown(email.from),
    to: [...email.to, ...email.cc].map(shown),
    subject: email.subject,
    dateMs: email.date,
    arrivedMs: email.receivedAt,
    text: [body.text.slice(0, maxIndexedCharacters), ...body.attachedTexts].join("\n\n").trim(),
    attachmentNames: body.attachments.map((each) => each.filename ?? "").filter(Boolean),
  };
}

export function shown({ name, address }: Address): string {
  return name ? `${name} <${address}>` : address;
}
