import { type Ask, load, LoadClient, type Times } from "../load.ts";
import { copyOf } from "../mail.ts";
import type { Server } from "../process.ts";
import { targetOf } from "../sides.ts";
import type { Filled, FilledAccount } from "./fill.ts";

const arrivalsOfRound = 300;
const readsOfRound = 60;
const searchesOfRound = 40;

/** The running service on a filled store. */
export class GrownStore implements Disposable {
  readonly threadId: string;
  private readonly client: LoadClient;
  private readonly accounts: FilledAccount[];
  private turn = 0;
  private sent = 0;
  /** Processor time of one of the last arrivals until it was findable, in ms. */
  arrivalCpuMs = 0;

  constructor(
    readonly server: Server,
    filled: Filled,
    readonly emails: number,
    private readonly messages: Uint8Array[],
  ) {
    this.client = new LoadClient(server.base);
    this.accounts = filled.accounts;
    this.threadId = filled.threadId;
  }

  get isOneAccount(): boolean {
    return this.accounts.length === 1;
  }

  /** The median time of a request in ms. Requests are sent one after another, each for the next account. */
  async time(count: number, ask: (account: FilledAccount) => Ask): Promise<number> {
    return (await this.times(count, 1, ask)).p50;
  }

  async times(
    count: number,
    connections: number,
    ask: (account: FilledAccount) => Ask,
  ): Promise<Times> {
    return await load(count, connections, () => this.client.ask(ask(this.next())));
  }

  async read(path: string) {
    const answer = await this.client.ask(get(this.accounts[0], path));
    return JSON.parse(new TextDecoder().decode(answer));
  }

  /** New messages at 8 connections: the time of each until acknowledged, in ms. */
  async arrivals(): Promise<number> {
    const first = this.sent;
    this.sent += arrivalsOfRound;
    const before = this.server.cpuSeconds();
    const targets = this.accounts.map(({ key, address }) =>
      targetOf(this.server, key, address, this.client)
    );
    const raws = Array.from({ length: arrivalsOfRound }, (_, i) => {
      const copy = Math.floor(performance.timeOrigin) + first + i;
      return copyOf(this.messages[(first + i) % this.messages.length], copy);
    });
    const { seconds } = await load(arrivalsOfRound, 8, async (i) => {
      const { arrival } = targets[i % targets.length];
      await this.client.ask(arrival(raws[i], performance.timeOrigin + first + i));
    });
    // Mail is processed in order of arrival, so the last one is the last to be findable.
    for (const target of targets.slice(-3)) await target.settled();
    this.arrivalCpuMs = (this.server.cpuSeconds() - before) * 1_000 / arrivalsOfRound;
    return seconds * 1_000 / arrivalsOfRound;
  }

  private next(): FilledAccount {
    return this.accounts[this.turn++ % this.accounts.length];
  }

  [Symbol.dispose](): void {
    this.client[Symbol.dispose]();
  }
}

/** Its value is null if the store has nothing to measure, such as a deep page in a small account. */
type Measure = [name: string, measure: (store: GrownStore) => Promise<number | null>];

const words = "meeting order invoice project review list question release update server".split(" ");
let searches = 0;

/**
 * In ms, so that more is always worse. `threadLength` is the length of the thread that every store of one account has.
 */
export const measuresOf = (threadLength: string): Measure[] => [
  ["an arrival until acknowledged, 8 connections", (s) => s.arrivals()],
  ["processor time of an arrival until findable", (s) => Promise.resolve(s.arrivalCpuMs)],
  ["first page of 50", (s) => s.time(readsOfRound, (who) => get(who, "/emails?limit=50"))],
  [
    "page of 50 in the middle, by offset",
    (s) => ofOne(s, `/emails?limit=50&offset=${s.emails / 2}`, readsOfRound),
  ],
  ["page of 50 in the middle, by cursor", async (s) => {
    if (!s.isOneAccount) return null;
    const { meta } = await s.read(`/emails?limit=50&offset=${s.emails / 2}`);
    return await ofOne(s, `/emails?limit=50&cursor=${meta.next_cursor}`, readsOfRound);
  }],
  [
    `first page of 50 of a thread of ${threadLength}`,
    (s) => ofOne(s, `/threads/${s.threadId}?limit=50`, readsOfRound),
  ],
  [
    `first page of 1,000 of a thread of ${threadLength}`,
    (s) => ofOne(s, `/threads/${s.threadId}?limit=1000`, 3),
  ],
  ["a search", (s) => s.time(searchesOfRound, search)],
  [
    "p95 of a search, 8 connections",
    async (s) => (await s.times(5 * searchesOfRound, 8, search)).p95,
  ],
];

async function ofOne(store: GrownStore, path: string, count: number): Promise<number | null> {
  return store.isOneAccount ? await store.time(count, (who) => get(who, path)) : null;
}

function get({ key }: FilledAccount, path: string): Ask {
  return { method: "GET", path: `/v1/api${path}`, headers: { authorization: `Bearer ${key}` } };
}

function search({ key }: FilledAccount): Ask {
  const n = searches++;
  const query = `${words[n % words.length]} ${words[(n * 7 + 3) % words.length]}`;
  return {
    method: "POST",
    path: "/v1/api/search",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify({ query })),
  };
}
