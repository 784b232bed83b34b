import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import type { Client } from "./client.ts";
import { isDocumentUrl } from "./client_documents.ts";
import { isRegistered, type RegisteredClient } from "./registered_client.ts";

export type { Client };

/**
 * The client; null if it is unknown. A `client_id` that is a URL is fetched, so this must be called for a signed-in person
 * only.
 */
export async function findClient(
  service: Pick<Service, "database" | "clock" | "settings" | "clientDocuments">,
  clientId: string,
): Promise<Client | null> {
  if (isDocumentUrl(service.settings, clientId)) {
    return await service.clientDocuments.read(clientId);
  }
  const row = await service.database.get<RegisteredClient>(keys.oauthClient(clientId));
  if (!row || !isRegistered(row, service.clock.now())) return null;
  const { name, redirectUris } = row;
  return { clientId, name, redirectUris };
}
