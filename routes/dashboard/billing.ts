import { beginCheckout, openPortal } from "../../domain/billing/checkout.ts";
import { getSubscription, getUsage } from "../../domain/billing/subscription.ts";
import type { RestRoute } from "../http/rest.ts";
import { inData } from "../http/envelopes.ts";

const billing = { family: "dashboard", tag: "Billing" } as const;

export const billingRoutes: RestRoute[] = [
  {
    ...billing,
    method: "GET",
    path: "/api/billing/subscription",
    operation: getSubscription,
    input: "none",
    envelope: inData,
  },
  {
    ...billing,
    method: "GET",
    path: "/api/billing/usage",
    operation: getUsage,
    input: "none",
    envelope: inData,
  },
  {
    ...billing,
    method: "POST",
    path: "/api/billing/checkout",
    operation: beginCheckout,
    input: "json",
    envelope: inData,
  },
  {
    ...billing,
    method: "POST",
    path: "/api/billing/portal",
    operation: openPortal,
    input: "json",
    envelope: inData,
  },
];
