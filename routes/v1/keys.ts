import { z } from "zod";
import { createApiKey, listApiKeys, revokeApiKey } from "../../domain/accounts/api_keys.ts";
import type { RestRoute } from "../http/rest.ts";
import { type Envelope, inData, listIn } from "../http/envelopes.ts";
import { apiBases } from "../http/families.ts";

const warning = "Store this key now: it is shown once and cannot be read again.";

const shownOnce: Envelope = {
  body: (data) => ({ success: true, data, meta: { warning } }),
  schema: (data) =>
    z.object({ success: z.literal(true), data, meta: z.object({ warning: z.string() }) }),
};

/** Key management, the same for API keys and sessions. */
export function keyRoutes(family: keyof typeof apiBases): RestRoute[] {
  const keys = { family, tag: "API keys" } as const;
  const base = `${apiBases[family]}/keys`;
  return [
    {
      ...keys,
      method: "GET",
      path: base,
      operation: listApiKeys,
      input: "query",
      envelope: listIn("keys"),
    },
    {
      ...keys,
      method: "POST",
      path: base,
      operation: createApiKey,
      input: "json",
      status: 201,
      envelope: shownOnce,
    },
    {
      ...keys,
      method: "DELETE",
      path: `${base}/:keyId`,
      operation: revokeApiKey,
      input: "none",
      envelope: inData,
    },
  ];
}
