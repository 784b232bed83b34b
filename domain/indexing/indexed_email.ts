import type { IndexedEmail } from "../ports/search_index.ts";
import type { Email } from "../mail/record/email.ts";
import type { Address } from "../mail/record/email_row.ts";
import type { MessageBody } from "../../mime/body/parse_body.ts";

/** Text after this many characters is not searchable. */
export const maxIndexedCharacters = 250_000;

/** The part of a body that the search index needs. */
type IndexedBody = Pick<MessageBody, "text" | "attachedTexts" | "attachments">;

/** An email in the form that the search index takes; its texts are composed (Unicode's NFC), as those of a query are. */
export function indexedEmail(email: Email, body: IndexedBody): IndexedEmail {
  const text = [body.text.slice(0, maxIndexedCharacters), ...body.attachedTexts].join("\n\n");
  return {
    userId: email.userId,
    emailId: email.emailId,
    mailboxId: email.mailboxId,
    direction: email.direction,
    from: shown(email.from).normalize(),
    to: [...email.to, ...email.cc].map((each) => shown(each).normalize()),
    subject: email.subject.normalize(),
    dateMs: email.date,
    arrivedMs: email.receivedAt,
    text: text.normalize().trim(),
    attachmentNames: body.attachments.map(({ filename }) => filename?.normalize() ?? "")
      .filter(Boolean),
  };
}

export function shown({ name, address }: Address): string {
  return name ? `${name} <${address}>` : address;
}
