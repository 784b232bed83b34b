import { type EventName, eventNames, eventPayloads } from "../../domain/webhooks/events.ts";
import { sampleEvent } from "../../domain/webhooks/sample_event.ts";
import type { Components } from "./components.ts";

const summaries: Record<EventName, string> = {
  "email.received": "New mail came in; all of it can be read",
  "email.processed": "Indexing of an email has ended",
  "email.sent": "An email has gone out",
  "email.failed": "An email did not reach a recipient, or was returned",
  "api_key.created": "A key was created (accepted as a subscription, not emitted)",
};

const headers: Record<string, string> = {
  "X-Service-Signature":
    "`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the secret as shown",
  "X-Service-Attempt": "from 1; a replay counts on",
  "webhook-id": "the event's id, the same in every attempt and replay",
  "webhook-timestamp": "seconds since 1970, of this attempt",
  "webhook-signature": "`v1,` and the base64 signature of Standard Webhooks",
};

/** The `webhooks` of the OpenAPI document: what is posted to a receiver, by event. */
export function webhookDocs(components: Components): Record<string, unknown> {
  return Object.fromEntries(eventNames.map((name) => [name, { post: posted(components, name) }]));
}

function posted(components: Components, name: EventName) {
  const { payload } = sampleEvent(name, "1", new Date(0));
  return {
    operationId: name.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: ["Webhooks"],
    summary: summaries[name],
    // The receiver's to check: the signature in the headers.
    security: [],
    parameters: Object.entries(headers).map(([header, description]) => ({
      in: "header",
      name: header,
      description,
      schema: { type: "string" },
    })),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: components.of(eventPayloads[name], "output"),
          example: payload,
        },
      },
    },
    responses: {
      "2XX": {
        description: "Delivered. Any other answer, or none within 10 seconds, is tried again.",
      },
    },
  };
}
