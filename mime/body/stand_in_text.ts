import { forwardBodies } from "../compose/forward.ts";
import { type MailAddress, parseHead } from "../headers/parse_head.ts";
import { decodeText } from "../text/charset_of_text.ts";
import { unfolded } from "../text/content_lines.ts";
import { calendarText } from "./calendar_text.ts";
import { isSmime } from "./message_parts.ts";
import type { MimePart } from "./mime_parts.ts";
import { cmsContent } from "./signed_content.ts";

/** Reads the text of a message inside another one. */
export type TextOfMessage = (raw: Uint8Array) => string;

const sealed = (way: string) =>
  `[This message is encrypted (${way}): its text cannot be read here.]`;

type StandIn = (content: Uint8Array, part: MimePart, textOf: TextOfMessage) => string;

const forwarded: StandIn = (content, _part, textOf) => forwardedText(content, textOf);
const asText: StandIn = (content, part) => decoded(content, part).replace(/\r\n?/g, "\n");
const sealedCms: StandIn = (content) =>
  cmsContent(content)?.type === "encrypted" ? sealed("S/MIME") : "";

const invitation: StandIn = (content, part) => calendarText(decoded(unfolded(content), part));

/** How the content of a part is written if the message has no text of its own. */
const standIns: Record<string, StandIn> = {
  ...{ "message/rfc822": forwarded, "message/global": forwarded, "message/partial": forwarded },
  ...{ "message/delivery-status": asText, "message/global-delivery-status": asText },
  ...{ "message/disposition-notification": asText, "message/feedback-report": asText },
  ...{ "text/calendar": invitation, "application/ics": invitation },
  "application/pgp-encrypted": () => sealed("PGP"),
};

/**
 * The text of a message whose parts have none: of the first of these that says something, a forwarded message, an
 * invitation or a report as text, or a sentence that it is encrypted. Else "".
 */
export function standInText(
  attached: readonly MimePart[],
  content: (part: MimePart) => Uint8Array,
  textOf: TextOfMessage,
): string {
  for (const part of attached) {
    const standIn = isSmime(part) ? sealedCms : standIns[part.contentType];
    const text = standIn && standIn(content(part), part, textOf).trim();
    if (text) return text;
  }
  return "";
}

/** A message as the text of its forward: a line that announces it, its header and its text. */
export function forwardedText(raw: Uint8Array, textOf: TextOfMessage): string {
  const { from, to, cc, dateMs, subject } = parseHead(raw);
  const text = textOf(raw);
  if (from === null && subject === "" && to.length === 0) return text;
  return forwardBodies({
    from: from ? shown(from) : "",
    to: to.map(shown),
    cc: cc.map(shown),
    date: dateMs,
    subject,
    text,
    html: null,
  }, {}).text;
}

function shown({ name, address }: MailAddress): string {
  return name === "" ? address : address === "" ? name : `${name} <${address}>`;
}

function decoded(content: Uint8Array, part: MimePart): string {
  const declared = part.params.get("charset") ?? null;
  return decodeText(content, { declared, isHtml: false });
}
