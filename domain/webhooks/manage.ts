import { z } from "zod";
import { mailboxIdField } from "../mailboxes/mailbox_id.ts";
import { isoTime, timestampField } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { operation } from "../core/operation.ts";
import type { IssuerChain } from "../accounts/api_key.ts";
import { issuerChainOf, issuersLive, joinChains } from "../accounts/issuer_chain.ts";
import { readUser } from "../accounts/user.ts";
import type { Service } from "../core/service.ts";
import { eventName } from "./events.ts";
import { maskSecret, newSecret } from "./signature.ts";
import { retrySchedules } from "./retry.ts";
import {
  countAgain,
  dependsOn,
  mailboxesFor,
  readSubscribers,
  readWebhook,
  replaceWebhook,
  requireReading,
  seesWebhook,
  type Webhook,
  webhookFormats,
  webhooksOf,
  withPresentState,
} from "./webhook.ts";

const url = z.string().min(1).describe(
  "HTTPS URL that payloads are posted to; its host must be public",
);

const events = z.array(eventName).min(1, "must name at least one event")
  .transform((names) => [...new Set(names)])
  .describe("The events that are sent to it; `api_key.created` may be named, and is not sent yet");

/** A secret that the user chose: printable, so that it is the same string in every language. */
const secret = z.string().min(8).max(256).regex(
  /^[\x21-\x7e]+$/,
  "must be printable ASCII, no spaces",
)
  .describe("Signing secret, printable ASCII");

const mailboxIds = z.array(mailboxIdField()).min(1, "must name at least one mailbox")
  .max(100).nullable()
  .describe("Only events of these mailboxes; null: of all that the key may see");

const retry = z.enum(retrySchedules).describe(
  "standard: three attempts within seconds; extended: ten within about 35 hours",
);

const format = z.enum(webhookFormats).describe(
  "json: the payload; slack: a message `{text, blocks}` for the URL of a Slack incoming webhook",
);

const webhookId = z.string().min(1);

const webhookRecord = z.object({
  webhook_id: z.string(),
  url: z.string(),
  events: z.array(eventName),
  secret_masked: z.string(),
  active: z.boolean(),
  mailbox_ids: z.array(z.string()).nullable().describe("Only events of these; null: of all"),
  retry,
  format,
  created_at: timestampField,
}).meta({ id: "Webhook" });

const withSecret = webhookRecord.extend({
  secret: z.string().describe("The whole secret; it is not shown again"),
}).meta({ id: "CreatedWebhook", description: "A webhook with its whole secret" });

export const listWebhooks = operation({
  name: "list_webhooks",
  title: "List webhooks",
  description: "The account's webhooks, oldest first. Secrets are masked.",
  scope: "webhooks:write",
  audit: "none",
  input: z.object({}),
  output: z.array(
    // Only the list spells this field `createdAt` (docs/specification.md "Webhooks").
    webhookRecord.omit({ created_at: true }).extend({ createdAt: timestampField }).meta({
      id: "WebhookListItem",
      description: "A webhook as the list has it: `createdAt` in place of `created_at`",
    }),
  ),
  errors: ["FORBIDDEN"],
  async run(service, caller) {
    const all = await webhooksOf(service.database, caller.userId);
    const seen = all.filter((each) => seesWebhook(caller, each));
    const now = service.clock.now();
    const shown = await Promise.all(
      seen.map((each) => withPresentState(service.database, each, now)),
    );
    return shown.map((each) => {
      const { created_at, ...rest } = recordOf(each);
      return { ...rest, createdAt: created_at };
    });
  },
});

export const createWebhook = operation({
  name: "create_webhook",
  title: "Create a webhook",
  description: "Registers a URL that gets events by signed HTTP POST. The answer is the only " +
    "one that shows the whole secret.",
  scope: "webhooks:write",
  audit: "change",
  input: z.object({
    url,
    events,
    active: z.boolean().default(true).describe("false: it gets nothing until it is made active"),
    secret: secret.optional().describe(
      "Signing secret, printable ASCII; absent: `whsec_` and the base64 of 32 bytes",
    ),
    mailbox_ids: mailboxIds.default(null),
    retry: retry.default("standard"),
    format: format.default("json"),
  }),
  output: withSecret,
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, input, call) {
    requireReading(caller, input.events);
    const mailboxIds = await mailboxesFor(service.database, caller, input.mailbox_ids);
    await requirePublicTarget(service, input.url);
    const now = service.clock.now();
    const draft: Webhook = {
      webhookId: service.ids.timed(now),
      userId: caller.userId,
      url: input.url,
      events: input.events,
      secret: input.secret ?? newSecret(service.ids),
      active: input.active,
      createdAt: now,
      mailboxIds,
      retry: input.retry,
      format: input.format,
    };
    await countAgain(service.database, caller.userId);
    const webhook = await service.database.transact(async (tx) => {
      const { makers } = await issuerChainOf(tx, caller);
      const webhook: Webhook = { ...draft, makers };
      const { plan } = await readUser(tx, caller.userId);
      const limit = service.plans[plan].webhooks;
      const count = (await readSubscribers(tx, caller.userId))?.webhooks ?? 0;
      if (limit !== null && count >= limit) {
        const message = `The plan ${plan} has room for ${limit} webhooks.`;
        throw new ServiceError("FORBIDDEN", message, { count, limit, plan });
      }
      await replaceWebhook(tx, caller.userId, null, webhook);
      call.audit({}, tx);
      return webhook;
    });
    return { ...recordOf(webhook), secret: webhook.secret };
  },
});

export const getWebhook = operation({
  name: "get_webhook",
  title: "Get a webhook",
  description: "One webhook, its secret masked.",
  scope: "webhooks:write",
  audit: "none",
  input: z.object({ webhook_id: webhookId }),
  output: webhookRecord,
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, input) {
    const webhook = await readWebhook(service.database, caller, input.webhook_id);
    return recordOf(await withPresentState(service.database, webhook, service.clock.now()));
  },
});

export const updateWebhook = operation({
  name: "update_webhook",
  title: "Change a webhook",
  description:
    "Changes what is given and nothing else. A new secret signs from the next attempt on " +
    "and is shown whole in this answer only. `active: false` stops deliveries, those under way too. " +
    "One that ended with the key that made it goes on once it is made active again.",
  scope: "webhooks:write",
  audit: "change",
  input: z.object({
    webhook_id: webhookId,
    url: url.optional(),
    events: events.optional(),
    active: z.boolean().optional(),
    secret: secret.optional(),
    mailbox_ids: mailboxIds.optional(),
    retry: retry.optional(),
    format: format.optional(),
  }),
  output: webhookRecord.extend({ secret: withSecret.shape.secret.optional() }).meta({
    id: "UpdatedWebhook",
    description: "A webhook, with the whole secret if this call changed it",
  }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { webhook_id, mailbox_ids, ...given }, call) {
    const known = await readWebhook(service.database, caller, webhook_id);
    // Read from the database, not from memory: another process may have revoked a key.
    const lives = await issuersLive(
      service.database,
      caller.userId,
      dependsOn(known),
      service.clock.now(),
    );
    const changes: Partial<Webhook> = mailbox_ids === undefined
      ? given
      : { ...given, mailboxIds: await mailboxesFor(service.database, caller, mailbox_ids) };
    if (changes.url !== undefined) await requirePublicTarget(service, changes.url);
    await countAgain(service.database, caller.userId);
    return await service.database.transact(async (tx) => {
      const before = await readWebhook(tx, caller, webhook_id);
      const current = lives ? before : { ...before, active: false };
      if (Object.keys(changes).length === 0) return recordOf(current);
      // Without the right to read mail, a caller may change only `retry`.
      if (Object.keys(changes).some((name) => name !== "retry")) {
        requireReading(caller, [...before.events, ...changes.events ?? []]);
      }
      const { makers } = await issuerChainOf(tx, caller);
      const after: Webhook = {
        ...current,
        ...changes,
        ...(!lives && changes.active
          ? { makers, urlSetBy: [], secretSetBy: [] }
          : keysAfterChange(before, changes, makers)),
      };
      await replaceWebhook(tx, caller.userId, before, after);
      call.audit({}, tx);
      const record = recordOf(after);
      return after.secret === before.secret ? record : { ...record, secret: after.secret };
    });
  },
});

export const deleteWebhook = operation({
  name: "delete_webhook",
  title: "Delete a webhook",
  description: "Removes a webhook and its delivery log. Deliveries under way are given up.",
  scope: "webhooks:write",
  audit: "change",
  input: z.object({ webhook_id: webhookId }),
  output: z.object({ message: z.string() }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, input, call) {
    await countAgain(service.database, caller.userId);
    await service.database.transact(async (tx) => {
      const webhook = await readWebhook(tx, caller, input.webhook_id);
      await replaceWebhook(tx, caller.userId, webhook, null);
      call.audit({}, tx);
      service.jobs.add(tx, "purge_webhook", { webhookId: webhook.webhookId });
    });
    return { message: "The webhook is deleted." };
  },
});

/**
 * The keys of a webhook after a change by `changers`, a key with its makers, or none for a session. A key that changes the
 * webhook of another key becomes one of its makers. A webhook that a session made gets no makers, but it depends on the
 * key that was the last to set its URL or secret.
 */
function keysAfterChange(
  before: Webhook,
  changes: Partial<Webhook>,
  changers: IssuerChain,
): Pick<Webhook, "makers" | "urlSetBy" | "secretSetBy"> {
  const { makers = [], urlSetBy = [], secretSetBy = [] } = before;
  return {
    makers: makers.length === 0 ? makers : joinChains(makers, changers),
    urlSetBy: changes.url === undefined ? urlSetBy : changers,
    secretSetBy: changes.secret === undefined ? secretSetBy : changers,
  };
}

async function requirePublicTarget(
  { webhookTarget }: Pick<Service, "webhookTarget">,
  target: string,
): Promise<void> {
  const verdict = await webhookTarget.check(target);
  if (!verdict.ok) {
    throw new ServiceError("VALIDATION_ERROR", verdict.reason, { url: verdict.reason });
  }
}

function recordOf(webhook: Webhook): z.input<typeof webhookRecord> {
  return {
    webhook_id: webhook.webhookId,
    url: webhook.url,
    events: webhook.events,
    secret_masked: maskSecret(webhook.secret),
    active: webhook.active,
    mailbox_ids: webhook.mailboxIds ? [...webhook.mailboxIds] : null,
    retry: webhook.retry,
    format: webhook.format ?? "json",
    created_at: isoTime(webhook.createdAt),
  };
}
