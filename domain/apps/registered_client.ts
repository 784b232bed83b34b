import { isRecent } from "../core/clock.ts";
import { unavailable } from "../core/errors.ts";
import { firstIdAt } from "../core/ids.ts";
import type { Service } from "../core/service.ts";
import { sha256Hex } from "../accounts/secrets.ts";
import type { Database, Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { Client } from "./client.ts";

/** A client that registered itself (RFC 7591). Its id is a UUIDv7. */
export interface RegisteredClient {
  clientId: string;
  name: string;
  redirectUris: readonly string[];
  createdAt: number;
  /** SHA-256 of the address that registered it; null once it had a grant: then it stays. */
  unusedOf: string | null;
}

/** Of those that never had a grant: how long they stay, ms, how many there are, and how many of one address. */
const unusedMs = 30 * 86_400_000;
const maxUnused = 10_000;
const maxOfAddress = 100;
/** Each turn that fails is a registration of another caller that succeeded. */
const mostTurns = 20;

/** False if it is too old: its row is removed a little later. */
export function isRegistered({ unusedOf, createdAt }: RegisteredClient, now: number): boolean {
  return unusedOf === null || isRecent(createdAt, now, unusedMs);
}

/**
 * Registers a client. Anybody can: of those that never had a grant the oldest of the same address goes if it has 100, and
 * the oldest of all if there are 10,000. `address`: as limits take it.
 */
export async function registerClient(
  service: Pick<Service, "database" | "clock" | "ids">,
  address: string,
  { name, redirectUris }: Pick<Client, "name" | "redirectUris">,
): Promise<RegisteredClient> {
  const { database, clock, ids } = service;
  const now = clock.now();
  const unusedOf = sha256Hex(address);
  const client: RegisteredClient = {
    clientId: ids.timed(now),
    name,
    redirectUris,
    createdAt: now,
    unusedOf,
  };
  const { clientId } = client;
  let oldest: string | null | undefined;
  for (let turn = 0; turn < mostTurns; turn++) {
    const known = oldest;
    const isMade = await database.transact(async (tx) => {
      const own = await tx.get<string[]>(keys.unusedClientsOf(unusedOf)) ?? [];
      if (own.length >= maxOfAddress) await takeOut(tx, own[0], { remove: true });
      // null: there is none, whatever the count says.
      if (known !== null && await countOf(tx) >= maxUnused) {
        if (known === undefined || !await takeOut(tx, known, { remove: true })) return false;
      }
      const left = await tx.get<string[]>(keys.unusedClientsOf(unusedOf)) ?? [];
      tx.set(keys.oauthClient(clientId), client);
      tx.set(keys.unusedClient(clientId), now);
      tx.set(keys.unusedClientsOf(unusedOf), [...left, clientId]);
      tx.set(keys.unusedClientCount(), known === null ? 1 : await countOf(tx) + 1);
      return true;
    });
    if (isMade) return client;
    oldest = await oldestUnused(database);
  }
  throw unavailable("Other clients register all the time.");
}

/** Notes that a registered client has a grant: it stays from then on. */
export async function keepClient(tx: Tx, clientId: string): Promise<void> {
  await takeOut(tx, clientId, { remove: false });
}

/** Removes clients that never had a grant in 30 days. Returns how many. */
export async function removeUnusedClients(
  { database, clock }: Pick<Service, "database" | "clock">,
  mayGoOn: () => boolean,
): Promise<number> {
  const old = keys.range(keys.unusedClients(), { end: firstIdAt(clock.now() - unusedMs) });
  let removed = 0;
  for await (const { key } of database.list<number>(old, { batchSize: 100 })) {
    if (!mayGoOn()) break;
    const isRemoved = await database.transact((tx) =>
      takeOut(tx, String(key.at(-1)), { remove: true })
    );
    if (isRemoved) removed++;
  }
  return removed;
}

/** Takes a client out of those that never had a grant. False if it is none of them. */
async function takeOut(
  tx: Tx,
  clientId: string,
  { remove }: { remove: boolean },
): Promise<boolean> {
  if (await tx.get(keys.unusedClient(clientId)) === null) return false;
  tx.delete(keys.unusedClient(clientId));
  tx.set(keys.unusedClientCount(), Math.max(0, await countOf(tx) - 1));
  const client = await tx.get<RegisteredClient>(keys.oauthClient(clientId));
  if (!client) return true;
  if (remove) tx.delete(keys.oauthClient(clientId));
  else tx.set(keys.oauthClient(clientId), { ...client, unusedOf: null } satisfies RegisteredClient);
  const ofAddress = keys.unusedClientsOf(client.unusedOf ?? "");
  const left = (await tx.get<string[]>(ofAddress) ?? []).filter((each) => each !== clientId);
  if (left.length > 0) tx.set(ofAddress, left);
  else tx.delete(ofAddress);
  return true;
}

async function countOf(tx: Tx): Promise<number> {
  return await tx.get<number>(keys.unusedClientCount()) ?? 0;
}

async function oldestUnused(database: Database): Promise<string | null> {
  const [row] = await database.collect({ prefix: keys.unusedClients() }, { limit: 1 });
  return row ? String(row.key.at(-1)) : null;
}
