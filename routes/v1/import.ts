import type { Hono } from "hono";
import { importEmail, importing } from "../../domain/mail/receive/import_email.ts";
import type { Service } from "../../domain/core/service.ts";
import { admit } from "../http/admit.ts";
import { bodyOf, lengthOf } from "../http/bodies/body.ts";
import type { Env } from "../http/env.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { refuseUnknownQuery } from "../http/query.ts";
import { requireCaller } from "../http/rest.ts";
import { importParameters, sourceStateOf } from "../inbound/import_headers.ts";
import { answerDelivery, deliveryAnswer, deliveryErrors, requireMessage } from "../inbound/raw.ts";

export const importRoute: PlainRoute = {
  family: "v1",
  tag: "Mailboxes",
  method: "POST",
  path: "/v1/api/mailboxes/:mailboxId/import",
  name: importing.name,
  title: "Import an email",
  description:
    "Stores a message of an archive in the mailbox, at the time of its source and with the label imported. Nobody is told that mail came: there is no email.received and no " +
    "email.processed, and no wait, claim or expectation meets it. It counts as storage, not as a received mail of the month. It costs no request; at most 8 at the same time an " +
    "account. 2xx promises that it is durable. The same message again is a duplicate and changes nothing.",
  access: "account",
  scope: importing.scope,
  parameters: [
    {
      in: "path",
      name: "mailboxId",
      description: "mailbox_id of list_mailboxes",
      example: "0199a1c2-7d3e-7000-8000-5f1e2d3c4b5b",
    },
    ...importParameters,
  ],
  body: { contentType: "message/rfc822", description: "The message, stored byte for byte" },
  success: deliveryAnswer,
  errors: ["VALIDATION_ERROR", "NOT_FOUND", ...deliveryErrors],
};

/** Mounts the import, before the routes that cost a request. */
export function mountImport(app: Hono<Env>, service: Service, route: PlainRoute): void {
  app.post(route.path, admit(service, { isCounted: false }), async (c) => {
    refuseUnknownQuery(c, route);
    const caller = requireCaller(c);
    requireMessage(c);
    const results = await importEmail(service, caller, c.req.param("mailboxId") ?? "", {
      state: sourceStateOf(c),
      declaredSize: lengthOf(c),
      body: confirmed(bodyOf(c), c.get("confirmCaller")),
    });
    return answerDelivery(c, results);
  });
}

/** The body; at its end the caller is confirmed: the key may have been revoked while it arrived. */
async function* confirmed(
  body: AsyncIterable<Uint8Array>,
  confirm: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  yield* body;
  await confirm();
}
