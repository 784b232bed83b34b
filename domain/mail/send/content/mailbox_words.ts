import { escapedHtml } from "../../../../mime/compose/forward.ts";
import { beforeEnd, withQuote } from "../../../../mime/compose/quote.ts";
import type { Caller } from "../../../core/caller.ts";
import { requireScope } from "../../../core/operation.ts";
import type { GivenFile } from "../files/attachment_input.ts";
import type { Mailbox } from "../../../mailboxes/mailbox.ts";
import { readProfile } from "../../../mailboxes/profile.ts";
import type { Tx } from "../../../store/database.ts";
import { getFullEmail } from "../../read/get_email.ts";
import { readBody } from "../../read/parsing/parsed_bodies.ts";
import type { Reads } from "../../read/reads.ts";
import type { Email } from "../../record/email.ts";

/** What somebody wrote; a body that is absent is not sent. */
export interface Words {
  text?: string;
  html?: string;
}

/** The words without a blank body beside one that is not. */
export function withoutBlank({ text, html }: Words): Words {
  if (text === undefined || html === undefined) return { text, html };
  const [hasText, hasHtml] = [text, html].map((body) => body.trim() !== "");
  if (hasText === hasHtml) return { text, html };
  return { text: hasText ? text : undefined, html: hasHtml ? html : undefined };
}

/** The line above a signature; mail programs know it (RFC 3676, section 4.3). */
const delimiter = "-- ";

/** What somebody gives of a message that is not addressed yet: the fields that a send, a reply and a draft share. */
export function contentOf(input: {
  body_text?: string;
  body_html?: string;
  attachments?: readonly GivenFile[];
  headers?: Readonly<Record<string, string>>;
  metadata?: Readonly<Record<string, string>>;
  automatic?: boolean;
}) {
  return {
    text: input.body_text,
    html: input.body_html,
    attachments: [],
    files: input.attachments ?? [],
    headers: input.headers,
    metadata: input.metadata,
    automatic: input.automatic ?? false,
  };
}

/** A new message with what its mailbox adds: its name in From, if none is given, and its signature. */
export async function asWritten<M extends Words & { mailbox: Mailbox; fromName?: string }>(
  store: Pick<Tx, "get">,
  message: M,
): Promise<M> {
  const { displayName, signature } = await readProfile(store, message.mailbox);
  const { fromName = displayName ?? undefined } = message;
  return { ...message, fromName, ...signed(message, signature) };
}

/** The message with the text of the email that it answers below its words. Throws FORBIDDEN if the caller may not read mail. */
export async function quoting<M extends Words>(
  service: Reads,
  caller: Caller,
  email: Email,
  message: M,
): Promise<M> {
  requireScope(caller, getFullEmail.scope);
  const { text } = await readBody(service, email);
  const { name, address } = email.from;
  const from = name ? `${name} <${address}>` : address;
  return { ...message, ...withQuote(message, { from, date: email.date, text }) };
}

/** The words with the signature below them, in the text and in the HTML; as text if there are none. */
export function signed({ text, html }: Words, signature: string | null): Words {
  if (signature === null) return { text, html };
  const isNone = text === undefined && html === undefined;
  return {
    text: isNone || text !== undefined ? signedText(text ?? "", signature) : undefined,
    html: html === undefined ? undefined : signedHtml(html, signature),
  };
}

function signedText(text: string, signature: string): string {
  const words = text.trimEnd();
  return `${words === "" ? "" : `${words}\n\n`}${delimiter}\n${signature}`;
}

function signedHtml(html: string, signature: string): string {
  const lines = [delimiter, ...signature.split("\n")].map(escapedHtml).join("<br>");
  return beforeEnd(html, `<br><div>${lines}</div>`);
}
