import { z } from "zod";
import { mailboxIdField } from "../mailboxes/mailbox_id.ts";
import { isoTime, timestampField } from "../core/clock.ts";
import { decodeCursor, encodeCursor } from "../core/cursor.ts";
import { invalidField, notFound, ServiceError } from "../core/errors.ts";
import { operation } from "../core/operation.ts";
import { type Plan, planField } from "../core/plans.ts";
import { readableRows } from "../core/work/skip_damaged.ts";
import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import { withRoomForKey } from "./key_limit.ts";
import { isAlive, issuerChainOf } from "./issuer_chain.ts";
import { newApiKey, sha256Hex } from "./secrets.ts";
import { readUser } from "./user.ts";
import { type Caller, hasScope, type KeyLimit, scopeField } from "../core/caller.ts";
import { readMailbox } from "../mailboxes/visible_mailboxes.ts";
import { type ApiKey, type ApiKeyRef, withoutEnded } from "./api_key.ts";
import { confirmRole, personOf } from "./member.ts";

const record = z.object({
  keyId: z.string(),
  name: z.string(),
  keyPrefix: z.string().describe(
    "The beginning of the key, at most 4 characters of the secret, then asterisks",
  ),
  plan: planField,
  rateLimit: z.number().int().nullable().describe(
    "Requests a minute: of the key if it has a limit, else of the plan, over all keys; null is unlimited",
  ),
  requestsPerMinute: z.number().int().optional().describe(
    "The limit of the key and of the keys that it makes; absent: it has none of its own",
  ),
  lastUsed: timestampField.nullable().describe(
    "Time of the last call, at most 5 s late; null before the first",
  ),
  createdAt: timestampField,
  expirationTs: timestampField.nullable().describe("End of the key; null if it has none"),
  scopes: z.array(scopeField).optional().describe(
    "Absent: everything but emails:approve and policy:write",
  ),
  mailboxIds: z.array(z.string()).optional().describe("Absent: every mailbox"),
}).meta({ id: "ApiKey", description: "A key as lists show it, without its secret" });

/** Of a page; absent if all keys are asked for. */
const pageFields = {
  limit: z.int().optional().describe("The limit of the request; absent without one"),
  has_more: z.boolean().optional().describe("Absent without a limit"),
  next_cursor: z.string().nullable().optional().describe(
    "The cursor of the next page; null on the last; absent without a limit",
  ),
};

export const createApiKey = operation({
  name: "create_api_key",
  title: "Create an API key",
  description: "Creates an API key. Only this answer shows its secret.",
  scope: "keys:write",
  audit: "change",
  input: z.object({
    name: z.string().trim().min(1).max(100),
    expirationDays: z.int().min(1).max(365).optional().describe(
      "Days until the key expires; absent: it never expires. A key made by another key expires no later than that one",
    ),
    scopes: z.array(scopeField).min(1, "must name at least one scope").optional().describe(
      "What the key may do; absent: everything but emails:approve and policy:write",
    ),
    mailboxIds: z.array(mailboxIdField()).min(1, "must name at least one mailbox").max(100)
      .optional().describe(
        "The mailboxes it may see; absent: all",
      ),
    requestsPerMinute: z.int().min(1).optional().describe(
      "Requests a minute of the key and of the keys that it makes together, at most those of the plan; absent: no limit of its own",
    ),
  }),
  output: record.omit({ lastUsed: true }).extend({
    apiKey: z.string().describe(
      "The secret, `lbx_<identifier>_<secret>`, in this answer only: letters and digits, of which the last 6 are a checksum",
    ),
  }).meta({ id: "CreatedApiKey", description: "A new key, with its secret" }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, input, call) {
    const now = service.clock.now();
    const made = newApiKey(service.ids);
    const keyId = service.ids.timed(now);
    const limited = await limitsOf(service, caller, input);
    const keyLimits = keyLimitsOf(service, caller, keyId, input.requestsPerMinute);
    const draft: ApiKey = {
      keyId,
      userId: caller.userId,
      name: input.name,
      hash: sha256Hex(made.apiKey),
      keyPrefix: made.keyPrefix,
      createdAt: now,
      expiresAt: input.expirationDays === undefined ? null : now + input.expirationDays * dayMs,
      lastUsedAt: null,
      ...limited,
      ...(keyLimits.length > 0 ? { keyLimits } : {}),
    };
    const key = await withRoomForKey(service, caller.userId, async (tx) => {
      await confirmRole(tx, caller, "create_api_key");
      const { makers, expiresAt } = await issuerChainOf(tx, caller);
      const { memberId } = personOf(caller);
      const key = { ...draft, expiresAt: sooner(draft.expiresAt, expiresAt), makers, memberId };
      tx.set(keys.apiKey(caller.userId, key.keyId), key);
      tx.set(
        keys.apiKeyByHash(key.hash),
        { userId: caller.userId, keyId: key.keyId } satisfies ApiKeyRef,
      );
      call.audit({}, tx);
      return key;
    });
    return { ...recordOf(service, key, caller.plan), apiKey: made.apiKey };
  },
});

export const listApiKeys = operation({
  name: "list_api_keys",
  title: "List API keys",
  description:
    "The account's API keys, without their secrets, oldest first: all of them, or a page if there is a limit.",
  scope: "keys:write",
  audit: "none",
  input: z.object({
    limit: z.int().min(1).max(100).optional().describe("Keys a page, 1 to 100; absent: all keys"),
    cursor: z.string().max(500).optional().describe("next_cursor of the page before"),
  }),
  output: z.object({
    keys: z.array(record),
    total: z.number().int().describe("How many keys there are on all pages"),
    ...pageFields,
  }),
  errors: ["VALIDATION_ERROR"],
  async run(service, caller, { limit, cursor }) {
    const after = cursor === undefined ? "" : decodeCursor(cursor, ["id"])[0];
    const user = await readUser(service.database, caller.userId);
    const rows = await service.database.collect<ApiKey>({ prefix: keys.apiKeys(caller.userId) });
    const readable = readableRows(service.log, rows, (key) => {
      recordOf(service, key, user.plan);
      return key;
    });
    const live = withoutEnded(readable, user.memberIds);
    const rest = live.filter(({ keyId }) => keyId > after);
    const page = rest.slice(0, limit);
    const hasMore = page.length < rest.length;
    return {
      keys: page.map((key) => recordOf(service, key, user.plan)),
      total: live.length,
      ...(limit === undefined ? {} : {
        limit,
        has_more: hasMore,
        next_cursor: hasMore ? encodeCursor([page[page.length - 1].keyId]) : null,
      }),
    };
  },
});

export const revokeApiKey = operation({
  name: "revoke_api_key",
  title: "Revoke an API key",
  description:
    "Revokes an API key: the next request with it is refused. The keys that it made, and theirs, are revoked too, and " +
    "the webhooks of all of them become inactive. A limited key revokes only keys that it made.",
  scope: "keys:write",
  audit: "change",
  input: z.object({ keyId: z.string() }),
  output: z.object({ keyId: z.string(), revoked: z.boolean() }).meta({ id: "RevokedApiKey" }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { keyId }, call) {
    const { userId } = caller;
    const [known, user] = await Promise.all([
      service.database.get<ApiKey>(keys.apiKey(userId, keyId)),
      readUser(service.database, userId),
    ]);
    // The keys that a revoked key made are refused at once; a job deletes their rows a little later.
    if (!known || !await isAlive(service.database, user, known)) throw notFound("API key");
    await service.database.transact(async (tx) => {
      const key = await tx.get<ApiKey>(keys.apiKey(userId, keyId));
      if (!key) throw notFound("API key");
      const isLimited = caller.scopes !== undefined || caller.mailboxIds !== undefined;
      if (isLimited && !key.makers?.includes(caller.keyId ?? "")) {
        throw new ServiceError("FORBIDDEN", "A limited key revokes only keys that it made.");
      }
      tx.delete(keys.apiKey(userId, keyId));
      tx.delete(keys.apiKeyByHash(key.hash));
      // This ends the key's event streams on other instances.
      tx.append(userId, null);
      service.jobs.add(tx, "end_key", { userId, keyId });
      call.audit({}, tx);
    });
    service.credentials.forget(caller.userId);
    return { keyId, revoked: true };
  },
});

/**
 * The limits of a new key. Throws FORBIDDEN or NOT_FOUND if it could do more than the key that makes it:
 * docs/specification.md "Scopes".
 */
async function limitsOf(
  service: Service,
  caller: Caller,
  asked: Pick<ApiKey, "scopes" | "mailboxIds">,
) {
  const beyond = asked.scopes?.find((scope) => !hasScope(caller, scope));
  if (beyond) {
    throw new ServiceError("FORBIDDEN", "A key cannot make a key that can do more than itself.", {
      required_scope: beyond,
    });
  }
  for (const mailboxId of asked.mailboxIds ?? []) {
    await readMailbox(service.database, caller, mailboxId);
  }
  const limited: Pick<ApiKey, "scopes" | "mailboxIds"> = {};
  const wanted = asked.scopes ?? caller.scopes, boxes = asked.mailboxIds ?? caller.mailboxIds;
  if (wanted) limited.scopes = [...new Set(wanted)];
  if (boxes) limited.mailboxIds = [...new Set(boxes)];
  return limited;
}

/** The request limits of a new key: those of the key that makes it, and its own. Throws VALIDATION_ERROR. */
function keyLimitsOf(
  { plans }: Pick<Service, "plans">,
  { plan, keyLimits = [] }: Caller,
  keyId: string,
  own: number | undefined,
): KeyLimit[] {
  const most = plans[plan].requestsPerMinute ?? Infinity;
  if (own !== undefined && own > most) {
    throw invalidField("requestsPerMinute", `must be at most ${most}, as the plan ${plan} has`);
  }
  return [...keyLimits, ...(own === undefined ? [] : [{ keyId, limit: own }])];
}

const dayMs = 86_400_000;

/** The earlier of two expiries: a key ends with its maker. */
function sooner(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.min(one, other);
}

function recordOf(service: Service, key: ApiKey, plan: Plan): z.input<typeof record> {
  const { keyLimits = [] } = key;
  const own = keyLimits.find(({ keyId }) => keyId === key.keyId)?.limit;
  const ofPlan = service.plans[plan].requestsPerMinute;
  const least = Math.min(ofPlan ?? Infinity, ...keyLimits.map(({ limit }) => limit));
  const lastUsedAt = service.credentials.unwrittenUse(key.keyId) ?? key.lastUsedAt;
  return {
    keyId: key.keyId,
    name: key.name,
    keyPrefix: key.keyPrefix,
    plan,
    rateLimit: own ?? (least === Infinity ? null : least),
    ...(own === undefined ? {} : { requestsPerMinute: own }),
    lastUsed: lastUsedAt === null ? null : isoTime(lastUsedAt),
    createdAt: isoTime(key.createdAt),
    expirationTs: key.expiresAt === null ? null : isoTime(key.expiresAt),
    ...(key.scopes ? { scopes: key.scopes } : {}),
    ...(key.mailboxIds ? { mailboxIds: key.mailboxIds } : {}),
  };
}
