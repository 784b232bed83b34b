import assert from "node:assert/strict";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import type { SearchFilters } from "../../../domain/ports/search_index.ts";
import type { EmbeddedEmail, VectorIndex } from "../../../domain/ports/vector_index.ts";
import { createUpstashIndex } from "../../../adapters/vector_index/upstash.ts";
import { startFakeUpstash } from "./fake_upstash.ts";
import { indexedEmail } from "../search_index/search_index_suite.ts";

/** The guarantees of every vector index. `know` first adds the emails to an index that requires this. */
interface Opened {
  index: VectorIndex;
  know(emails: EmbeddedEmail[]): Promise<void>;
  close(): Promise<void>;
}

async function openEmbedded(): Promise<Opened> {
  const index = openEmbeddedIndex({ path: null });
  return await Promise.resolve({
    index: index.vectors,
    know: (emails) =>
      index.add(emails.map(({ passages: _, model: _model, ...email }) => ({
        ...indexedEmail(email.emailId),
        ...email,
      }))),
    close: () => index.close(),
  });
}

async function openUpstash(): Promise<Opened> {
  const fake = startFakeUpstash();
  return await Promise.resolve({
    index: createUpstashIndex({ url: fake.url, token: fake.token }),
    know: () => Promise.resolve(),
    close: () => fake.close(),
  });
}

function embedded(
  emailId: string,
  vectors: number[][],
  fields: Partial<EmbeddedEmail> = {},
): EmbeddedEmail {
  const { userId, mailboxId, from, to, subject, dateMs } = indexedEmail(emailId);
  return {
    userId,
    emailId,
    mailboxId,
    from,
    to,
    subject,
    dateMs,
    model: "model-1",
    passages: vectors.map((vector, n) => ({
      text: `passage ${n} of ${emailId}`,
      vector: Float32Array.from(vector),
    })),
    ...fields,
  };
}

for (const [name, open] of [["embedded", openEmbedded], ["upstash", openUpstash]] as const) {
  const test = (guarantee: string, run: (opened: Opened) => Promise<void>) =>
    Deno.test(`${name} vector index ${guarantee}`, async () => {
      const opened = await open();
      try {
        await run(opened);
      } finally {
        await opened.close();
      }
    });
  const add = async ({ index, know }: Opened, emails: EmbeddedEmail[]) => {
    await know(emails);
    await index.add(emails);
  };
  const search = (
    { index }: Opened,
    vector: number[],
    more: { userId?: string; model?: string; filters?: SearchFilters; window?: number } = {},
  ) =>
    index.search({
      userId: "user-1",
      model: "model-1",
      filters: {},
      window: 10,
      timeoutMs: 1000,
      ...more,
      vector: Float32Array.from(vector),
    });
  const ids = async (...args: Parameters<typeof search>) =>
    (await search(...args)).map(({ emailId }) => emailId);

  test("gives the nearest emails, each once with its nearest passage", async (opened) => {
    await add(opened, [
      embedded("north", [[0, 1, 0], [0, 0.9, 0.1]]),
      embedded("east", [[1, 0, 0], [0, -1, 0]]),
      embedded("between", [[0.6, 0.8, 0]]),
    ]);
    const hits = await search(opened, [0, 2, 0]);
    assert.deepEqual(hits.map(({ emailId }) => emailId), ["north", "between", "east"]);
    assert.equal(hits[0].passage, "passage 0 of north");
    assert.equal(hits[2].passage, "passage 0 of east");
    const expected = [1, 0.8, 0];
    hits.forEach(({ cosine }, n) => assert.ok(Math.abs(cosine - expected[n]) < 0.01, `${cosine}`));
    assert.equal((await search(opened, [0, 1, 0], { window: 1 })).length, 1);
  });

  test("compares vectors of one model only", async (opened) => {
    await add(opened, [
      embedded("old", [[1, 0, 0]], { model: "model-0" }),
      embedded("new", [[0, 1, 0]]),
    ]);
    assert.deepEqual(await ids(opened, [1, 0, 0]), ["new"]);
    assert.deepEqual(await ids(opened, [1, 0, 0], { model: "model-0" }), ["old"]);
    await opened.index.add([embedded("old", [[1, 0, 0]])]);
    assert.deepEqual(await ids(opened, [1, 0, 0]), ["old", "new"]);
    assert.deepEqual(await ids(opened, [1, 0, 0], { model: "model-0" }), []);
  });

  test("filters by mailbox, people, subject and date", async (opened) => {
    await add(opened, [
      embedded("a", [[1, 0]], {
        from: "ada@example.org Ada O'Hara",
        subject: "Engine [draft]",
        dateMs: 1000,
      }),
      embedded("b", [[1, 0.1]], {
        mailboxId: "mailbox-2",
        from: "bob@example.net",
        to: ["robot@agents.test", "carol@example.com"],
        subject: "Lunch",
        dateMs: 2000,
      }),
    ]);
    const cases: [SearchFilters, string[]][] = [
      [{ mailboxIds: ["mailbox-2"] }, ["b"]],
      [{ mailboxIds: [] }, []],
      [{ from: "ADA@" }, ["a"]],
      [{ from: "o'hara" }, ["a"]],
      [{ from: "*" }, []],
      [{ from: "' OR 1 = 1" }, []],
      [{ to: "Carol" }, ["b"]],
      [{ subject: "ENGINE [D" }, ["a"]],
      [{ dateFromMs: 1001 }, ["b"]],
      [{ dateToMs: 1999, from: "example" }, ["a"]],
    ];
    for (const [filters, expected] of cases) {
      assert.deepEqual(await ids(opened, [1, 0], { filters }), expected, JSON.stringify(filters));
    }
  });

  test("replaces, forgets and keeps accounts apart", async (opened) => {
    await add(opened, [
      embedded("a", [[1, 0], [0, 1]]),
      embedded("b", [[1, 0]], { mailboxId: "mailbox-2" }),
      embedded("theirs", [[1, 0]], { userId: "user-2" }),
    ]);
    await opened.index.add([embedded("a", [[-1, 0]])]);
    assert.deepEqual(await ids(opened, [0, 1]).then((found) => found[0]), "b");
    assert.deepEqual(await ids(opened, [1, 0], { userId: "user-2" }), ["theirs"]);
    await opened.index.remove("user-1", ["a", "never-was"]);
    assert.deepEqual(await ids(opened, [1, 0]), ["b"]);
    await opened.index.reset();
    assert.deepEqual(await ids(opened, [1, 0], { userId: "user-2" }), []);
    await opened.index.check();
  });
}

Deno.test("upstash vector index removes a mailbox, and searches again without a filter if the filter is narrow", async () => {
  const fake = startFakeUpstash();
  const index = createUpstashIndex({ url: fake.url, token: fake.token });
  await index.add([
    embedded("a", [[1, 0]]),
    embedded("b", [[1, 0]], { mailboxId: "mailbox-2" }),
  ]);
  const ask = (filters: SearchFilters) =>
    index.search({
      userId: "user-1",
      model: "model-1",
      vector: Float32Array.from([1, 0]),
      filters,
      window: 10,
      timeoutMs: 1000,
    });
  await ask({ from: "nobody" });
  assert.deepEqual(fake.filters, [
    "model = 'model-1' AND from GLOB '*nobody*'",
    "model = 'model-1'",
  ]);
  await index.removeMailbox("user-1", "mailbox-1");
  assert.deepEqual((await ask({})).map(({ emailId }) => emailId), ["b"]);
  await fake.close();
});

/** A hybrid or a dense Upstash index on loopback, searched by words. */
function upstashWords(hybrid: boolean) {
  const fake = startFakeUpstash();
  fake.hybrid = hybrid;
  const index = createUpstashIndex({ url: fake.url, token: fake.token });
  const ask = (text: string, filters: SearchFilters = {}, userId = "user-1") =>
    index.searchWords!({ userId, text, filters, window: 10, timeoutMs: 1000 });
  return { fake, index, ask };
}

Deno.test("upstash vector index gives a hybrid index both halves, and queries each alone", async () => {
  const { fake, index, ask } = upstashWords(true);
  await index.add([
    embedded("a", [[1, 0], [0, 1]], { subject: "Harbour report" }),
    embedded("b", [[0, 1]], { subject: "Harbour", from: "grace@navy.example Grace Hopper" }),
    embedded("theirs", [[0, 1]], { userId: "user-2", subject: "Harbour report" }),
  ]);
  const [row] = fake.namespaces.get("ns_user-1")!.values();
  const { indices, values } = row.sparseVector!;
  assert.ok(indices.length > 3 && indices.length === values.length);
  assert.ok(indices.every((each) => Number.isInteger(each) && each >= 0 && each < 2 ** 31));
  const hits = await index.search({
    userId: "user-1",
    model: "model-1",
    vector: Float32Array.from([1, 0]),
    filters: {},
    window: 10,
    timeoutMs: 1000,
  });
  assert.deepEqual(hits.map(({ emailId, cosine }) => [emailId, cosine]), [["a", 1], ["b", 0]]);

  const found = await ask("where are the reports of the harbours?");
  assert.deepEqual(found!.map(({ emailId }) => emailId), ["a", "b"]);
  assert.deepEqual(found!.map(({ share }) => share > 0.85), [true, false]);
  assert.deepEqual((await ask("harbour", { from: "grace" }))!.map((hit) => hit.emailId), ["b"]);
  assert.deepEqual((await ask("hopper"))!.map((hit) => hit.emailId), ["b"]);
  assert.deepEqual(await ask("zeppelin"), []);
  assert.deepEqual(await ask("where are the?"), []);
  await fake.close();
});

Deno.test("upstash vector index does not search a dense index by words", async () => {
  const { fake, index, ask } = upstashWords(false);
  await index.add([embedded("a", [[1, 0]])]);
  assert.equal(await ask("passage"), null);
  assert.deepEqual(fake.sparseQueries, []);
  await fake.close();
});
