import { z } from "zod";

export const planNames = ["free", "pro", "enterprise"] as const;
export type Plan = typeof planNames[number];
export const planField = z.enum(planNames).meta({ id: "Plan" });

const wholeNumber = "must be a whole number from 0, or null for unlimited";
const limit = z.int(wholeNumber).min(0, wholeNumber).nullable();

const limits = {
  requestsPerMinute: limit,
  requestsPerHour: limit,
  requestsPerDay: limit,
  mcpRequestsPerMinute: limit,
  emailsPerMonth: limit,
  emailsPerDay: limit,
  searchesPerMonth: limit,
  storageBytes: limit,
  maxEmailBytes: limit,
  customDomains: limit,
  mailboxes: limit,
  webhooks: limit,
  sendsPerDay: limit,
};

/** What a plan allows. 1 MB is 2^20 bytes, 1 GB is 2^30 bytes. */
export const planLimits = z.object(limits)
  .meta({ id: "PlanLimits", description: "What a plan allows; null is unlimited" });
export type PlanLimits = z.output<typeof planLimits>;

export type PlanTable = Record<Plan, PlanLimits>;

const megabyte = 2 ** 20;
const gigabyte = 2 ** 30;

/** docs/specification.md "Plans". */
const standard: PlanTable = {
  free: {
    requestsPerMinute: 20,
    requestsPerHour: 100,
    requestsPerDay: 1_000,
    mcpRequestsPerMinute: 10,
    emailsPerMonth: 100,
    emailsPerDay: 100,
    searchesPerMonth: 100,
    storageBytes: 1 * gigabyte,
    maxEmailBytes: 10 * megabyte,
    customDomains: 0,
    mailboxes: 5,
    webhooks: 3,
    sendsPerDay: 20,
  },
  pro: {
    requestsPerMinute: 100,
    requestsPerHour: 2_000,
    requestsPerDay: 20_000,
    mcpRequestsPerMinute: 60,
    emailsPerMonth: 10_000,
    emailsPerDay: 10_000,
    searchesPerMonth: 5_000,
    storageBytes: 50 * gigabyte,
    maxEmailBytes: 25 * megabyte,
    customDomains: 10,
    mailboxes: 50,
    webhooks: null,
    sendsPerDay: 2_000,
  },
  enterprise: {
    requestsPerMinute: 500,
    requestsPerHour: 10_000,
    requestsPerDay: 100_000,
    mcpRequestsPerMinute: 300,
    emailsPerMonth: null,
    emailsPerDay: 100_000,
    searchesPerMonth: null,
    storageBytes: null,
    maxEmailBytes: 50 * megabyte,
    customDomains: null,
    mailboxes: null,
    webhooks: null,
    sendsPerDay: null,
  },
};

const limitsOverride = z.strictObject(limits).partial();

/**
 * `PLAN_OVERRIDES` as an object: for each plan the fields that differ. An unknown plan or field is an error with its
 * name.
 */
const planOverridesSchema = z.strictObject({
  free: limitsOverride,
  pro: limitsOverride,
  enterprise: limitsOverride,
}).partial();

export type PlanOverrides = z.infer<typeof planOverridesSchema>;

/** `PLAN_OVERRIDES` as the text of the environment variable. */
export const planOverridesText = z.string().transform((text, context) => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "is not JSON" });
    return z.NEVER;
  }
}).pipe(planOverridesSchema);

/** The plans of a service: the standard ones, `FREE_MAX_CUSTOM_DOMAINS`, and the overrides, which come last. */
export function planTable(overrides: PlanOverrides, freeMaxCustomDomains: number): PlanTable {
  return {
    free: { ...standard.free, customDomains: freeMaxCustomDomains, ...overrides.free },
    pro: { ...standard.pro, ...overrides.pro },
    enterprise: { ...standard.enterprise, ...overrides.enterprise },
  };
}

/**
 * No message can be larger, whatever the plans say: all request bodies share 256 MiB of memory, and senders would try a
 * message that never fits again for days.
 */
export const largestPossibleEmailBytes = 240 * megabyte;

/** The largest message that any plan accepts, in bytes: a larger one is refused before its recipient is known. */
export function largestEmailBytes(table: PlanTable): number {
  const sizes = planNames.map((plan) => table[plan].maxEmailBytes ?? Infinity);
  return Math.min(largestPossibleEmailBytes, Math.max(...sizes));
}
