import type { Hono } from "hono";
import type { ErrorCode } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { mountMailgun } from "./providers/mailgun.ts";
import { mountPostmark } from "./providers/postmark.ts";
import { deliveryResults, inboundRawRoute, mountInboundRaw } from "./raw.ts";
import { mountSendgrid } from "./providers/sendgrid.ts";
import { mountSes } from "./providers/ses.ts";
import { inData } from "../http/envelopes.ts";
import type { Env } from "../http/env.ts";

const form = "multipart/form-data";

/** A provider's own post: what it holds and how it proves itself is the provider's to say. */
function providerRoute(
  path: string,
  name: string,
  contentType: string,
  description: string,
  refusals: Pick<PlainRoute, "statuses"> & { errors: ErrorCode[] },
): PlainRoute {
  return {
    family: "inbound",
    tag: "Inbound",
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
    ...refusals,
    errors: [
      "UNAUTHORIZED",
      "NOT_FOUND",
      "REQUEST_TIMEOUT",
      "PAYLOAD_TOO_LARGE",
      "RATE_LIMIT_EXCEEDED",
      ...refusals.errors,
    ],
  };
}

/** A post that is not as it should be is 400 and tried again; `status` is for what no further try would change. */
function refusedWith(status: number) {
  const errors: ErrorCode[] = ["BAD_REQUEST", "RECIPIENT_REJECTED", "EMAIL_TOO_LARGE"];
  return {
    errors,
    statuses: {
      BAD_REQUEST: [400, status],
      RECIPIENT_REJECTED: [status],
      EMAIL_TOO_LARGE: [status],
    },
  };
}

const mailgunText = "A Mailgun route that forwards the MIME source; proved by its HMAC.";

export const inboundRoutes: PlainRoute[] = [
  inboundRawRoute,
  providerRoute("/inbound/mailgun", "mailgun", form, mailgunText, refusedWith(406)),
  providerRoute("/inbound/mailgun/mime", "mailgun_mime", form, mailgunText, refusedWith(406)),
  providerRoute(
    "/inbound/sendgrid",
    "sendgrid",
    form,
    "SendGrid Inbound Parse with the raw message; proved by its ECDSA signature. A refusal for good is 200, as SendGrid wants it.",
    { errors: [] },
  ),
  providerRoute(
    "/inbound/postmark",
    "postmark",
    "application/json",
    "Postmark's inbound webhook with RawEmail; proved by Basic authentication.",
    refusedWith(403),
  ),
  providerRoute(
    "/inbound/ses",
    "ses",
    "text/plain",
    "Amazon SES through SNS; proved by the signature of SNS. A refusal for good is 200, as SNS wants it.",
    { errors: ["BAD_REQUEST"] },
  ),
];

/** Every way in over HTTP (docs/specification.md "Inbound"); the providers' routes are 404 until their setting is there. */
export function mountInbound(app: Hono<Env>, service: Service): void {
  mountInboundRaw(app, service);
  mountMailgun(app, service);
  mountSendgrid(app, service);
  mountPostmark(app, service);
  mountSes(app, service);
}
