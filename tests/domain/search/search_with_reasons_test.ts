import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../../service.ts";

// SPEC: dashboard.search
Deno.test("POST /api/search says what would be found without each filter, and counts as one search", async () => {
  await using test = await testService();
  const owner = await account(test, "pro"), other = await account(test, "pro");
  const box = await mailbox(test, owner), empty = await mailbox(test, owner);
  const foreign = await mailbox(test, other);
  for (let n = 0; n < 3; n++) {
    const fields = { Subject: `Invoice ${n}`, From: "Ada <ada@example.net>" };
    await deliver(test, box.email_address, message(fields, "the quarterly invoice\n"));
  }
  await test.settle();
  const ask = async (json: unknown, { cookie } = owner) => {
    const answer = await test.request("/api/search", { headers: { cookie }, json });
    return { status: answer.status, body: await answer.json() };
  };
  const found = await ask({ query: "quarterly invoice", from: "ada@" });
  assert.equal(found.body.results.length, 3);
  assert.deepEqual(found.body.searches, { used: 1, limit: 5_000 });
  assert.ok(!("without" in found.body), "something was found");

  const nothing = await ask({
    query: "quarterly invoice",
    ...{ from: "bob@", date_to: "2000-01-01", is_read: false, max_chars: 5_000 },
  });
  assert.equal(nothing.body.total, 0);
  assert.deepEqual(nothing.body.without, { from: 0, date_to: 0, is_read: 0 });
  const one = await ask({ query: "quarterly invoice", from: "bob@", is_read: false });
  assert.deepEqual(one.body.without, { from: 3, is_read: 0 });
  const inEmpty = { query: "quarterly invoice", mailbox_id: empty.mailbox_id };
  assert.deepEqual((await ask(inEmpty)).body.without, { mailbox_id: 3 });
  const unfiltered = await ask({ query: "zzyzx" });
  assert.deepEqual(unfiltered.body.without, {});
  assert.deepEqual(unfiltered.body.searches, { used: 5, limit: 5_000 }, "each counted once");

  const stranger = await ask({ query: "quarterly invoice", from: "bob@" }, other);
  assert.deepEqual(stranger.body.without, { from: 0 }, "another account's mail is not counted");
  assert.equal((await ask({ query: "x", mailbox_id: foreign.mailbox_id })).status, 404);
  assert.equal((await ask({ query: "x", fron: "ada" })).status, 400);
  const plain = await test.request("/v1/api/search", {
    token: owner.key,
    json: { query: "zzyzx" },
  });
  assert.deepEqual(Object.keys(await plain.json()), ["success", "results", "total", "pending"]);
});
