import { cutText } from "../text/cut_text.ts";
import { escapedHtml } from "./forward.ts";

/** The mail that is answered, as its answer quotes it. */
export interface QuotedMail {
  /** `Name <address>`, or the address. */
  from: string;
  /** ms since 1970. */
  date: number;
  /** What people see of it: without hidden text. */
  text: string;
}

/** What is quoted of a long text. */
const maxChars = 100_000;

/** The answer with the answered text below it: after `> ` in the text, in a blockquote in the HTML. */
export function withQuote(
  own: { text?: string; html?: string },
  { from, date, text }: QuotedMail,
): { text?: string; html?: string } {
  const who = from.replace(/[\r\n]+/g, " ");
  const attribution = `On ${new Date(date).toUTCString()}, ${who} wrote:`;
  const quoted = cutText(text, maxChars).trimEnd();
  const lines = quoted.split(/\r\n|[\r\n]/).map((line) =>
    line === "" || line.startsWith(">") ? `>${line}` : `> ${line}`
  );
  return {
    text: own.text === undefined
      ? undefined
      : `${own.text.trimEnd()}\n\n${attribution}\n${lines.join("\n")}\n`,
    html: own.html === undefined
      ? undefined
      : beforeEnd(own.html, `<br><div>${escapedHtml(attribution)}</div>${blockquote(quoted)}`),
  };
}

/** The HTML with `more` at the end of its body. */
export function beforeEnd(html: string, more: string): string {
  // In lower case a text can have another length: İ becomes two characters.
  const end = Math.max(html.lastIndexOf("</body"), html.lastIndexOf("</BODY"));
  const at = end < 0 ? html.length : end;
  return html.slice(0, at) + more + html.slice(at);
}

/** The text alone: neither scripts nor hidden parts of the HTML of a stranger are sent on. */
function blockquote(text: string): string {
  const style = "margin: 0 0 0 .8ex; border-left: 1px solid #ccc; padding-left: 1ex";
  // Tags end the lines: who makes text of the HTML keeps them.
  const lines = escapedHtml(text).replaceAll("\n", "<br>");
  return `<blockquote type="cite" style="${style}"><div style="white-space: pre-wrap">` +
    `${lines}</div></blockquote>`;
}
