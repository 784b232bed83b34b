import { escapedHtml } from "../../../mime/compose/forward.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import { readProfile } from "../../mailboxes/profile.ts";
import type { Tx } from "../../store/database.ts";

/** What somebody wrote; a body that is absent is not sent. */
export interface Words {
  text?: string;
  html?: string;
}

/** The line above a signature; mail programs know it (RFC 3676, section 4.3). */
const delimiter = "-- ";

/** A new message with what its mailbox adds: its name in From, if none is given, and its signature. */
export async function asWritten<M extends Words & { mailbox: Mailbox; fromName?: string }>(
  store: Pick<Tx, "get">,
  message: M,
): Promise<M> {
  const { displayName, signature } = await readProfile(store, message.mailbox);
  const { fromName = displayName ?? undefined } = message;
  return { ...message, fromName, ...signed(message, signature) };
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
  const words = text.replace(/\s+$/, "");
  return `${words === "" ? "" : `${words}\n\n`}${delimiter}\n${signature}`;
}

/** Before the end of the body, if the HTML has one. */
function signedHtml(html: string, signature: string): string {
  const lines = [delimiter, ...signature.split("\n")].map(escapedHtml).join("<br>");
  const end = html.toLowerCase().lastIndexOf("</body");
  const at = end < 0 ? html.length : end;
  return `${html.slice(0, at)}<br><div>${lines}</div>${html.slice(at)}`;
}
