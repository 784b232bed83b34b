import type { User } from "../accounts/user.ts";
import { describeError } from "../core/log.ts";
import {
  type PaymentEvent,
  PaymentsUnavailable,
  type SubscriptionChange,
} from "../ports/payments.ts";
import type { Plan } from "../core/plans.ts";
import type { Service } from "../core/service.ts";
import { hasEnded, keepEventsMs } from "./ended_accounts.ts";
import { answered, paymentsOf, soldPlans } from "./provider.ts";
import type { Database, Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type Customer, subscriptionsOf } from "./customer.ts";
import {
  applyChange,
  type CustomerBilling,
  effectiveSubscription,
  noBilling,
} from "./subscription_rules.ts";

/** A purchase that has begun and whose event has not arrived. */
export interface Checkout {
  userId: string;
  plan: Plan;
}

/**
 * Applies a notification: each event id once, in any order of arrival. Events of a customer without a known account are
 * kept with the customer and count once an event names the account. Throws SERVICE_UNAVAILABLE, upon which the provider
 * repeats the event, if it has to end a subscription and the provider does not answer.
 */
export async function applyPaymentEvent(service: Service, event: PaymentEvent): Promise<void> {
  const checkout = event.checkoutId
    ? await service.database.get<Checkout>(keys.checkout(event.checkoutId))
    : null;
  const change = await completed(service, event, checkout);
  const namedUserId = event.userId ?? checkout?.userId ?? null;
  const { customerId } = event;
  const outcome = await service.database.transact(async (tx) => {
    if (await tx.get<number>(keys.paymentEvent(event.eventId)) !== null) return "seen before";
    const known = customerId ? await tx.get<Customer>(keys.customer(customerId)) : null;
    const userId = known?.userId ?? namedUserId;
    if (userId && await hasEnded(tx, userId)) return ofEnded;
    tx.set(keys.paymentEvent(event.eventId), service.clock.now(), { expireInMs: keepEventsMs });
    if (!customerId || !(change || namedUserId)) return "of no concern";
    const before = known ?? { userId: null, billing: noBilling };
    const user = await accountOf(tx, userId);
    const customer: Customer = {
      userId: user?.userId ?? null,
      billing: change ? applyChange(before.billing, change) : before.billing,
    };
    tx.set(keys.customer(customerId), customer, user ? {} : { expireInMs: keepEventsMs });
    if (!user) return "of an unknown customer";
    await updateAccount(tx, user, customerId, customer.billing);
    tx.afterCommit(() => service.credentials.forget(user.userId));
    return "applied";
  });
  // Paid or renewed after the end of the account. The event is not stored, so that its next delivery tries again if
  // this fails.
  if (outcome === ofEnded && change && !change.ended) {
    await answered(service, () => paymentsOf(service).cancel(change.subscriptionId));
  }
  service.log.info("billing.event", { type: event.type, id: event.eventId, outcome });
  await endReplaced(service, event);
}

/**
 * Ends the subscriptions that a paid purchase replaces: otherwise both would be paid. Also for an event that was seen
 * before: it is repeated because the provider did not answer.
 */
async function endReplaced(
  service: Service,
  { customerId, change, replaces }: PaymentEvent,
): Promise<void> {
  if (!customerId || change?.status !== "active" || change.ended || replaces.length === 0) return;
  const customer = await service.database.get<Customer>(keys.customer(customerId));
  const user = await accountOf(service.database, customer?.userId ?? null);
  if (!user) return;
  for (const { subscriptionId, ended, status } of await subscriptionsOf(service.database, user)) {
    if (ended?.value !== false || !replaces.includes(subscriptionId)) continue;
    // What was not paid is not credited.
    const creditRest = status?.value === "active";
    await answered(service, () => paymentsOf(service).cancel(subscriptionId, { creditRest }));
    service.log.info("billing.replaced", { user_id: user.userId });
  }
}

const ofEnded = "of an ended account";

/**
 * The change with its plan. A completed checkout may not name the plan: then it comes from the row of the purchase, from
 * the provider, or from the only plan that is sold.
 */
async function completed(
  service: Service,
  event: PaymentEvent,
  checkout: Checkout | null,
): Promise<SubscriptionChange | null> {
  const { change } = event;
  if (!change || !event.checkoutId || change.plan) return change;
  if (checkout) return { ...change, plan: checkout.plan };
  const sold = soldPlans(service);
  const assumed = sold.length === 1 ? { ...change, plan: sold[0] } : change;
  try {
    const current = await service.payments?.subscription(change.subscriptionId, event.createdAt);
    return current?.plan ? current : assumed;
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    // The subscription's own event brings the plan too, a little later.
    service.log.warn("billing.plan_not_known", {
      id: event.eventId,
      error: describeError(error),
    });
    return assumed;
  }
}

async function accountOf(store: Database | Tx, userId: string | null): Promise<User | null> {
  return userId === null ? null : await store.get<User>(keys.user(userId));
}

/** Sets the account's plan from all its customers, unless the operator set it after the newest event. */
async function updateAccount(
  tx: Tx,
  user: User,
  customerId: string,
  billing: CustomerBilling,
): Promise<void> {
  const others = (user.customerIds ?? []).filter((id) => id !== customerId);
  const customerIds = [customerId, ...others].slice(0, keptCustomers);
  const all = [...billing.subscriptions];
  for (const id of customerIds.slice(1)) {
    all.push(...(await tx.get<Customer>(keys.customer(id)))?.billing.subscriptions ?? []);
  }
  all.sort((a, b) => b.newest - a.newest);
  const known = all.filter((one) => one.ended);
  const linked: User = { ...user, customerIds };
  if (known.length === 0 || known[0].newest < (user.planSetAt ?? 0)) {
    tx.set(keys.user(user.userId), linked);
    return;
  }
  const { plan, ...subscription } = effectiveSubscription({ subscriptions: all });
  tx.set(keys.user(user.userId), { ...linked, plan, subscription } satisfies User);
}

/** Usually one: a further purchase uses the known customer. */
const keptCustomers = 5;
