import { type EventName, eventNames, eventPayloads } from "../../domain/webhooks/events.ts";
import { sampleEvent } from "../../domain/webhooks/sample_event.ts";
import { signatureHeaders } from "../../domain/webhooks/signature.ts";
import type { Components } from "./components.ts";

const summaries: Record<EventName, string> = {
  "email.received": "New mail arrived and can be read",
  "email.imported": "An email was imported from an archive and can be read",
  "email.processed": "Indexing of an email has ended",
  "email.sent": "An email has gone out",
  "email.failed": "An email did not reach a recipient, or was returned",
  "draft.created": "A draft was made",
  "draft.updated": "A draft was changed, or could not be sent and is a draft again",
  "draft.pending_approval": "A draft waits for a person",
  "draft.approved": "A person approved a draft",
  "draft.rejected": "A person rejected a draft",
  "draft.sent": "A draft was sent",
  "draft.canceled": "A draft was canceled",
  "api_key.created":
    "A key was created (not sent yet: a webhook may subscribe to it, and gets nothing)",
};

const headers: Record<string, string> = {
  "X-Service-Signature":
    "`sha256=` and the hex HMAC-SHA256 of the raw body. The key is the whole secret as shown, `whsec_` included. Compare in constant time.",
  "X-Service-Attempt": "Number of the attempt, from 1; replays continue the count.",
  "webhook-id":
    "The event's id, the same in every attempt and replay: skip an id that you have seen.",
  "webhook-timestamp":
    "Time of this attempt in seconds since 1970. Refuse one that is more than 5 minutes off.",
  "webhook-signature":
    "`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what follows `whsec_` in the secret, decoded " +
    "from base64; a secret of your own that is not base64 is used as it is. The libraries of Standard Webhooks check this header and the time.",
};

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const at = new Date("2026-11-20T09:00:02.118Z");

const delivery =
  "Posted to the `url` of every active webhook that subscribes. Answer 2xx within 10 seconds. Otherwise two more attempts follow, " +
  "after 500 ms and after 1000 ms, and then seven within about 35 hours if the webhook's `retry` is `extended`. An event can arrive more than once.\n\n" +
  "Two signatures cover the raw body, each in its own header; checking one of them is enough. Check it before the body is parsed. " +
  `The example is signed with the secret \`${secret}\`, over the body as JSON without spaces.`;

/** The `webhooks` of the OpenAPI document: each event's post to a receiver. */
export function webhookDocs(components: Components): Record<string, unknown> {
  return Object.fromEntries(eventNames.map((name) => [name, { post: posted(components, name) }]));
}

function posted(components: Components, name: EventName) {
  const { id, payload } = sampleEvent(name, "01a1fd71", at);
  const body = JSON.stringify(payload);
  const examples = signatureHeaders({ secret, eventId: id, attempt: 1, at, body });
  return {
    operationId: name.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: ["Events"],
    summary: summaries[name],
    description: delivery,
    // No credential; the receiver checks the signature in the headers.
    security: [],
    parameters: Object.entries(headers).map(([header, description]) => ({
      in: "header",
      name: header,
      required: true,
      description,
      schema: { type: "string" },
      example: examples[header],
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
      "2XX": { description: "Delivered. Any other answer, or none within 10 seconds, is retried." },
    },
  };
}
