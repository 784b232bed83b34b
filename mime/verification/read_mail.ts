import { htmlToText } from "../body/html_text.ts";
import { subjectPrefix } from "../headers/subject.ts";
import { htmlPage, type Page, textPage } from "./page.ts";

/** The parts of a parsed message in which codes and links are searched. */
export interface ReadMail {
  /** Decoded, one line; empty if absent. */
  subject: string;
  /** The text of {@link MessageBody}: of mail with HTML only, the HTML as readable text. */
  text: string;
  html: string | null;
  /** Host of the From address in lower case, if known. With it, links to hosts that imitate it are recognised. */
  senderDomain?: string | null;
}

/** A message as pages: the input of the searches for codes and for links. */
export interface ReadPages {
  subject: string;
  senderDomain: string | null;
  /** The text (unless it was made from the HTML), then the HTML. */
  pages: Page[];
  /** True for a reply: its subject was written for the mail that it answers. */
  isReply: boolean;
}

/** Characters of HTML that are read: as many as the parser keeps. */
const maxHtmlChars = 1_000_000;

export function readPages(mail: ReadMail): ReadPages {
  const subject = mail.subject.slice(0, 1_000).normalize("NFC");
  const prefix = subjectPrefix(subject);
  const forwarded = prefix === "forward";
  const html = mail.html === null ? null : mail.html.slice(0, maxHtmlChars);
  const pages: Page[] = [];
  if (html === null || !isTextOf(html, mail.text)) {
    pages.push(textPage(mail.text.normalize("NFC"), forwarded));
  }
  if (html !== null) pages.push(htmlPage(html, forwarded));
  return {
    subject,
    senderDomain: mail.senderDomain?.toLowerCase() ?? null,
    pages,
    isReply: prefix === "reply" || prefix === "either",
  };
}

/** True if the parser made `text` from this HTML: then the HTML has everything, with whole links. */
const isTextOf = (html: string, text: string): boolean => htmlToText(html) === text;
