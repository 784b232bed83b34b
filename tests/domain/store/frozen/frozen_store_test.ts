import assert from "node:assert/strict";
import { data, deliver, message } from "../../../service.ts";
import { operator, readOf } from "./all_reads.ts";
import { assertKept, serviceOf, start, type Written, writtenStore } from "./written_store.ts";

/** The releases whose store is a file in tests/fixtures/stores. */
const releases = ["1.0.0"];

/** The store of a release as a start of this program finds it, and the service on it. */
async function opened(release: string) {
  const store = await writtenStore(release);
  await start(store.kv, store.written.now);
  const test = await serviceOf(store.kv, store.written);
  return {
    test,
    written: store.written,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

const tokensOf = ({ key, session }: Written): Record<string, string> => ({
  ...{ key, session },
  ...operator,
});

for (const release of releases) {
  // SPEC: version.store
  Deno.test(`everything in the store that ${release} wrote is answered as ${release} did`, async () => {
    await using store = await opened(release);
    const { test, written } = store;
    const tokens = tokensOf(written);
    const reads = Object.entries(written.answers);
    assert.ok(reads.length > 150, `${reads.length} reads`);
    for (const [name, before] of reads) {
      const [credential, path] = name.split(" ");
      assertKept(await readOf(test, path, tokens[credential]), before, name);
    }
  });

  Deno.test(`the store that ${release} wrote goes on: mail joins its conversation, is found and answered once`, async () => {
    await using store = await opened(release);
    const { test, written: { key: token, answers } } = store;
    const { mailboxes } = answers["key /v1/api/mailboxes"] as {
      mailboxes: { email_address: string }[];
    };
    const listed = Object.entries(answers).find(([name]) => /^key \/v1\/api\/emails\?/.test(name))!;
    const { data: emails } = listed[1] as { data: Record<string, string>[] };
    const engine = emails.find(({ subject }) => subject === "Re: Engine")!;
    const { email_id } = await deliver(
      test,
      mailboxes.find(({ email_address }) => email_address.startsWith("agent-one@"))!.email_address,
      message({
        "In-Reply-To": "<m1@example.net>",
        Subject: "Re: Engine",
        From: "eve@example.net",
      }),
    );
    await test.settle();
    const later = await data(test.request(`/v1/api/emails/${email_id}`, { token }));
    assert.equal(later.thread_id, engine.thread_id);

    const { database, jobs } = test.service;
    await database.transact((tx) => void jobs.add(tx, "rebuild_index", { after: null }));
    await test.settle();
    const json = { query: "Züge" };
    const found = await (await test.request("/v1/api/search", { token, json })).json();
    const subjects = found.results.map((each: { subject: string }) => each.subject);
    assert.ok(subjects.includes("Züge and a file"), JSON.stringify(found));

    // The reply that the release sent with this key is the answer again.
    const large = emails.find(({ snippet }) => snippet?.includes("out of office"))!;
    const again = await test.request(`/v1/api/emails/${large.email_id}/reply`, {
      token,
      json: { body_text: "x", idempotency_key: "k1" },
    });
    const sent = (await again.json()).data;
    assert.ok(emails.some((each) => each.email_id === sent.email_id), JSON.stringify(sent));
  });
}
