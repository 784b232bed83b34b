import type { Context } from "hono";
import { OAuthError } from "../../domain/apps/oauth_error.ts";
import { registerClient } from "../../domain/apps/registered_client.ts";
import { readRegistration, registered } from "../../domain/apps/registration.ts";
import type { Service } from "../../domain/core/service.ts";
import { readBytes } from "../http/bodies/body.ts";
import { parseJson } from "../http/bodies/json_text.ts";
import type { Env } from "../http/env.ts";
import { countGuest } from "../http/rate_limit.ts";
import { maxBodyBytes } from "./endpoint.ts";

/** `POST /oauth/register`: a client registers itself (RFC 7591, 3). */
export async function answerRegister(c: Context<Env>, service: Service): Promise<Response> {
  const limited = await countGuest(c, service);
  if (limited) throw limited;
  const asked = readRegistration(jsonOf(await readBytes(c, maxBodyBytes)));
  const client = await registerClient(service, c.get("guest").clientAddress, asked);
  return c.json({
    client_id: client.clientId,
    client_id_issued_at: Math.floor(client.createdAt / 1_000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    ...registered,
  }, 201);
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    throw new OAuthError("invalid_client_metadata", "The body is not valid JSON.");
  }
}
