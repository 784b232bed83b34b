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
    to: recipientsOf(email),
    subject: email.subject.normalize(),
    dateMs: email.date,
    arrivedMs: email.receivedAt,
    text: text.normalize().trim(),
    attachmentNames: body.attachments.map(({ filename }) => filename?.normalize() ?? "")
      .filter(Boolean),
  };
}

/** To and Cc, and the addresses of the envelope that they do not name, as in a blind copy. */
function recipientsOf({ to, cc, envelopeTo = [] }: Email): string[] {
  const named = [...to, ...cc];
  const known = new Set(named.map(({ address }) => address.toLowerCase()));
  const blind = envelopeTo.filter((address) => !known.has(address.toLowerCase()));
  return [...named.map(shown), ...blind].map((each) => each.normalize());
}

export function shown({ name, address }: Address): string {
  return name ? `${name} <${address}>` : address;
}
