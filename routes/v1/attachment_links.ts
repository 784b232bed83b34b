import type { Hono } from "hono";
import type { Service } from "../../domain/core/service.ts";
import {
  downloadPath,
  getAttachmentLink,
  openLink,
} from "../../domain/mail/read/attachments/attachment_link.ts";
import { openAttachment } from "../../domain/mail/read/attachments/get_attachment.ts";
import { reserveAnswer } from "../http/answers/send_body.ts";
import type { Env } from "../http/env.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { refuseUnknownQuery } from "../http/query.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";
import { answerFile } from "./attachments.ts";

const emails = { family: "v1", tag: "Emails" } as const;

const row = rowsOf("/v1/api/emails", {
  ...emails,
  params: { messageId: "email_id", attachmentId: "attachment_id" },
});

export const attachmentLinkRoutes: RestRoute[] = [
  row("GET", "/:messageId/attachments/:attachmentId/link", getAttachmentLink, "query"),
];

export const downloadRoute: PlainRoute = {
  ...emails,
  method: "GET",
  path: `${downloadPath}:token`,
  name: "download_by_link",
  title: "Download an attachment by its link",
  description:
    "The URL of `GET /v1/api/emails/{messageId}/attachments/{attachmentId}/link`: the bytes of the attachment, without a key. A link that is over, or whose email, key or session has " +
    "ended, is NOT_FOUND.",
  access: "everybody",
  parameters: [{
    in: "path",
    name: "token",
    description: "The end of download_url",
    example: "5f0c...",
  }],
  success: {
    status: 200,
    description: "The decoded bytes; Content-Type is the attachment's if it is a common one",
    contentType: "*/*",
    headers: { "Content-Disposition": "attachment, with the name of the file in filename*" },
  },
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
};

/** Mounts the download by a link. The answer counts in the memory of the account that made the link. */
export function mountDownload(app: Hono<Env>, service: Service): void {
  app.get(downloadRoute.path, async (c) => {
    refuseUnknownQuery(c, downloadRoute);
    const { token = "" } = c.req.param() as Record<string, string>;
    const { caller, ...ids } = await openLink(service, token);
    c.set("caller", caller);
    const reserve = (bytes: number) => reserveAnswer(c, bytes);
    return answerFile(c, await openAttachment(service, caller, ids, reserve));
  });
}
