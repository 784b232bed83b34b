import {
  getDelivery,
  listDeliveries,
  replayDelivery,
  testWebhook,
} from "../../domain/webhooks/delivery_log.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
} from "../../domain/webhooks/manage.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";
import { pageIn } from "../http/envelopes.ts";

const row = rowsOf("/v1/api/webhooks", {
  family: "v1",
  tag: "Webhooks",
  params: { id: "webhook_id" },
});

export const webhookRoutes: RestRoute[] = [
  row("GET", "", listWebhooks, "none"),
  row("POST", "", createWebhook, "json", { status: 201 }),
  row("GET", "/:id", getWebhook, "none"),
  row("PATCH", "/:id", updateWebhook, "json"),
  row("DELETE", "/:id", deleteWebhook, "none"),
  row("GET", "/:id/deliveries", listDeliveries, "query", { envelope: pageIn("deliveries") }),
  row("GET", "/:id/deliveries/:delivery_id", getDelivery, "none"),
  row("POST", "/:id/deliveries/:delivery_id/replay", replayDelivery, "none"),
  row("POST", "/:id/test", testWebhook, "query"),
];
