import type { Hono } from "hono";
import { paymentsOf } from "../../domain/billing/checkout.ts";
import { applyPaymentEvent } from "../../domain/billing/payment_events.ts";
import { ServiceError, unavailable } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { readBytes, smallBodyBytes } from "../http/body.ts";
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
  description: "Where Stripe reports payments; the signature over the body is the credential.",
  access: "provider",
  parameters: [{
    in: "header",
    name: "Stripe-Signature",
    description: "Signature over the raw body",
    required: true,
  }],
  body: { contentType: "application/json", description: "An event of Stripe" },
  success: {
    status: 200,
    description: "The event is taken, now or before",
    contentType: "application/json",
    schema: inData.schema(z.object({ received: z.literal(true) })),
  },
  errors: ["BAD_REQUEST", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE", "RATE_LIMIT_EXCEEDED"],
};

/**
 * Stripe's notifications. The signature is over the raw body and is the credential: what bears one counts in no
 * window, what does not is anybody's request.
 */
export function mountStripeWebhook(app: Hono<Env>, service: Service): void {
  app.post(stripeWebhookRoute.path, async (c) => {
    await showGuest(c, service);
    const payments = paymentsOf(service);
    if (!service.settings.STRIPE_WEBHOOK_SECRET) {
      throw unavailable("Billing is not complete: STRIPE_WEBHOOK_SECRET is not set.", 3_600);
    }
    const body = await readBytes(c, smallBodyBytes);
    const signature = c.req.header("stripe-signature") ?? null;
    const event = await payments.readEvent(body, signature, service.clock.now());
    if (!event) {
      const reason = "The signature is missing, wrong or too old.";
      throw await wrongProof(c, service, new ServiceError("BAD_REQUEST", reason));
    }
    await applyPaymentEvent(service, event);
    return c.json({ success: true, data: { received: true } });
  });
}
