import { Buffer } from "node:buffer";
import MailComposer from "nodemailer/lib/mail-composer";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import type { MailAddress } from "../headers/address_list.ts";

/** A file that goes out with a message. */
export interface DraftAttachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/** All that is needed to write a message; checked before (see `send_input.ts`). */
export interface Draft {
  /** With or without its angle brackets. */
  messageId: string;
  dateMs: number;
  from: MailAddress;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  /** Named so that nobody forgets them: they go to the envelope, never into the message. */
  bcc: readonly MailAddress[];
  replyTo?: readonly MailAddress[];
  subject: string;
  text?: string;
  html?: string;
  attachments: readonly DraftAttachment[];
  inReplyTo?: string;
  references?: readonly string[];
  /** Marks the message `Auto-Submitted: auto-replied` (RFC 3834 5). */
  autoSubmitted?: boolean;
}

/**
 * Writes a message as MIME (RFC 5322, RFC 2045), CRLF line ends, without Bcc.
 *
 * The same draft gives the same headers; the multipart boundaries are random.
 */
export async function composeMessage(draft: Draft): Promise<Uint8Array<ArrayBuffer>> {
  const composer = new MailComposer({
    messageId: draft.messageId,
    date: new Date(draft.dateMs),
    from: headerAddress(draft.from),
    to: draft.to.map(headerAddress),
    cc: draft.cc.map(headerAddress),
    replyTo: draft.replyTo?.map(headerAddress),
    subject: literalWords(draft.subject),
    text: draft.text && withLineFeeds(draft.text),
    html: draft.html && withLineFeeds(draft.html),
    inReplyTo: draft.inReplyTo,
    references: draft.references && [...draft.references],
    headers: draft.autoSubmitted ? { "Auto-Submitted": "auto-replied" } : undefined,
    attachments: draft.attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    })),
    newline: "win",
    // The content of a draft is content: never a path or an address to fetch it from.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return new Uint8Array(await composer.compile().build());
}

function headerAddress({ name, address }: MailAddress): { name: string; address: string } {
  return { name: literalWords(name ?? ""), address };
}

/**
 * Text that looks like an encoded word (RFC 2047) is encoded once more. The composer lets ASCII
 * through as it is, so that the reader would decode what the writer meant literally, line breaks
 * included.
 */
function literalWords(text: string): string {
  return text.includes("=?") ? encodeWord(text, "B", 52) : text;
}

/** The composer turns LF into CRLF; a lone CR it would let through. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
