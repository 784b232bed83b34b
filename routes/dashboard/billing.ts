import { beginCheckout, openPortal } from "../../domain/billing/checkout.ts";
import { getSubscription, getUsage } from "../../domain/billing/subscription.ts";
import { type RestRoute } from "../http/rest.ts";
import { inData } from "../http/envelopes.ts";

/** SPEC.md, Billing. */
export const billingRoutes: RestRoute[] = [
  {
    method: "GET",
    path: "/api/billing/subscription",
    operation: getSubscription,
    input: "none",
    envelope: inData,
  },
  {
    method: "GET",
    path: "/api/billing/usage",
    operation: getUsage,
    input: "none",
    envelope: inData,
  },
  {
    method: "POST",
    path: "/api/billing/checkout",
    operation: beginCheckout,
    input: "json",
    envelope: inData,
  },
  {
    method: "POST",
    path: "/api/billing/portal",
    operation: openPortal,
    input: "json",
    envelope: inData,
  },
];
