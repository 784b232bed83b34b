import type { Hono } from "hono";
import { openAttachment } from "../../domain/mail/reading/get_attachment.ts";
import { emailId } from "../../domain/core/email_id.ts";
import { cutText } from "../../mime/text/cut_text.ts";
import type { Service } from "../../domain/core/service.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { refuseUnknownQuery } from "../http/query.ts";
import { requireCaller } from "../http/rest.ts";
import type { Env } from "../http/env.ts";

export const attachmentRoute: PlainRoute = {
  family: "v1",
  tag: "Emails",
  method: "GET",
  path: "/v1/api/emails/:messageId/attachments/:attachmentId",
  name: "download_attachment",
  title: "Download an attachment",
  description: "The decoded bytes of one attachment of an email, never shown by a browser.",
  access: "account",
  scope: "emails:read",
  parameters: [
    {
      in: "path",
      name: "messageId",
      description: "email_id of a list, search, thread or event",
      schema: emailId,
      example: "0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a",
    },
    {
      in: "path",
      name: "attachmentId",
      description: "attachment_id of the email",
      example: "att_2",
    },
  ],
  success: {
    status: 200,
    description: "The decoded bytes; Content-Type is the attachment's where it is a common one",
    contentType: "*/*",
    headers: { "Content-Disposition": "attachment, with the name of the file in filename*" },
  },
  errors: ["NOT_FOUND"],
};

/** The decoded bytes of an attachment, with headers that keep a browser from showing or sniffing them. */
export function mountAttachmentDownload(
  app: Hono<Env>,
  service: Service,
  route: PlainRoute,
): void {
  app.get(route.path, async (c) => {
    refuseUnknownQuery(c, route);
    const { messageId = "", attachmentId = "" } = c.req.param() as Record<string, string>;
    const attachment = await openAttachment(service, requireCaller(c), messageId, attachmentId);
    c.header("Content-Type", attachment.contentType);
    c.header("Content-Disposition", dispositionOf(attachment.filename));
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Content-Security-Policy", "sandbox; default-src 'none'");
    return c.body(attachment.content as Uint8Array<ArrayBuffer>);
  });
}

const maxNameChars = 200;

/** RFC 6266 with the form of RFC 8187, which holds every name and no character that could end the header. */
export function dispositionOf(filename: string | null): string {
  if (!filename) return "attachment";
  const name = encodeURIComponent(cutText(filename, maxNameChars).toWellFormed())
    .replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename*=UTF-8''${name}`;
}
