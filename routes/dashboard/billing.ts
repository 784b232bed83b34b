import { beginCheckout, openPortal } from "../../domain/billing/checkout.ts";
import { getSubscription, getUsage } from "../../domain/billing/subscription.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";

const row = rowsOf("/api/billing", { family: "dashboard", tag: "Billing" });

export const billingRoutes: RestRoute[] = [
  row("GET", "/subscription", getSubscription, "none"),
  row("GET", "/usage", getUsage, "none"),
  row("POST", "/checkout", beginCheckout, "json"),
  row("POST", "/portal", openPortal, "json"),
];
