import { type BouncedRecipient, bouncedRecipients } from "./delivery_report.ts";
import { mailHead } from "../headers/mail_head.ts";
import { attachmentContents, type MessageBody, parseBody } from "./parse_body.ts";
import type { HtmlShowing, SafeHtml } from "../html/html_showing.ts";
import { type Segment, segmentsOf } from "../segments/segments.ts";
import type { MailLink } from "../verification/mail_links.ts";
import type { ReadMail } from "../verification/read_mail.ts";
import type { Verification } from "../verification/verification.ts";

/**
 * A question about a message: its body, the bytes of attachments, its delivery report, the segments
 * of its text (`subject` decoded), its HTML for a reader, or its codes and links.
 */
export type Ask = QuickAsk | LoadingAsk;
type QuickAsk =
  | { what: "body" | "report" }
  | { what: "attachments"; attachmentIds: readonly string[]; maxBytes?: number }
  | { what: "segments"; subject: string };
/** What is answered by another module, which is loaded at the first such question: few Workers get one. */
type LoadingAsk =
  | { what: "safe_html"; showing: HtmlShowing }
  | { what: "links" | "verification"; head: ReadHead };
/** What the head says for the search for links and codes. */
export type ReadHead = Omit<ReadMail, "text" | "html">;
type Asked<A extends Ask> = { raw: Uint8Array } & A;
export type ParseQuestion = Asked<Ask>;

/** The answer; its member depends on the question. */
export type ParseAnswer =
  | { body: MessageBody }
  | { contents: (Uint8Array | null)[] }
  | { bounced: BouncedRecipient[] }
  | { segments: Segment[] }
  | { safe: SafeHtml | null }
  | { links: MailLink[] }
  | { verification: Verification };

/** Answers a question on this thread. Never throws for what a message contains. */
export async function answerOf(question: ParseQuestion): Promise<ParseAnswer> {
  return isQuick(question) ? quickAnswerOf(question) : await loadedAnswerOf(question);
}

/** Whether `quickAnswerOf` answers it. */
export function isQuick(question: ParseQuestion): question is Asked<QuickAsk> {
  const { what } = question;
  return what !== "safe_html" && what !== "links" && what !== "verification";
}

async function loadedAnswerOf(question: Asked<LoadingAsk>): Promise<ParseAnswer> {
  if (question.what === "safe_html") return await safeHtmlOf(question);
  const { raw, what, head } = question;
  const { text, html } = parseBody(raw);
  const mail = { ...head, text, html };
  if (what === "links") {
    const { listLinks } = await import("../verification/mail_links.ts");
    return { links: listLinks(mail) };
  }
  const { findVerification } = await import("../verification/verification.ts");
  return { verification: findVerification(mail) };
}

async function safeHtmlOf(
  { raw, showing }: { raw: Uint8Array; showing: HtmlShowing },
): Promise<ParseAnswer> {
  const { html, attachments } = parseBody(raw);
  const { safeHtml } = await import("../html/safe_html.ts");
  return { safe: html === null ? null : safeHtml(html, attachments, showing) };
}

/** An answer that needs no other module. Never throws. */
export function quickAnswerOf(question: Asked<QuickAsk>): ParseAnswer {
  const { raw } = question;
  if (question.what === "attachments") {
    return { contents: attachmentContents(raw, question.attachmentIds, question) };
  }
  if (question.what === "segments") {
    const { text, html, unseen } = parseBody(raw);
    return {
      segments: segmentsOf(text, html, { ...mailHead(raw), subject: question.subject, unseen }),
    };
  }
  return question.what === "body" ? { body: parseBody(raw) } : { bounced: bouncedRecipients(raw) };
}

/** Messages of this size and larger are parsed in a Worker. A smaller one takes 1 ms, a hostile one 50 ms. */
export const largeMessageBytes = 32 * 1024;
