import type { Context, Hono } from "hono";
import { html, raw } from "hono/html";
import { invalidField } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { showHtml, type ShownHtml } from "../../domain/mail/read/views/show_html.ts";
import { sendBody } from "../http/answers/send_body.ts";
import type { Env } from "../http/env.ts";
import { emailIdParameter, type PlainRoute } from "../http/plain_route.ts";
import { refuseUnknownQuery } from "../http/query.ts";
import { requireCaller } from "../http/rest.ts";

export const imagesParameter = {
  in: "query",
  name: "images",
  description: "`remote`: load images of other hosts",
} as const;

export const mailHtmlRoute: PlainRoute = {
  family: "dashboard",
  tag: "Emails",
  method: "GET",
  path: "/api/emails/:messageId/html",
  name: "show_email_html",
  title: "Show the HTML of an email",
  description:
    "The HTML of an email as a separate document for a frame: sanitised, without scripts, and with a " +
    "policy that loads only images of this " +
    "message. Images of other hosts are left out, and counted in `data-blocked-images` of the body, unless `images=remote` asks for them.",
  access: "account",
  scope: "emails:read",
  parameters: [emailIdParameter, imagesParameter],
  success: { status: 200, description: "The document", contentType: "text/html" },
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
};

/** A frame that may not run scripts; the page around it reads its height and its keys. */
const sandbox = "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox";

const style =
  "html{color-scheme:light;background:#fff}body{margin:0;padding:16px;font:14px/1.5 system-ui,sans-serif;color:#1c1d21;overflow-wrap:break-word}" +
  "img{max-width:100%}img:not([data-blocked]){height:auto}table{max-width:100%}img[data-blocked]{background:#eceae5;border-radius:3px;max-height:160px}" +
  "blockquote{margin:0 0 0 8px;padding-left:12px;border-left:2px solid #d8d5ce;color:#55565c}pre{white-space:pre-wrap;font:inherit}";

/** Mounts the HTML of an email as a separate document: inside the page, its styles would require a weaker policy. */
export function mountMailHtml(app: Hono<Env>, service: Service): void {
  app.get(mailHtmlRoute.path, async (c) => {
    const caller = requireCaller(c);
    refuseUnknownQuery(c, mailHtmlRoute);
    const remoteImages = asksForImages(c);
    const messageId = c.req.param("messageId") ?? "";
    const shown = await showHtml(service, caller, messageId, { remoteImages });
    return await answerHtml(c, service, shown, remoteImages);
  });
}

/** Answers with the HTML as a document, and with the policy that lets it run nothing. */
export async function answerHtml(
  c: Context<Env>,
  service: Service,
  shown: ShownHtml,
  remoteImages: boolean,
): Promise<Response> {
  c.header("Content-Security-Policy", policyOf(service.settings.BASE_URL, remoteImages));
  c.header("Referrer-Policy", "no-referrer");
  c.header("Content-Type", "text/html; charset=utf-8");
  return sendBody(c, String(await documentOf(shown)));
}

export function asksForImages(c: Context<Env>): boolean {
  const images = c.req.query("images");
  if (images === undefined) return false;
  if (images === "remote") return true;
  throw invalidField("images", "must be remote, or absent");
}

/**
 * Its own images are attachments. Never add `allow-scripts`: together with `allow-same-origin` it would end the
 * sandbox.
 */
function policyOf(baseUrl: string, remoteImages: boolean): string {
  const own = `${new URL(baseUrl).origin}/api/emails/ data:`;
  return [
    "default-src 'none'",
    `img-src ${remoteImages ? `${own} https: http:` : own}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    sandbox,
  ].join("; ");
}

function documentOf({ html: safe, text, blockedImages, problem }: ShownHtml) {
  const body = problem === null ? raw(safe) : html`
    <p>${problem} This is its text:</p>
    <pre>${text}</pre>
  `;
  return html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <title>Message</title>
        <style>${raw(style)}</style>
      </head>
      <body data-blocked-images="${blockedImages}">${body}</body>
    </html>
  `;
}
