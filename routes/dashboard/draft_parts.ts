import type { Hono } from "hono";
import { invalidField } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { openDraftAttachment, showDraftHtml } from "../../domain/mail/send/drafts/show_draft.ts";
import { reserveAnswer } from "../http/answers/send_body.ts";
import type { Env } from "../http/env.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { refuseUnknownQuery } from "../http/query.ts";
import { requireCaller } from "../http/rest.ts";
import { answerFile } from "../v1/attachments.ts";
import { answerHtml, asksForImages, imagesParameter } from "./mail_html.ts";

const draftIdParameter = {
  in: "path",
  name: "draftId",
  description: "draft_id of a draft that is not sent, rejected or canceled",
  example: "0199a1c2-7d3e-7000-8000-0d4a3c2b1e0f",
} as const;

const ofDraft = {
  family: "dashboard",
  tag: "Drafts",
  method: "GET",
  access: "account",
  scope: "emails:read",
  errors: ["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"],
} as const;

const htmlRoute: PlainRoute = {
  ...ofDraft,
  path: "/api/drafts/:draftId/html",
  name: "show_draft_html",
  title: "Show the HTML of a draft",
  description:
    "The HTML of a draft, for whoever approves it, as `GET /api/emails/{messageId}/html` shows that of an email. CONFLICT if " +
    "the draft has another content than `content_hash` says.",
  parameters: [
    draftIdParameter,
    {
      in: "query",
      name: "content_hash",
      description: "Of the draft as it was read",
      required: true,
    },
    imagesParameter,
  ],
  success: { status: 200, description: "The document", contentType: "text/html" },
};

const fileRoute: PlainRoute = {
  ...ofDraft,
  path: "/api/drafts/:draftId/attachments/:sha256",
  name: "download_draft_attachment",
  title: "Download an attachment of a draft",
  description:
    "The bytes of one attachment of a draft, for whoever approves it; never shown by a browser.",
  parameters: [
    draftIdParameter,
    { in: "path", name: "sha256", description: "sha256 of the attachment in the draft" },
  ],
  success: {
    status: 200,
    description: "The bytes; Content-Type is the attachment's if it is a common one",
    contentType: "*/*",
    headers: { "Content-Disposition": "attachment, with the name of the file in filename*" },
  },
};

export const draftPartRoutes = [htmlRoute, fileRoute];

/** Mounts what a person sees of a draft besides its record: its HTML, and its attachments. */
export function mountDraftParts(app: Hono<Env>, service: Service): void {
  app.get(htmlRoute.path, async (c) => {
    const caller = requireCaller(c);
    refuseUnknownQuery(c, htmlRoute);
    const hash = c.req.query("content_hash");
    if (hash === undefined) throw invalidField("content_hash", "is missing");
    const remoteImages = asksForImages(c);
    const { draftId = "" } = c.req.param() as Record<string, string>;
    const reserve = (bytes: number) => reserveAnswer(c, bytes);
    const showing = { hash, remoteImages, reserve };
    const shown = await showDraftHtml(service, caller, draftId, showing);
    return await answerHtml(c, service, shown, remoteImages);
  });
  app.get(fileRoute.path, async (c) => {
    const caller = requireCaller(c);
    refuseUnknownQuery(c, fileRoute);
    const { draftId = "", sha256 = "" } = c.req.param() as Record<string, string>;
    const reserve = (bytes: number) => reserveAnswer(c, bytes);
    const file = await openDraftAttachment(service, caller, draftId, sha256, reserve);
    return answerFile(c, file);
  });
}
