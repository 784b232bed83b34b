import type { Hono } from "hono";
import { getFullEmail } from "../../domain/mail/read/get_email.ts";
import { openRawEmail } from "../../domain/mail/read/get_email_raw.ts";
import { getLinks } from "../../domain/mail/read/get_links.ts";
import { getVerification } from "../../domain/mail/read/get_verification.ts";
import { getEmailThread } from "../../domain/mail/conversations/get_email_thread.ts";
import { listThreads } from "../../domain/mail/conversations/list_threads.ts";
import { listEmails } from "../../domain/mail/read/list_emails.ts";
import { replyEmail } from "../../domain/mail/send/reply_email.ts";
import { forwardEmail } from "../../domain/mail/send/forward_email.ts";
import { sendEmail } from "../../domain/mail/send/send_email.ts";
import { deleteEmail } from "../../domain/mail/manage/delete_email.ts";
import { updateEmail } from "../../domain/mail/manage/update_email.ts";
import { updateEmails } from "../../domain/mail/manage/update_emails.ts";
import { searchEmails } from "../../domain/search/search_emails.ts";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { largeBodyBytes } from "../http/bodies/body.ts";
import { errorBody } from "../http/failures.ts";
import { emailIdParameter, type PlainRoute } from "../http/plain_route.ts";
import { refuseUnknownQuery } from "../http/query.ts";
import { requireCaller, type RestRoute } from "../http/rest.ts";
import { besideSuccess, fieldInData, pageIn } from "../http/envelopes.ts";
import { rowsOf } from "../http/rows.ts";
import { sendStream } from "../http/answers/send_body.ts";
import type { Env } from "../http/env.ts";

const emails = { family: "v1", tag: "Emails" } as const;
const row = rowsOf("/v1/api", { ...emails, params: { messageId: "email_id" } });
const one = "/emails/:messageId";
const sends = {
  strict: true,
  headers: { "Idempotency-Key": "idempotency_key" },
  status: 201,
  dryRun: true,
} as const;

export const emailRoutes: RestRoute[] = [
  row("GET", "/emails", listEmails, "query", { envelope: pageIn("emails") }),
  row("POST", "/emails/send", sendEmail, "json", { ...sends, maxBodyBytes: largeBodyBytes }),
  row("POST", `${one}/reply`, replyEmail, "json", { ...sends, maxBodyBytes: largeBodyBytes }),
  row("POST", `${one}/forward`, forwardEmail, "json", { ...sends, maxBodyBytes: largeBodyBytes }),
  row("GET", one, getFullEmail, "query"),
  row("GET", `${one}/links`, getLinks, "query"),
  row("GET", `${one}/verification`, getVerification, "query"),
  row("PATCH", one, updateEmail, "json", { strict: true, envelope: fieldInData("email") }),
  row("DELETE", one, deleteEmail, "none"),
  row("POST", "/emails/batch", updateEmails, "json", {
    strict: true,
    envelope: fieldInData("results"),
  }),
  row("GET", "/threads", listThreads, "query", { envelope: pageIn("threads") }),
  row("GET", "/threads/:thread_id", getEmailThread, "query"),
  row("POST", "/search", searchEmails, "json", {
    tag: "Search",
    strict: true,
    envelope: besideSuccess,
  }),
];

export const rawDownloadRoute: PlainRoute = {
  ...emails,
  method: "GET",
  path: "/v1/api/emails/:messageId/raw",
  name: "download_raw_email",
  title: "Download the original message",
  description:
    "The message as it came, byte for byte. The failure for an unknown email has no `success` field.",
  access: "account",
  scope: "emails:read",
  parameters: [emailIdParameter],
  success: {
    status: 200,
    description: "The RFC 822 bytes",
    contentType: "message/rfc822",
    headers: {
      "Content-Disposition": 'attachment; filename="<messageId>.eml"',
      "X-Service-Storage-Key": "Internal storage key of the message, for support",
    },
  },
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
  bareErrors: ["NOT_FOUND"],
};

/** The raw download: bytes, not JSON, and a 404 without `success`. */
export function mountRawDownload(app: Hono<Env>, service: Service, route: PlainRoute): void {
  app.get(route.path, async (c) => {
    refuseUnknownQuery(c, route);
    try {
      const raw = await openRawEmail(service, requireCaller(c), c.req.param("messageId") ?? "");
      c.header("Content-Type", "message/rfc822");
      c.header("Content-Disposition", `attachment; filename="${raw.emailId}.eml"`);
      c.header("X-Service-Storage-Key", raw.storageKey);
      c.header("X-Content-Type-Options", "nosniff");
      return await sendStream(c, raw.stream, raw.size);
    } catch (error) {
      if (error instanceof ServiceError && error.code === "NOT_FOUND") {
        return c.json({ error: errorBody(error) }, 404);
      }
      throw error;
    }
  });
}
