import { z } from "zod";
import { createApiKey, listApiKeys, revokeApiKey } from "../../domain/accounts/api_keys.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";
import { type Envelope, listIn } from "../http/envelopes.ts";
import { apiBases } from "../http/families.ts";

const warning = "Store this key now: it is shown once and cannot be read again.";

const shownOnce: Envelope = {
  body: (data) => ({ success: true, data, meta: { warning } }),
  schema: (data) =>
    z.object({ success: z.literal(true), data, meta: z.object({ warning: z.string() }) }),
};

/** Key management, the same for API keys and sessions. */
export function keyRoutes(family: keyof typeof apiBases): RestRoute[] {
  const row = rowsOf(`${apiBases[family]}/keys`, { family, tag: "API keys" });
  return [
    row("GET", "", listApiKeys, "query", { envelope: listIn("keys") }),
    row("POST", "", createApiKey, "json", { status: 201, envelope: shownOnce }),
    row("DELETE", "/:keyId", revokeApiKey, "none"),
  ];
}
