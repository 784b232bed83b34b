import { z } from "zod";
import { readUser, type User } from "../accounts/user.ts";
import { ServiceError, unavailable } from "../core/errors.ts";
import { describeError } from "../core/log.ts";
import { operation } from "../core/operation.ts";
import { planField } from "../core/plans.ts";
import { AddressRefused, type Payments, PaymentsUnavailable } from "../ports/payments.ts";
import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import { type Checkout, type Customer, keepEventsMs } from "./payment_events.ts";
import { noBilling } from "./subscription_rules.ts";

const returnAddress = z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).max(
  2_000,
);

/** SPEC.md, Billing. */
export const beginCheckout = operation({
  name: "begin_checkout",
  title: "Buy a plan",
  description: "Begins the purchase of a plan: the account holder pays at the URL answered.",
  scope: null,
  input: z.object({
    plan: planField.describe("`pro`, or `enterprise` where it has a price"),
    successUrl: returnAddress.describe("Where the payment pages send the buyer afterwards"),
    cancelUrl: returnAddress.describe("Where they send one who turns back"),
  }),
  output: z.object({ url: z.string() }),
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  async run(service, caller, { plan, successUrl, cancelUrl }) {
    const payments = paymentsOf(service);
    if (!payments.sells(plan)) throw notForSale(plan);
    const user = await readUser(service.database, caller.userId);
    if (await paysFor(service, user, plan)) {
      throw new ServiceError(
        "CONFLICT",
        `The account already pays for ${plan}; the portal manages it.`,
      );
    }
    const checkout = await answered(service, () =>
      payments.beginCheckout({
        userId: user.userId,
        email: user.email,
        customerId: user.customerIds?.[0] ?? null,
        plan,
        successUrl,
        cancelUrl,
      }));
    await service.database.transact((tx) => {
      const note: Checkout = { userId: user.userId, plan };
      tx.set(keys.checkout(checkout.checkoutId), note, { expireInMs: keepEventsMs });
    });
    return { url: checkout.url };
  },
});

/** SPEC.md, Billing. An account that has never paid becomes a customer, so that its portal can be shown. */
export const openPortal = operation({
  name: "open_billing_portal",
  title: "Open the billing portal",
  description: "The pages where the account holder manages payment methods and invoices.",
  scope: null,
  input: z.object({ returnUrl: returnAddress.describe("Where the portal's way back leads") }),
  output: z.object({ url: z.string() }),
  errors: ["VALIDATION_ERROR"],
  async run(service, caller, { returnUrl }) {
    const payments = paymentsOf(service);
    const user = await readUser(service.database, caller.userId);
    const customerId = user.customerIds?.[0] ?? await becomeCustomer(service, payments, user);
    return await answered(service, () => payments.openPortal({ customerId, returnUrl }));
  },
});

/** The payment provider, or the 503 that says which setting is missing (DECISIONS.md 2). */
export function paymentsOf(service: Service): Payments {
  if (!service.payments) throw unavailable("Billing is off: STRIPE_SECRET_KEY is not set.", 3_600);
  return service.payments;
}

function notForSale(plan: string): ServiceError {
  // The plan that every installation sells: its missing price is the operator's to mend, not the caller's.
  if (plan === "pro") {
    return unavailable("Billing is not complete: STRIPE_PRICE_PRO is not set.", 3_600);
  }
  const message = plan === "free" ? "the free plan is not bought" : `${plan} has no price here`;
  return new ServiceError("VALIDATION_ERROR", `plan: ${message}`, { plan: message });
}

/** A second subscription to the same plan would be paid twice. A plan that the operator gave is not paid for. */
async function paysFor(service: Service, user: User, plan: string): Promise<boolean> {
  if (user.plan !== plan || user.subscription?.status !== "active") return false;
  for (const customerId of user.customerIds ?? []) {
    const customer = await service.database.get<Customer>(keys.customer(customerId));
    const runs = customer?.billing.subscriptions.some((one) =>
      one.ended?.value === false && one.plan?.value === plan
    );
    if (runs) return true;
  }
  return false;
}

async function becomeCustomer(service: Service, payments: Payments, user: User): Promise<string> {
  const { customerId } = await answered(
    service,
    () => payments.createCustomer({ userId: user.userId, email: user.email }),
  );
  await service.database.transact(async (tx) => {
    const now = await readUser(tx, user.userId);
    const known = await tx.get<Customer>(keys.customer(customerId));
    tx.set(
      keys.customer(customerId),
      {
        userId: user.userId,
        billing: known?.billing ?? noBilling,
      } satisfies Customer,
    );
    const customerIds = [...new Set([...now.customerIds ?? [], customerId])];
    tx.set(keys.user(user.userId), { ...now, customerIds } satisfies User);
  });
  return customerId;
}

/**
 * A provider that does not answer is 503 (DECISIONS.md 11), and so is one that refuses: what it says of our key, a price or
 * the request is the operator's to mend, like a setting that is missing. It stands in the log.
 */
async function answered<T>(service: Service, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AddressRefused) {
      const message = "the payment provider does not take this address";
      throw new ServiceError("VALIDATION_ERROR", `${error.field}: ${message}`, {
        [error.field]: message,
      });
    }
    if (!(error instanceof PaymentsUnavailable)) throw error;
    const facts = { error: describeError(error) };
    if (!error.refused) {
      service.log.warn("billing.provider_failed", facts);
      throw unavailable("The payment provider does not answer; try again.", 30);
    }
    service.log.error("billing.provider_refused", facts);
    throw unavailable("Billing does not work: the payment provider refuses the request.", 3_600);
  }
}
