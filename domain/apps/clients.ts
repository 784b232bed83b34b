import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import type { Client } from "./client.ts";
import { isDocumentUrl } from "./client_documents.ts";
import { isRegistered, type RegisteredClient } from "./registered_client.ts";

/**
 * The client; null if it is unknown. A `client_id` that is a URL is fetched for a person of the account, so there must be
 * one. Throws DocumentError, and SERVICE_UNAVAILABLE if too many are fetched.
 */
export async function findClient(
  service: Pick<Service, "database" | "clock" | "settings" | "clientDocuments">,
  clientId: string,
  userId: string | null,
): Promise<Client | null> {
  if (isDocumentUrl(service.settings, clientId)) {
    return userId === null ? null : await service.clientDocuments.read(clientId, userId);
  }
  const row = await service.database.get<RegisteredClient>(keys.oauthClient(clientId));
  if (!row || !isRegistered(row, service.clock.now())) return null;
  const { name, redirectUris } = row;
  return { clientId, name, redirectUris };
}
