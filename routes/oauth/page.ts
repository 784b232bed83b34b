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
}

const sha256 = createHash("sha256").update(pageStyle).digest("base64");

/** Answers with a page for people that needs no script, and that no other page may frame. */
export async function sendPage(
  c: Context<Env>,
  { title, body, status = 200, formsLeadTo = [] }: Page,
): Promise<Response> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${sha256}'`,
    "img-src data:",
    "base-uri 'none'",
    `form-action ${["'self'", ...new Set(formsLeadTo)].join(" ")}`,
    "frame-ancestors 'none'",
  ];
  return c.body(String(await documentOf(title, body)), status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    // With "no-referrer" the browser would send `Origin: null` with the form.
    "Referrer-Policy": "same-origin",
  });
}

function documentOf(title: string, body: Html): Html {
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
      </body>
    </html>
  `;
}
