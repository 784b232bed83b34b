import { growingCache } from "../core/work/growing_cache.ts";
import { FairTurns } from "../core/work/fair_turns.ts";
import type { Service } from "../core/service.ts";
import type { Settings } from "../core/settings.ts";
import { shownName } from "./client_name.ts";
import type { Client } from "./client.ts";
import { isRedirectUri } from "./redirects.ts";

/** A document is kept for an hour. */
const keptMs = 3_600_000;
const timeoutMs = 5_000;
const maxBytes = 16 * 1024;
const maxUrlLength = 2_048;
const maxKept = 1_000;
/** Requests at once, and of them to one host. */
const slots = 8, slotsOfHost = 2;
/** Requests that wait, of one host and in all. */
const room = { ofOwner: 20, all: 200 };

/**
 * Whether a `client_id` is the URL of a client id metadata document (draft-ietf-oauth-client-id-metadata-document, 3):
 * https with a path, in its normal spelling. `http:` too if WEBHOOK_ALLOW_INSECURE allows it, for development.
 */
export function isDocumentUrl(
  { WEBHOOK_ALLOW_INSECURE }: Pick<Settings, "WEBHOOK_ALLOW_INSECURE">,
  clientId: string,
): boolean {
  if (clientId.length > maxUrlLength || !/^https?:\/\//.test(clientId)) return false;
  const url = URL.parse(clientId);
  if (!url || url.href !== clientId || clientId.includes("#")) return false;
  if (url.username !== "" || url.password !== "" || url.pathname === "/") return false;
  return url.protocol === "https:" || WEBHOOK_ALLOW_INSECURE;
}

/** Reads metadata documents of clients, each at most once an hour, through the guard of webhooks. */
export class ClientDocuments {
  private readonly kept = growingCache<string, { client: Client; readAt: number }>(maxKept);
  private readonly reading = new Map<string, Promise<Client | null>>();
  private readonly turns: FairTurns;

  constructor(private readonly service: Pick<Service, "webhookTarget" | "clock">) {
    this.turns = new FairTurns(slots, service.clock, {
      slotsOfOwner: slotsOfHost,
      room: { ...room, refusal: () => new Error("too many documents are read") },
    });
  }

  /** The client; null if its document cannot be read or is not valid. */
  async read(clientId: string): Promise<Client | null> {
    const known = this.kept.get(clientId);
    if (known && Math.abs(this.service.clock.now() - known.readAt) < keptMs) return known.client;
    const reading = this.reading.get(clientId) ?? this.fetch(clientId);
    this.reading.set(clientId, reading);
    try {
      return await reading;
    } catch {
      return null;
    } finally {
      this.reading.delete(clientId);
    }
  }

  private async fetch(clientId: string): Promise<Client | null> {
    const { webhookTarget, clock } = this.service;
    const answer = await this.turns.run(
      new URL(clientId).hostname,
      () => webhookTarget.read({ url: clientId, timeoutMs, maxBytes }),
    );
    const client = answer.ok && answer.status === 200 ? clientOf(clientId, answer.body) : null;
    if (client) this.kept.set(clientId, { client, readAt: clock.now() });
    return client;
  }
}

/** The client of a document; null if it is not valid. Redirects that no client may have are left out. */
function clientOf(clientId: string, text: string): Client | null {
  let document: { client_id?: unknown; client_name?: unknown; redirect_uris?: unknown };
  try {
    document = Object(JSON.parse(text));
  } catch {
    return null;
  }
  if (document.client_id !== clientId || !Array.isArray(document.redirect_uris)) return null;
  const redirectUris = document.redirect_uris.filter(isRedirectUri);
  if (redirectUris.length === 0) return null;
  const name = shownName(document.client_name) || new URL(clientId).hostname;
  return { clientId, name, redirectUris };
}
