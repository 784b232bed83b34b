import { type Ask, load, LoadClient } from "./load.ts";
import type { BenchOptions } from "./options.ts";
import { inboundToken, prepare, type Server, startBare, startService } from "./process.ts";

/** The sides that a benchmark measures in turn: this checkout, and the bare work or another checkout for comparison. */
export interface Side {
  name: string;
  /** A separate process, on an empty store. */
  start(): Promise<Target>;
}

/** A running side, and its requests. This checkout's client sends the requests to all sides. */
export interface Target extends AsyncDisposable {
  server: Server;
  client: LoadClient;
  /** Message number `n`, which is sent once. */
  arrival(raw: Uint8Array, n: number): Ask;
  /** The id of the email, from the answer to its arrival. */
  idOf(answer: Uint8Array): string;
  /** Waits until every email is parsed and findable. */
  settled(): Promise<void>;
  /** Stores the rows that `page` returns, if the side has no page itself. */
  givePage?(rows: unknown[]): Promise<void>;
  /** An empty route: only the way to the server and back. */
  empty(): Ask;
  mailboxes(): Ask;
  page(): Ask;
  email(id: string): Ask;
  raw(id: string): Ask;
  /** The raw bytes of an email of many chunks. */
  large(id: string): Ask;
  /** null on the bare side, which has no search. */
  search(query: string): Ask | null;
}

/** This checkout first, then the other side. */
export function sidesOf({ compare }: Pick<BenchOptions, "compare">): [Side, Side] {
  const service = (checkout?: string) => async () => {
    const server = await startService({ checkout });
    const { key, address } = await prepare(server);
    return targetOf(server, key, address);
  };
  const bare = async () => bareTarget(await startBare());
  const other = compare === undefined ? bare : service(compare);
  return [{ name: "this", start: service() }, { name: compare ?? "bare", start: other }];
}

/** The sides in the order of a round: they are first in turn, so that neither always has the warmer machine. */
export function inTurn<T>(sides: readonly T[], round: number): T[] {
  return round % 2 === 0 ? [...sides] : sides.toReversed();
}

/** A running service; requests use `key`, and mail is sent to `address`. */
export function targetOf(
  server: Server,
  key: string,
  address: string,
  client?: LoadClient,
): Target {
  const arrivalHeaders = inboundHeaders(address);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const get = (path: string): Ask => ({ method: "GET", path: `/v1/api${path}`, headers });
  const search = (query: string) => ({
    method: "POST",
    path: "/v1/api/search",
    headers,
    body: json({ query }),
  });
  return {
    ...opened(server, client),
    arrival: (raw, n) => ({
      method: "POST",
      path: "/inbound/raw",
      headers: { ...arrivalHeaders, "x-ingest-id": `bench-${n}` },
      body: raw,
    }),
    idOf: (answer) => read(answer).data.results[0].email_id,
    settled: () => untilProcessed(server, key),
    empty: () => get("/health"),
    mailboxes: () => get("/mailboxes"),
    page: () => get("/emails?limit=50"),
    email: (id) => get(`/emails/${id}`),
    raw: (id) => get(`/emails/${id}/raw`),
    large: (id) => get(`/emails/${id}/raw`),
    search,
  };
}

function bareTarget(server: Server): Target {
  const get = (path: string): Ask => ({ method: "GET", path });
  const opening = opened(server);
  return {
    ...opening,
    arrival: (raw) => ({ method: "POST", path: "/mail", body: raw }),
    idOf: (answer) => read(answer).id,
    settled: () => Promise.resolve(),
    async givePage(rows) {
      await opening.client.ask({ method: "POST", path: "/page", body: json(rows) });
    },
    empty: () => get("/hello"),
    mailboxes: () => get("/get"),
    page: () => get("/page"),
    email: (id) => get(`/email/${id}`),
    raw: (id) => get(`/raw/${id}`),
    large: (id) => get(`/large/${id}`),
    search: () => null,
  };
}

function opened(server: Server, client = new LoadClient(server.base)) {
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

export function inboundHeaders(address: string): Record<string, string> {
  return {
    authorization: `Bearer ${inboundToken}`,
    "content-type": "message/rfc822",
    "x-envelope-to": address,
    "x-envelope-from": "sender@example.net",
  };
}

/**
 * Polls until no email waits to be parsed and indexed, for at most five minutes. A search says how many wait, but is
 * work for the index thread itself: so the first search is sent when the newest email is done.
 */
export async function untilProcessed(server: Pick<Server, "base">, key: string): Promise<void> {
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${server.base}/v1/api${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    if (!answer.ok) throw new Error(`${path} ${answer.status}`);
    return await answer.json();
  };
  const isNewestDone = async () => (await ask("/emails?limit=1")).data[0].processed;
  const areAllDone = async () => {
    const body = JSON.stringify({ query: "pending", limit: 1 });
    return (await ask("/search", { method: "POST", body })).pending === 0;
  };
  for (let tries = 0; tries < 6_000; tries++) {
    if (await isNewestDone() && await areAllDone()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the backlog did not drain in five minutes");
}

/** Fills a side with messages over 32 connections; returns the ids of the emails, in the order of the messages. */
export async function fill(
  target: Target,
  messages: Uint8Array[],
  first = 0,
): Promise<string[]> {
  const ids: string[] = [];
  await load(messages.length, 32, async (i) => {
    ids[i] = target.idOf(await target.client.ask(target.arrival(messages[i], first + i)));
  });
  await target.settled();
  return ids;
}

// deno-lint-ignore no-explicit-any -- each caller knows what it asked for
function read(answer: Uint8Array): any {
  return JSON.parse(new TextDecoder().decode(answer));
}
