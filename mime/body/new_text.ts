import type { MailHead } from "../headers/mail_head.ts";
import { lineOrigins } from "../segments/line_origins.ts";

/**
 * The part of `text` (line ends LF) that is new to the reader: the segments `new`, without empty lines around them, and
 * mail that is forwarded. Quotes and the lines that announce them, the answered mail, signature, list footer and notices
 * are left out. `html` is the HTML of the same mail; its marks help. The result may be empty. Linear time.
 */
export function newTextOf(text: string, html: string | null = null, mail: MailHead = {}): string {
  const kept: string[] = [];
  const forwarded: string[] = [];
  const { lines, origins } = lineOrigins(text, html, mail);
  for (let n = 0; n < lines.length; n++) {
    if (origins[n] === "new") kept.push(lines[n]);
    else if (origins[n] === "forwarded") forwarded.push(lines[n]);
  }
  if (forwarded.length > 0) {
    const isMarked = kept.some((line) => line.trim() !== "");
    if (isMarked) kept.push("");
    for (const line of forwarded) kept.push(line);
  }
  const joined = kept.join("\n");
  return (joined.includes("\n\n\n") ? joined.replace(/\n{3,}/g, "\n\n") : joined).trim();
}
