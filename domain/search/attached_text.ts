import { htmlToText } from "../mail/html_text.ts";
import type { AttachmentPart } from "../mail/parse_body.ts";

/** Enough of a log or a table to find it by; more would drown the message itself. */
const MAX_BYTES = 200_000;

const TEXT = /^(text\/|application\/(json|xml|x-ndjson|yaml|x-yaml|sql)$)/;

/** The texts among the attachments (plain text, CSV, calendar entries, JSON and the like), as searched. */
export function attachedText(attachments: AttachmentPart[]): string[] {
  let left = MAX_BYTES;
  return attachments.flatMap(({ contentType, content }) => {
    if (!TEXT.test(contentType) || left <= 0) return [];
    const text = new TextDecoder().decode(content.subarray(0, left));
    left -= content.length;
    return [contentType === "text/html" ? htmlToText(text) : text];
  });
}
