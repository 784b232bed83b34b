import { z } from "zod";
import { readUser } from "../accounts/user.ts";
import { isoTime, timestampField } from "../core/clock.ts";
import { operation } from "../core/operation.ts";
import { planField } from "../core/plans.ts";
import { periodAt } from "./subscription_rules.ts";
import { readUsageAndNumbers } from "./usage.ts";

/** A free account has a subscription too, whose period is the calendar month: docs/specification.md "Billing". */
export const getSubscription = operation({
  name: "get_subscription",
  title: "Get the subscription",
  description: "The account's plan, its state and the current billing period.",
  scope: null,
  audit: "none",
  input: z.object({}),
  output: z.object({
    status: z.enum(["active", "canceled", "past_due"]),
    plan: planField,
    currentPeriodStart: timestampField,
    currentPeriodEnd: timestampField.describe("The first moment of the next period"),
    cancelAtPeriodEnd: z.boolean(),
  }).meta({ id: "Subscription" }),
  errors: [],
  async run(service, caller) {
    const user = await readUser(service.database, caller.userId);
    const period = periodAt(user.subscription?.period ?? null, service.clock.now());
    return {
      status: user.subscription?.status ?? "active",
      plan: user.plan,
      currentPeriodStart: isoTime(period.start),
      currentPeriodEnd: isoTime(period.end),
      cancelAtPeriodEnd: user.subscription?.cancelAtPeriodEnd ?? false,
    };
  },
});

const limit = z.number().nullable().describe("null is unlimited");

/** The use of this billing period; storage is the size of the live emails now, mailboxes and webhooks their number. */
export const getUsage = operation({
  name: "get_usage",
  title: "Get the usage",
  description: "What the account has used in the current billing period, and what its plan allows.",
  scope: null,
  audit: "none",
  input: z.object({}),
  output: z.object({
    emailsUsed: z.number(),
    emailsLimit: limit,
    searchesUsed: z.number(),
    searchesLimit: limit,
    storageUsed: z.number().describe("Bytes"),
    storageLimit: limit.describe("Bytes; null is unlimited"),
    sendsUsed: z.number().describe("Today, in UTC"),
    sendsLimit: limit.describe("A day; null is unlimited"),
    mailboxesUsed: z.number(),
    mailboxesLimit: limit,
    webhooksUsed: z.number(),
    webhooksLimit: limit,
  }).meta({ id: "Usage" }),
  errors: [],
  async run(service, caller) {
    const { database, clock, plans } = service;
    const user = await readUser(database, caller.userId);
    const limits = plans[user.plan];
    const used = await readUsageAndNumbers(database, user, clock.now());
    return {
      emailsUsed: used.emailsPerMonth,
      emailsLimit: limits.emailsPerMonth,
      searchesUsed: used.searchesPerMonth,
      searchesLimit: limits.searchesPerMonth,
      storageUsed: used.storageBytes,
      storageLimit: limits.storageBytes,
      sendsUsed: used.sendsPerDay,
      sendsLimit: limits.sendsPerDay,
      mailboxesUsed: used.mailboxes,
      mailboxesLimit: limits.mailboxes,
      webhooksUsed: used.webhooks,
      webhooksLimit: limits.webhooks,
    };
  },
});
