import assert from "node:assert/strict";
import {
  bring,
  type BringOptions,
  type Message,
  type Outcome,
  type Standing,
  summaryOf,
  totalOf,
} from "../../archives/bring.ts";
import type { Item } from "../../archives/read_mail.ts";

const state = { receivedAt: null, isRead: null, direction: null, labels: [], unwanted: [] };

/** `count` messages in two folders, with every tenth left out. */
async function* items(count: number, size = 10): AsyncGenerator<Item> {
  for (let n = 0; n < count; n++) {
    const base = { folder: n % 2 ? "odd" : "even", name: `message ${n}`, position: n + 1 };
    yield await (n % 10 === 9
      ? { ...base, kind: "left out", reason: "spam" } as const
      : { ...base, kind: "message", raw: new Uint8Array(size), state } as const);
  }
}

/** A service that keeps names; its answers do not come in the order of the messages. */
class Fake {
  kept = new Set<string>();
  asked: string[] = [];
  inFlight = 0;
  most = 0;
  post = async ({ name }: Message): Promise<Outcome> => {
    this.asked.push(name);
    this.most = Math.max(this.most, ++this.inFlight);
    for (let turn = 100 + 13 * this.asked.length % 40; turn >= 0; turn--) await Promise.resolve();
    this.inFlight--;
    if (name === "message 4") return { disposition: "rejected", reason: "EMAIL_TOO_LARGE" };
    const disposition = this.kept.has(name) ? "duplicate" : "accepted";
    this.kept.add(name);
    return { disposition };
  };
}

const lines = async (options: BringOptions) => summaryOf(await bring(options));

// SPEC: files.connections, files.summary
Deno.test("messages are sent eight at once and counted by folder in the order of the source, `total` last", async () => {
  const service = new Fake(), positions: number[] = [], told: string[] = [];
  const options: BringOptions = {
    items: () => items(100),
    post: service.post,
    at: (position) => positions.push(position),
    notTaken: (found) => told.push(`${found.name}: ${found.reason}`),
  };
  assert.deepEqual(await lines(options), [
    "even: 49 accepted, 0 duplicates, 0 left out, 1 refused",
    "odd: 40 accepted, 0 duplicates, 10 left out, 0 refused",
    "total: 89 accepted, 0 duplicates, 10 left out, 1 refused",
  ]);
  assert.equal(service.most, 8);
  assert.deepEqual(positions, Array.from({ length: 100 }, (_, n) => n + 1));
  assert.deepEqual(told.slice(0, 2), ["message 4: EMAIL_TOO_LARGE", "message 9: spam"]);
  assert.match((await lines(options)).at(-1)!, /^total: 0 accepted, 89 duplicates,/);
});

// SPEC: files.memory
Deno.test("large messages in flight are 64 MiB together; a larger one goes alone", async () => {
  const service = new Fake();
  await bring({ items: () => items(8, 20 * 2 ** 20), post: service.post });
  assert.equal(service.most, 3);
  const alone = new Fake();
  await bring({ items: () => items(3, 70 * 2 ** 20), post: alone.post });
  assert.equal(alone.most, 1);
});

// SPEC: files.resume
Deno.test("a run that was stopped goes on where it was, with its counts", async () => {
  const service = new Fake(), stopping = new AbortController();
  let standing: Standing | null = null;
  const options: BringOptions = {
    items: () => items(1_000),
    post: service.post,
    stands: (now) => standing = JSON.parse(JSON.stringify(now)),
  };
  await bring({
    ...options,
    signal: stopping.signal,
    at: (position) => position === 500 && stopping.abort(),
  });
  const before = service.asked.length;
  assert.ok(before < 520);
  const total = totalOf(await bring({ ...options, from: standing }));
  assert.deepEqual(total, { accepted: 899, duplicates: 0, leftOut: 100, refused: 1 });
  // The last one of the first run was asked for again.
  assert.equal(service.asked.length, 900 + 1);
});

// SPEC: files.resume
Deno.test("a run that was killed goes on from what was told last; a service that has lost its mail gets all of it", async () => {
  const told: Standing[] = [];
  const service = new Fake();
  const options: BringOptions = { items: () => items(1_000), post: service.post };
  const failing = async (message: Message) => {
    if (message.name === "message 700") throw new Error("the service is away");
    return await service.post(message);
  };
  await assert.rejects(
    bring({ ...options, post: failing, stands: (now) => told.push(now) }),
    /the service is away/,
  );
  assert.deepEqual(told.map(({ done }) => done), [200, 400, 600, 700]);
  const total = totalOf(await bring({ ...options, from: told[1] }));
  assert.equal(total.accepted + total.duplicates, 899);
  assert.equal(service.kept.size, 899);

  const empty = new Fake();
  const anew = totalOf(await bring({ ...options, post: empty.post, from: told[1] }));
  assert.equal(empty.kept.size, 899);
  // The one that showed it was taken twice.
  assert.deepEqual([anew.accepted, anew.duplicates], [898, 1]);
});
