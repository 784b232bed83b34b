import type { Context, Hono } from "hono";
import { z } from "zod";
import { invalidField } from "../../domain/core/errors.ts";
import { getAttachmentText } from "../../domain/mail/read/attachments/attachment_text.ts";
import { inData } from "../http/envelopes.ts";
import {
  type OpenAttachment,
  openAttachment,
} from "../../domain/mail/read/attachments/get_attachment.ts";
import { cutText } from "../../mime/text/cut_text.ts";
import type { Service } from "../../domain/core/service.ts";
import { emailIdParameter, type PlainRoute } from "../http/plain_route.ts";
import { queryOf, refuseUnknownQuery, typedQuery } from "../http/query.ts";
import { answer, requireCaller } from "../http/rest.ts";
import { reserveAnswer, sendBody } from "../http/answers/send_body.ts";
import type { Env } from "../http/env.ts";

const format = z.literal("text");

export const attachmentRoute: PlainRoute = {
  family: "v1",
  tag: "Emails",
  method: "GET",
  path: "/v1/api/emails/:messageId/attachments/:attachmentId",
  name: "download_attachment",
  title: "Download an attachment",
  description:
    "The decoded bytes of one attachment of an email, never shown by a browser. With `format=text` the text of a PDF, DOCX, XLSX, PPTX, " +
    "OpenDocument, RTF, HTML, CSV, ICS or text file, or of a mail, as JSON.",
  access: "account",
  scope: "emails:read",
  parameters: [
    emailIdParameter,
    {
      in: "path",
      name: "attachmentId",
      description: "attachment_id of the email",
      example: "att_2",
    },
    {
      in: "query",
      name: "format",
      description: "`text`: the text of the file as JSON. Absent: its bytes",
      schema: format,
    },
    {
      in: "query",
      name: "max_chars",
      description: "With `format=text`: the most characters of the answer's JSON",
      schema: getAttachmentText.input.shape.max_chars,
    },
    {
      in: "query",
      name: "offset",
      description: "With `format=text`: position in the text to begin at",
      schema: getAttachmentText.input.shape.offset,
    },
  ],
  success: {
    status: 200,
    description: "The decoded bytes; Content-Type is the attachment's if it is a common one",
    contentType: "*/*",
    json: {
      schema: inData.schema(getAttachmentText.output),
      example: {
        success: true,
        data: {
          email_id: "0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a",
          attachment_id: "att_2",
          filename: "invoice.pdf",
          text: "Invoice 2026-1187\nTotal 420.00 EUR",
          truncated: false,
          next_offset: null,
          download_url: "https://mail.agents.example/v1/api/downloads/5f0c...",
        },
      },
    },
    headers: { "Content-Disposition": "attachment, with the name of the file in filename*" },
  },
  errors: ["VALIDATION_ERROR", "NOT_FOUND", "NO_TEXT"],
};

/** Mounts the download of an attachment: its decoded bytes, or with `format=text` its text. */
export function mountAttachmentDownload(
  app: Hono<Env>,
  service: Service,
  route: PlainRoute,
): void {
  app.get(route.path, async (c) => {
    refuseUnknownQuery(c, route);
    const { messageId = "", attachmentId = "" } = c.req.param() as Record<string, string>;
    const query = queryOf(c);
    if (Object.keys(query).length > 0) {
      const { format: asked, ...rest } = query;
      if (!format.safeParse(asked).success) {
        throw invalidField("format", "must be text");
      }
      const typed = typedQuery(getAttachmentText.input, rest);
      const input = { ...typed, email_id: messageId, attachment_id: attachmentId };
      const text = { operation: getAttachmentText, envelope: inData };
      return await answer(c, service, requireCaller(c), text, input, true);
    }
    const reserve = (bytes: number) => reserveAnswer(c, bytes);
    const ids = { emailId: messageId, attachmentId };
    const attachment = await openAttachment(service, requireCaller(c), ids, reserve);
    return answerFile(c, attachment);
  });
}

/** Answers with the bytes, and with headers that keep a browser from showing or sniffing them. */
export function answerFile(c: Context<Env>, file: OpenAttachment): Response {
  c.header("Content-Type", file.contentType);
  c.header("Content-Disposition", dispositionOf(file.filename));
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Content-Security-Policy", "sandbox; default-src 'none'");
  return sendBody(c, file.content as Uint8Array<ArrayBuffer>);
}

const maxNameChars = 200;

/**
 * A header field of RFC 6266. The encoding of RFC 8187 takes every name, and escapes characters that could end the
 * field.
 */
export function dispositionOf(filename: string | null): string {
  if (!filename) return "attachment";
  const name = encodeURIComponent(cutText(filename, maxNameChars).toWellFormed())
    .replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename*=UTF-8''${name}`;
}
