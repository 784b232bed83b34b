import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A line of text; text in backticks is marked as code. */
export function line(text: string): Html {
  return html`${
    text.split("`").map((piece, n) => n % 2 === 1 ? html`<code>${piece}</code>` : piece)
  }`;
}

/** Text whose paragraphs are separated by empty lines. */
export function prose(text: string): Html {
  return html`${text.split("\n\n").map((paragraph) => html`<p>${line(paragraph)}</p>`)}`;
}

/** A value as JSON, for an example. */
export function json(value: unknown): Html {
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}
