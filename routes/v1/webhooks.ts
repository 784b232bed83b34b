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
import { inData, pageIn } from "../http/envelopes.ts";

const params = { id: "webhook_id" };
const webhooks = { family: "v1", tag: "Webhooks" } as const;
const one = { ...webhooks, path: "/v1/api/webhooks/:id", params, envelope: inData } as const;
const all = { ...webhooks, path: "/v1/api/webhooks", envelope: inData } as const;

export const webhookRoutes: RestRoute[] = [
  { ...all, method: "GET", operation: listWebhooks, input: "none" },
  { ...all, method: "POST", operation: createWebhook, input: "json", status: 201 },
  { ...one, method: "GET", operation: getWebhook, input: "none" },
  { ...one, method: "PATCH", operation: updateWebhook, input: "json" },
  { ...one, method: "DELETE", operation: deleteWebhook, input: "none" },
  {
    ...webhooks,
    method: "GET",
    path: "/v1/api/webhooks/:id/deliveries",
    params,
    operation: listDeliveries,
    input: "query",
    envelope: pageIn("deliveries"),
  },
  {
    ...webhooks,
    method: "GET",
    path: "/v1/api/webhooks/:id/deliveries/:delivery_id",
    params,
    operation: getDelivery,
    input: "none",
    envelope: inData,
  },
  {
    ...webhooks,
    method: "POST",
    path: "/v1/api/webhooks/:id/deliveries/:delivery_id/replay",
    params,
    operation: replayDelivery,
    input: "none",
    envelope: inData,
  },
  {
    ...webhooks,
    method: "POST",
    path: "/v1/api/webhooks/:id/test",
    params,
    operation: testWebhook,
    input: "query",
    envelope: inData,
  },
];
