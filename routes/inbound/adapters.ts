import type { Hono } from "hono";
import type { Service } from "../../domain/service.ts";
import type { PlainRoute } from "../plain_route.ts";
import { type Env, inData } from "../rest.ts";
import { mountMailgun } from "./mailgun.ts";
import { mountPostmark } from "./postmark.ts";
import { deliveryResults, inboundRawRoute, mountInboundRaw } from "./raw.ts";
import { mountSendgrid } from "./sendgrid.ts";
import { mountSes } from "./ses.ts";

const form = "multipart/form-data";

/** A provider's own post: what it holds and how it proves itself is the provider's to say. */
function providerRoute(
  path: string,
  name: string,
  contentType: string,
  description: string,
  statuses: PlainRoute["statuses"],
): PlainRoute {
  return {
    method: "POST",
    path,
    name,
    title: `Mail from ${name}`,
    description: `${description} 404 until the provider's setting is there.`,
    access: "provider",
    body: { contentType, description: "As the provider posts it" },
    success: {
      status: 200,
      description: "Taken",
      contentType: "application/json",
      schema: inData.schema(deliveryResults),
    },
    errors: [
      "BAD_REQUEST",
      "UNAUTHORIZED",
      "NOT_FOUND",
      "PAYLOAD_TOO_LARGE",
      ...(statuses ? ["RECIPIENT_REJECTED", "EMAIL_TOO_LARGE"] as const : []),
    ],
    statuses,
  };
}

const mailgunText = "A Mailgun route that forwards the MIME source; proved by its HMAC.";
const mailgunStatuses = { RECIPIENT_REJECTED: [406], EMAIL_TOO_LARGE: [406] };

export const inboundRoutes: PlainRoute[] = [
  inboundRawRoute,
  providerRoute("/inbound/mailgun", "mailgun", form, mailgunText, mailgunStatuses),
  providerRoute("/inbound/mailgun/mime", "mailgun_mime", form, mailgunText, mailgunStatuses),
  providerRoute(
    "/inbound/sendgrid",
    "sendgrid",
    form,
    "SendGrid Inbound Parse with the raw message; proved by its ECDSA signature. A refusal for good is 200, as SendGrid wants it.",
    undefined,
  ),
  providerRoute(
    "/inbound/postmark",
    "postmark",
    "application/json",
    "Postmark's inbound webhook with RawEmail; proved by Basic authentication.",
    { RECIPIENT_REJECTED: [403], EMAIL_TOO_LARGE: [403] },
  ),
  providerRoute(
    "/inbound/ses",
    "ses",
    "text/plain",
    "Amazon SES through SNS; proved by the signature of SNS. A refusal for good is 200, as SNS wants it.",
    undefined,
  ),
];

/** Every way in over HTTP (DECISIONS.md 3); the providers' routes are 404 until their setting is there. */
export function mountInbound(app: Hono<Env>, service: Service): void {
  mountInboundRaw(app, service);
  mountMailgun(app, service);
  mountSendgrid(app, service);
  mountPostmark(app, service);
  mountSes(app, service);
}
