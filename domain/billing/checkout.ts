import { z } from "zod";
import { personOf, readMember } from "../accounts/member.ts";
import { readUser, type User } from "../accounts/user.ts";
import { invalidField, ServiceError, unavailable } from "../core/errors.ts";
import { operation, type OperationCall } from "../core/operation.ts";
import { planField } from "../core/plans.ts";
import { CustomerUnknown, type Payments } from "../ports/payments.ts";
import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import { keepEventsMs } from "./ended_accounts.ts";
import { type Customer, subscriptionsOf } from "./customer.ts";
import type { Checkout } from "./payment_events.ts";
import { answered, paymentsWithEvents } from "./provider.ts";
import { noBilling } from "./subscription_rules.ts";

const returnAddress = z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).max(
  2_000,
);

/** docs/specification.md "Billing". */
export const beginCheckout = operation({
  name: "begin_checkout",
  title: "Buy a plan",
  description: "Begins the purchase of a plan. The account holder pays at the returned URL.",
  scope: null,
  audit: "change",
  input: z.object({
    plan: planField.describe("`pro`, or `enterprise` if it has a price"),
    successUrl: returnAddress.describe("Where the payment page sends the buyer after the payment"),
    cancelUrl: returnAddress.describe("Where it sends a buyer who cancels"),
  }),
  output: z.object({ url: z.string() }),
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  async run(service, caller, { plan, successUrl, cancelUrl }, call) {
    const payments = paymentsWithEvents(service);
    if (!payments.sells(plan)) throw notForSale(plan);
    const user = await readUser(service.database, caller.userId);
    const subscriptions = await subscriptionsOf(service.database, user);
    const running = subscriptions.filter(({ ended }) => ended?.value === false);
    // A second subscription to this plan would be paid twice. A plan set by the operator is not paid.
    const isRunning = running.some((one) => one.plan?.value === plan);
    if (isRunning && user.plan === plan && user.subscription?.status === "active") {
      throw new ServiceError(
        "CONFLICT",
        `The account already pays for ${plan}; the portal manages it.`,
      );
    }
    const { userId, email } = await readMember(service.database, personOf(caller));
    const replaces = running.map(({ subscriptionId }) => subscriptionId);
    const purchase = { userId, email, plan, replaces, successUrl, cancelUrl };
    const checkout = await answered(
      service,
      () => withCustomer(user, (customerId) => payments.beginCheckout({ ...purchase, customerId })),
    );
    await service.database.transact((tx) => {
      const note: Checkout = { userId: user.userId, plan };
      tx.set(keys.checkout(checkout.checkoutId), note, { expireInMs: keepEventsMs });
      call.audit({}, tx);
    });
    return { url: checkout.url };
  },
});

/** An account that has never paid becomes a customer first, so that it has a portal. */
export const openPortal = operation({
  name: "open_billing_portal",
  title: "Open the billing portal",
  description: "The pages where the account holder manages payment methods and invoices.",
  scope: null,
  audit: "change",
  input: z.object({ returnUrl: returnAddress.describe("Where the portal's link back leads") }),
  output: z.object({ url: z.string() }),
  errors: ["VALIDATION_ERROR"],
  async run(service, caller, { returnUrl }, call) {
    const payments = paymentsWithEvents(service);
    const user = await readUser(service.database, caller.userId);
    // If the account is a customer already, this call changes nothing: no row in the audit.
    call.audit(null);
    const open = async (known: string | null) => {
      const { email } = await readMember(service.database, personOf(caller));
      const customerId = known ?? await becomeCustomer(service, payments, { ...user, email }, call);
      return await payments.openPortal({ customerId, returnUrl });
    };
    return await answered(service, () => withCustomer(user, open));
  },
});

/** `visit` as the account's customer; without one if it has none, or if the provider does not know it any more. */
async function withCustomer<T>(
  { customerIds }: User,
  visit: (customerId: string | null) => Promise<T>,
): Promise<T> {
  const customerId = customerIds?.[0] ?? null;
  try {
    return await visit(customerId);
  } catch (error) {
    if (customerId === null || !(error instanceof CustomerUnknown)) throw error;
    return await visit(null);
  }
}

function notForSale(plan: string): ServiceError {
  // Every installation with billing sells `pro`: its missing price is the operator's mistake, not the caller's.
  if (plan === "pro") {
    return unavailable("Billing is not complete: STRIPE_PRICE_PRO is not set.", 3_600);
  }
  const message = plan === "free" ? "the free plan cannot be bought" : `${plan} has no price`;
  return invalidField("plan", message);
}

async function becomeCustomer(
  service: Pick<Service, "database">,
  payments: Payments,
  user: User & { email: string },
  call: OperationCall,
): Promise<string> {
  const { userId, email } = user;
  const replaced = user.customerIds?.[0] ?? null;
  const { customerId } = await payments.createCustomer({ userId, email, replaced });
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
    const customerIds = [...new Set([customerId, ...now.customerIds ?? []])];
    tx.set(keys.user(user.userId), { ...now, customerIds } satisfies User);
    call.audit({}, tx);
  });
  return customerId;
}
