import type { Hono } from "hono";
import { paymentsOf } from "../../domain/billing/checkout.ts";
import { applyPaymentEvent } from "../../domain/billing/payment_events.ts";
import { ServiceError, unavailable } from "../../domain/errors.ts";
import type { Service } from "../../domain/service.ts";
import { readBytes, smallBodyBytes } from "../body.ts";
import { countGuest, showGuest } from "../rate_limit.ts";
import type { Env } from "../rest.ts";

export const stripeWebhookPath = "/api/webhooks/stripe";

/**
 * Stripe's notifications. The signature is over the raw body and is the credential: what bears one counts in no
 * window, what does not is anybody's request.
 */
export function mountStripeWebhook(app: Hono<Env>, service: Service): void {
  app.post(stripeWebhookPath, async (c) => {
    await showGuest(c, service);
    const payments = paymentsOf(service);
    if (!service.settings.STRIPE_WEBHOOK_SECRET) {
      throw unavailable("Billing is not complete: STRIPE_WEBHOOK_SECRET is not set.", 3_600);
    }
    const body = await readBytes(c, smallBodyBytes);
    const signature = c.req.header("stripe-signature") ?? null;
    const event = await payments.readEvent(body, signature, service.clock.now());
    if (!event) {
      await countGuest(c, service);
      throw new ServiceError("BAD_REQUEST", "The signature is missing, wrong or too old.");
    }
    await applyPaymentEvent(service, event);
    return c.json({ success: true, data: { received: true } });
  });
}
