import { LRUCache } from "lru-cache";
import {
  clientAddress,
  isTrustedPeer,
  limitSubject,
  type Network,
  peerOnDeploy,
} from "../../domain/core/client_address.ts";
import type { Service } from "../../domain/core/service.ts";
import type { Guest } from "../../domain/core/caller.ts";

/** The client of a request. `env` is what the server gave with it: `Deno.ServeHandlerInfo`, or nothing in tests. */
export type ClientFinder = (request: Request, env: unknown) => Guest;

/** Returns the function that finds the client of a request. Each app has its own, which logs its warning once. */
export function clientFinder(service: Service): ClientFinder {
  const found = new Addresses(service);
  let warned = false;
  return (request, env) => {
    if (!warned && request.headers.has("x-forwarded-for")) {
      const peer = peerOf(env);
      warned = !isTrustedPeer(peer, trustedNetworks(service, peer));
      if (warned) warnOf(service, peer);
    }
    return new RequestGuest(() => found.of(request, env));
  };
}

/**
 * Finds its address when it is asked for: most requests have a caller. A class, because an accessor in an object literal
 * makes a hidden class for each request, which keeps the whole request in memory until the next full collection.
 */
class RequestGuest implements Guest {
  private found: string | null = null;

  constructor(private readonly find: () => string) {}

  get clientAddress(): string {
    return this.found ??= this.find();
  }
}

/** Peers whose addresses are kept, the oldest dropped first. */
const maxPeers = 1_000;

/** The addresses of clients. Reading one takes 10 µs, so those of peers without `X-Forwarded-For` are kept. */
class Addresses {
  private readonly known = new LRUCache<string, string>({ max: maxPeers });

  constructor(private readonly service: Service) {}

  /** The client's address; an IPv6 address as its network, as limits count it. */
  of(request: Request, env: unknown): string {
    const peer = peerOf(env);
    const forwardedFor = request.headers.get("x-forwarded-for");
    const known = forwardedFor === null ? this.known.get(peer) : undefined;
    if (known !== undefined) return known;
    const trusted = trustedNetworks(this.service, peer);
    const address = limitSubject(clientAddress(peer, forwardedFor, trusted));
    if (forwardedFor === null) this.known.set(peer, address);
    return address;
  }
}

function warnOf(service: Service, peer: string): void {
  service.log.warn("proxy.not_trusted", {
    peer,
    meaning: "X-Forwarded-For came from a peer that TRUSTED_PROXIES does not name: if it is your " +
      "reverse proxy, all clients behind it share one anonymous request window",
  });
}

/** On Deno Deploy every request comes through the platform, from any address. */
export function trustedNetworks(service: Service, peer: string): readonly Network[] {
  const { TRUSTED_PROXIES, DENO_DEPLOYMENT_ID } = service.settings;
  const named = TRUSTED_PROXIES ?? [];
  return DENO_DEPLOYMENT_ID ? [...named, ...peerOnDeploy(peer)] : named;
}

function peerOf(env: unknown): string {
  const info = env as { remoteAddr?: { hostname?: string } } | undefined;
  return info?.remoteAddr?.hostname ?? "";
}
