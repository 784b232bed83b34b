import { invalidField, unavailable } from "../core/errors.ts";
import { describeError } from "../core/log.ts";
import { type Plan, planNames } from "../core/plans.ts";
import type { Service } from "../core/service.ts";
import { AddressRefused, type Payments, PaymentsUnavailable } from "../ports/payments.ts";

/** The payment provider. Throws SERVICE_UNAVAILABLE, which names the missing setting, if billing is off. */
export function paymentsOf({ payments }: Pick<Service, "payments">): Payments {
  if (!payments) throw unavailable("Billing is off: STRIPE_SECRET_KEY is not set.", 3_600);
  return payments;
}

/**
 * The same, for what Stripe's events complete. Also throws if these cannot be read: somebody would pay for a plan and not
 * get it.
 */
export function paymentsWithEvents(service: Pick<Service, "payments" | "settings">): Payments {
  const payments = paymentsOf(service);
  if (service.settings.STRIPE_WEBHOOK_SECRET) return payments;
  throw unavailable("Billing is not complete: STRIPE_WEBHOOK_SECRET is not set.", 3_600);
}

/** The plans that can be bought; none if billing is off or not complete. */
export function soldPlans({ payments, settings }: Pick<Service, "payments" | "settings">): Plan[] {
  if (!payments || !settings.STRIPE_WEBHOOK_SECRET) return [];
  return planNames.filter((plan) => payments.sells(plan));
}

/**
 * The result of `call`. Throws SERVICE_UNAVAILABLE if the provider does not answer or refuses: a wrong key, price or
 * request is the operator's to correct. The provider's message is logged, not shown. Throws VALIDATION_ERROR if it
 * refuses a URL of the caller.
 */
export async function answered<T>(
  service: Pick<Service, "metrics" | "log">,
  call: () => Promise<T>,
): Promise<T> {
  try {
    const result = await call();
    service.metrics.called("payments", true);
    return result;
  } catch (error) {
    if (error instanceof AddressRefused) {
      service.metrics.called("payments", true);
      throw invalidField(error.field, "the payment provider does not accept this URL");
    }
    if (!(error instanceof PaymentsUnavailable)) throw error;
    service.metrics.called("payments", false);
    const facts = { error: describeError(error) };
    if (!error.refused) {
      service.log.warn("billing.provider_failed", facts);
      throw unavailable("The payment provider does not answer; try again.", 30);
    }
    service.log.error("billing.provider_refused", facts);
    throw unavailable("Billing does not work: the payment provider refuses the request.", 3_600);
  }
}
