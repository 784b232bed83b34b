import type { Hono } from "hono";
import { paymentsWithEvents } from "../../domain/billing/provider.ts";
import { applyPaymentEvent } from "../../domain/billing/payment_events.ts";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { readBytes, smallBodyBytes } from "../http/bodies/body.ts";
import { showGuest, wrongProof } from "../http/rate_limit.ts";
import { z } from "zod";
import type { PlainRoute } from "../http/plain_route.ts";
import { inData } from "../http/envelopes.ts";
import type { Env } from "../http/env.ts";

export const stripeWebhookRoute: PlainRoute = {
  family: "dashboard",
  tag: "Billing",
  method: "POST",
  path: "/api/webhooks/stripe",
  name: "receive_stripe_event",
  title: "Stripe's notifications",
  description: "Stripe reports payments here; the signature over the body is the credential.",
  access: "provider",
  parameters: [{
    in: "header",
    name: "Stripe-Signature",
    description: "Signature over the raw body",
    required: true,
  }],
  body: { contentType: "application/json", description: "A Stripe event" },
  success: {
    status: 200,
    description: "The event was applied, now or earlier",
    contentType: "application/json",
    schema: inData.schema(z.object({ received: z.literal(true) })),
  },
  errors: ["BAD_REQUEST", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE", "RATE_LIMIT_EXCEEDED"],
};

/**
 * Stripe's notifications. The signature over the raw body is the credential: a signed request counts in no window, an
 * unsigned one counts like any request without a credential.
 */
export function mountStripeWebhook(app: Hono<Env>, service: Service): void {
  app.post(stripeWebhookRoute.path, async (c) => {
    await showGuest(c, service);
    const payments = paymentsWithEvents(service);
    const body = await readBytes(c, smallBodyBytes);
    const signature = c.req.header("stripe-signature") ?? null;
    const event = await payments.readEvent(body, signature, service.clock.now());
    if (!event) {
      const reason = "This is no event of Stripe with a valid signature of the last five minutes.";
      throw await wrongProof(c, service, new ServiceError("BAD_REQUEST", reason));
    }
    await applyPaymentEvent(service, event);
    return c.json({ success: true, data: { received: true } });
  });
}
