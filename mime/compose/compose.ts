import { Buffer } from "node:buffer";
import MailComposer from "nodemailer/lib/mail-composer";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import type { MailAddress } from "../headers/address_list.ts";

/** An attachment of a draft. */
export interface DraftAttachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/** The content of a message. Not checked here: addresses and subject must hold no line breaks. */
export interface Draft {
  /** With or without its angle brackets. */
  messageId: string;
  dateMs: number;
  from: MailAddress;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  /** For the envelope; they are not written into the message. */
  bcc: readonly MailAddress[];
  replyTo?: readonly MailAddress[];
  subject: string;
  text?: string;
  html?: string;
  attachments: readonly DraftAttachment[];
  inReplyTo?: string;
  references?: readonly string[];
  /** Adds `Auto-Submitted: auto-replied` (RFC 3834 5). */
  autoSubmitted?: boolean;
}

/**
 * The message of a draft (RFC 5322, RFC 2045), with CRLF line ends and without Bcc. The same draft gives
 * the same header fields; multipart boundaries are random.
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
    // Content is never a path or a URL to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return new Uint8Array(await composer.compile().build());
}

function headerAddress({ name, address }: MailAddress): { name: string; address: string } {
  return { name: literalWords(name ?? ""), address };
}

/**
 * Encodes text that looks like an encoded word (RFC 2047). The composer does not encode ASCII, and the
 * reader would decode what the writer meant literally, line breaks included.
 */
function literalWords(text: string): string {
  return text.includes("=?") ? encodeWord(text, "B", 52) : text;
}

/** The composer turns LF into CRLF, but lets a lone CR through. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
