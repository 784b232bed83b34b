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

/** The route of one provider. The provider defines the body and its authentication. */
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
    description: `${description} 404 unless the provider's setting is set.`,
    access: "provider",
    body: { contentType, description: "The body that the provider posts" },
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

/**
 * A malformed post is 400, and the provider retries it; `status` is the answer to a failure that no retry would change.
 */
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

const mailgunText = "A Mailgun route that forwards the MIME source; authenticated by its HMAC.";

export const inboundRoutes: PlainRoute[] = [
  inboundRawRoute,
  providerRoute("/inbound/mailgun", "mailgun", form, mailgunText, refusedWith(406)),
  providerRoute("/inbound/mailgun/mime", "mailgun_mime", form, mailgunText, refusedWith(406)),
  providerRoute(
    "/inbound/sendgrid",
    "sendgrid",
    form,
    "SendGrid Inbound Parse with the raw message; authenticated by its ECDSA signature. A permanent refusal is 200, as SendGrid requires.",
    { errors: [] },
  ),
  providerRoute(
    "/inbound/postmark",
    "postmark",
    "application/json",
    "Postmark's inbound webhook with RawEmail; uses Basic authentication.",
    refusedWith(403),
  ),
  providerRoute(
    "/inbound/ses",
    "ses",
    "text/plain",
    "Amazon SES through SNS; authenticated by the signature of SNS. A permanent refusal is 200, as SNS requires.",
    { errors: ["BAD_REQUEST"] },
  ),
];

/** Mounts every inbound route (docs/specification.md "Inbound"); a provider's route is 404 unless its setting is set. */
export function mountInbound(app: Hono<Env>, service: Service): void {
  mountInboundRaw(app, service);
  mountMailgun(app, service);
  mountSendgrid(app, service);
  mountPostmark(app, service);
  mountSes(app, service);
}
