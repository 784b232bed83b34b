import { createHash } from "node:crypto";
import type { Context } from "hono";
import { html, raw } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Env } from "../http/env.ts";
import { mark, pageStyle } from "./page_style.ts";

export type Html = ReturnType<typeof html>;

interface Page {
  title: string;
  body: Html;
  status?: ContentfulStatusCode;
  /** Where forms of the page may lead, besides this service: sources of a Content-Security-Policy. */
  formsLeadTo?: readonly string[];
  /** A program of the page, which may ask this service. */
  script?: string;
}

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const styleHash = hashOf(pageStyle);

/** Answers with a page for people, which no other page may frame. Without `script` it runs none. */
export async function sendPage(
  c: Context<Env>,
  { title, body, status = 200, formsLeadTo = [], script }: Page,
): Promise<Response> {
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    ...script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"],
    "img-src data:",
    "base-uri 'none'",
    `form-action ${["'self'", ...new Set(formsLeadTo)].join(" ")}`,
    "frame-ancestors 'none'",
  ];
  return c.body(String(await documentOf(title, body, script)), status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    // With "no-referrer" the browser would send `Origin: null` with a form. A script sends what the address bar has.
    "Referrer-Policy": script === undefined ? "same-origin" : "no-referrer",
  });
}

function documentOf(title: string, body: Html, script?: string): Html {
  return html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>${title} · Letterbox</title>
        <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(mark)}">
        <style>${raw(pageStyle)}</style>
      </head>
      <body>
        <main>
    <p class="brand">${raw(mark.replace("<svg ", '<svg aria-hidden="true" '))}Letterbox</p>
    ${body}
        </main>
        ${script !== undefined && html`<script>${raw(script)}</script>`}
      </body>
    </html>
  `;
}
