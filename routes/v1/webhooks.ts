import { listDeliveries, replayDelivery, testWebhook } from "../../domain/webhooks/delivery_log.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
} from "../../domain/webhooks/manage.ts";
import { type RestRoute } from "../http/rest.ts";
import { inData, pageIn } from "../http/envelopes.ts";

const params = { id: "webhook_id" };
const one = { path: "/v1/api/webhooks/:id", params, envelope: inData } as const;
const all = { path: "/v1/api/webhooks", envelope: inData } as const;

/** SPEC.md, Webhooks (v1); delivery log, replay and test are DECISIONS.md 8. */
export const webhookRoutes: RestRoute[] = [
  { ...all, method: "GET", operation: listWebhooks, input: "none" },
  { ...all, method: "POST", operation: createWebhook, input: "json", status: 201 },
  { ...one, method: "GET", operation: getWebhook, input: "none" },
  { ...one, method: "PATCH", operation: updateWebhook, input: "json" },
  { ...one, method: "DELETE", operation: deleteWebhook, input: "none" },
  {
    method: "GET",
    path: "/v1/api/webhooks/:id/deliveries",
    params,
    operation: listDeliveries,
    input: "query",
    envelope: pageIn("deliveries"),
  },
  {
    method: "POST",
    path: "/v1/api/webhooks/:id/deliveries/:delivery_id/replay",
    params,
    operation: replayDelivery,
    input: "none",
    envelope: inData,
  },
  {
    method: "POST",
    path: "/v1/api/webhooks/:id/test",
    params,
    operation: testWebhook,
    input: "query",
    envelope: inData,
  },
];
