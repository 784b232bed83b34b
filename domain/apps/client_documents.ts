import { growingCache } from "../core/work/growing_cache.ts";
import { FairTurns } from "../core/work/fair_turns.ts";
import { unavailable } from "../core/errors.ts";
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
/** Requests at once, and of them for one account: it chooses the hosts, which may answer as slowly as they can. */
const slots = 8, slotsOfAccount = 2;
/** Requests that wait, of one account for one host and in all. */
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

/** A metadata document that does not tell who the client is. The reason has no text of a stranger. */
export class DocumentError extends Error {
  override name = "DocumentError";
  constructor(readonly clientId: string, readonly reason: string) {
    super(reason);
  }
}

/** Reads metadata documents of clients, each at most once an hour, through the guard of webhooks. */
export class ClientDocuments {
  private readonly kept = growingCache<string, { client: Client; readAt: number }>(maxKept);
  private readonly reading = new Map<string, Promise<Client>>();
  private readonly turns: FairTurns;

  constructor(private readonly service: Pick<Service, "webhookTarget" | "clock">) {
    this.turns = new FairTurns(slots, service.clock, {
      slotsOfOwner: slotsOfAccount,
      room: { ...room, refusal: () => unavailable("Too many apps are looked up just now.") },
    });
  }

  /** The client, for a person of the account. Throws DocumentError, and SERVICE_UNAVAILABLE if too many requests wait. */
  async read(clientId: string, userId: string): Promise<Client> {
    const known = this.kept.get(clientId);
    if (known && Math.abs(this.service.clock.now() - known.readAt) < keptMs) return known.client;
    const reading = this.reading.get(clientId) ?? this.fetch(clientId, userId);
    this.reading.set(clientId, reading);
    return await reading.finally(() => this.reading.delete(clientId));
  }

  private async fetch(clientId: string, userId: string): Promise<Client> {
    const { webhookTarget, clock } = this.service;
    const answer = await this.turns.run(
      [userId, new URL(clientId).host],
      () => webhookTarget.read({ url: clientId, timeoutMs, maxBytes }),
    );
    if (!answer.ok) throw new DocumentError(clientId, answer.message);
    if (answer.status !== 200) {
      throw new DocumentError(clientId, `The answer had the status ${answer.status}.`);
    }
    const client = clientOf(clientId, answer.body);
    this.kept.set(clientId, { client, readAt: clock.now() });
    return client;
  }
}

/** The client of a document. Redirects that no client may have are left out. Throws DocumentError. */
function clientOf(clientId: string, text: string): Client {
  const wrong = (reason: string) => new DocumentError(clientId, reason);
  let document: { client_id?: unknown; client_name?: unknown; redirect_uris?: unknown };
  try {
    document = Object(JSON.parse(text));
  } catch {
    throw wrong("The answer is not JSON.");
  }
  if (document.client_id !== clientId) throw wrong("The client_id in it is another one.");
  const { redirect_uris } = document;
  const redirectUris = Array.isArray(redirect_uris) ? redirect_uris.filter(isRedirectUri) : [];
  if (redirectUris.length === 0) throw wrong("It has no redirect_uris that an app may have.");
  const name = shownName(document.client_name) || new URL(clientId).hostname;
  return { clientId, name, redirectUris };
}
