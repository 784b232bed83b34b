import { forwardPrefixes, replyPrefixes } from "../headers/subject.ts";

/** The parts of a message that its forward shows. */
export interface ForwardedMail {
  from: string;
  to: readonly string[];
  cc: readonly string[];
  /** ms since 1970; null if unknown. */
  date: number | null;
  subject: string;
  text: string;
  html: string | null;
}

/** The text that the forwarding person writes above it. */
interface OwnWords {
  text?: string;
  html?: string;
}

const rule = "---------- Forwarded message ----------";

/** The subject with one `Fwd:`, in place of prefixes of forwards and replies. */
export function forwardSubject(subject: string): string {
  let bare = subject.trim();
  for (let before = ""; before !== bare;) {
    before = bare;
    bare = bare.replace(forwardPrefixes, "").replace(replyPrefixes, "").trim();
  }
  return `Fwd: ${bare}`.trimEnd();
}

/**
 * The bodies of an inline forward: the new text, a header of the forwarded message, and its text. With HTML if the
 * message or the new text has it. The header is the same in both forms.
 */
export function forwardBodies(mail: ForwardedMail, own: OwnWords): { text: string; html?: string } {
  const header = headerLines(mail);
  const text = [own.text, [rule, ...header].join("\n"), mail.text]
    .filter((part) => part !== undefined && part !== "").join("\n\n");
  if (mail.html === null && own.html === undefined) return { text };
  const words = own.html ?? (own.text === undefined ? "" : paragraph(own.text));
  const above = `${words}<br><div>${[rule, ...header].map(escapedHtml).join("<br>")}</div><br>`;
  const below = mail.html ?? paragraph(mail.text);
  // After the tag that opens the body, if there is one.
  const body = /<body\b[^<>]{0,2000}>/i.exec(below);
  const at = body ? body.index + body[0].length : 0;
  return { text, html: below.slice(0, at) + above + below.slice(at) };
}

function headerLines({ from, to, cc, date, subject }: ForwardedMail): string[] {
  return [
    `From: ${from}`,
    ...(date === null ? [] : [`Date: ${new Date(date).toUTCString()}`]),
    `Subject: ${subject}`,
    `To: ${to.join(", ")}`,
    ...(cc.length > 0 ? [`Cc: ${cc.join(", ")}`] : []),
  ].map((line) => line.replace(/[\r\n]+/g, " "));
}

function paragraph(text: string): string {
  return `<div style="white-space: pre-wrap">${escapedHtml(text)}</div>`;
}

export function escapedHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
