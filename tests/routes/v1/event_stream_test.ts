import assert from "node:assert/strict";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";

/** A client of the stream: reads its events one after another. */
class Client {
  private readonly reader: ReadableStreamDefaultReader<string>;
  private text = "";

  constructor(readonly response: Response) {
    this.reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next block of lines; null at the end. */
  async block(): Promise<string | null> {
    while (!this.text.includes("\n\n")) {
      const { value, done } = await this.reader.read();
      if (done) return null;
      this.text += value;
    }
    const [block, ...rest] = this.text.split("\n\n");
    this.text = rest.join("\n\n");
    return block;
  }

  /** The next event; null at the end. */
  async event(): Promise<{ id: string; event: string; data: Record<string, string> } | null> {
    for (;;) {
      const block = await this.block();
      if (block === null) return null;
      if (block.startsWith(":")) continue;
      const fields = Object.fromEntries(
        block.split("\n").map((line) => {
          const colon = line.indexOf(": ");
          return [line.slice(0, colon), line.slice(colon + 2)];
        }),
      );
      return { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
    }
  }

  leave(): Promise<void> {
    return this.reader.cancel();
  }
}

async function connect(
  test: TestService,
  owner: Pick<TestAccount, "key">,
  { query = "", lastEventId }: { query?: string; lastEventId?: string } = {},
): Promise<Client> {
  const response = await test.request(`/v1/api/events${query}`, {
    token: owner.key,
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  return new Client(response);
}

Deno.test("a stream begins now and gives the same changes as the list; a client that reconnects with the last id misses nothing", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const client = await connect(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  const first = await client.event();
  assert.equal(first?.event, "email.received");
  assert.equal(first.data.email_id, email_id);
  await client.leave();
  await test.settle();
  const again = await connect(test, owner, { lastEventId: first.id });
  const second = await again.event();
  assert.equal(second?.event, "email.processed");
  await again.leave();
  const listed = await test.request(`/v1/api/changes?after=${first.id}`, { token: owner.key });
  assert.deepEqual((await listed.json()).data, [second.data]);
  const byQuery = await connect(test, owner, { query: `?after=${first.id}` });
  assert.deepEqual(await byQuery.event(), second);
  await byQuery.leave();
});

Deno.test("a follower that reconnects again and again sees every change once, in order", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  let client = await connect(test, owner);
  const raws = Array.from({ length: 60 }, (_, n) => message({ Subject: `No. ${n}` }));
  const delivered = Promise.all(raws.map((raw) => deliver(test, box.email_address, raw)));
  const seen: string[] = [];
  while (seen.length < 120) {
    const event = await client.event();
    assert.ok(event);
    seen.push(event.id);
    if (seen.length % 3 > 0) continue;
    await client.leave();
    client = await connect(test, owner, { lastEventId: event.id });
  }
  await delivered;
  await client.leave();
  const listed = await test.request("/v1/api/changes?limit=500", { token: owner.key });
  const all = (await listed.json()).data.map((row: { change_id: string }) => row.change_id);
  assert.deepEqual(seen, all.slice(1));
});

Deno.test("a stream ends when its key is revoked, and when its key expires", async () => {
  await using test = await testService();
  const owner = await account(test);
  const make = (fields: object) =>
    data(test.request("/v1/api/keys", { token: owner.key, json: { name: "x", ...fields } }));
  const revoked = await make({});
  const expiring = await make({ expirationDays: 1 });
  const one = await connect(test, { key: revoked.apiKey });
  const other = await connect(test, { key: expiring.apiKey });
  await data(
    test.request(`/v1/api/keys/${revoked.keyId}`, { method: "DELETE", token: owner.key }),
  );
  assert.equal(await one.event(), null);
  await test.advance(86_400_000 + 1_000);
  assert.equal(await other.event(), null);
});

Deno.test("a stream that breaks before its first event is resumed from the id that it began with", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const client = await connect(test, owner);
  const [, lastEventId] = /^:\nid: (.+)$/.exec((await client.block())!)!;
  await client.leave();
  const box = await mailbox(test, owner);
  const resumed = await connect(test, owner, { lastEventId });
  const event = await resumed.event();
  assert.deepEqual([event?.event, event?.data.mailbox_id], ["mailbox.created", box.mailbox_id]);
  await resumed.leave();
});

Deno.test("a comment comes after 15 s of silence", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const client = await connect(test, owner);
  assert.match((await client.block())!, /^:\nid: /);
  await test.advance(15_000);
  assert.equal(await client.block(), ":");
  await client.leave();
});

// The count is of one process.
Deno.test("the 21st stream of an account is 429 with window concurrent, and a client that leaves frees its place", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const clients = [];
  for (let n = 0; n < 20; n++) clients.push(await connect(test, owner));
  const refused = await test.request("/v1/api/events", { token: owner.key });
  assert.equal(refused.status, 429);
  const { error } = await refused.json();
  assert.deepEqual([error.code, error.details.window], ["RATE_LIMIT_EXCEEDED", "concurrent"]);
  await clients[0].leave();
  clients[0] = await connect(test, owner);
  for (const client of clients) await client.leave();
});

Deno.test("a stream requires emails:read; a malformed cursor is 400; HEAD opens nothing", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { apiKey } = await data(test.request("/v1/api/keys", {
    token: owner.key,
    json: { name: "x", scopes: ["search"] },
  }));
  const forbidden = await test.request("/v1/api/events", { token: apiKey });
  assert.equal(forbidden.status, 403);
  assert.equal((await forbidden.json()).error.details.required_scope, "emails:read");
  for (const query of ["?after=abc", "?afte=now"]) {
    const answer = await test.request(`/v1/api/events${query}`, { token: owner.key });
    assert.equal(answer.status, 400);
    await answer.body?.cancel();
  }
  for (let n = 0; n < 25; n++) {
    const head = await test.request("/v1/api/events", { method: "HEAD", token: owner.key });
    assert.equal(head.status, 200);
  }
});
