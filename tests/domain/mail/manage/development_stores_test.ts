import assert from "node:assert/strict";
import {
  assertKept,
  serviceOf,
  start,
  type Written,
  writtenStore,
} from "../../store/frozen/written_store.ts";
import { data, deliver, message } from "../../../service.ts";

/**
 * A store that commit 9894fc7e wrote on the clock of its tests: `oneOfEverything`, and mail with a file, a large one,
 * drafts in every state, claims, expectations that wait, were met, and were deleted, recipients that a person approved.
 * The answers are those of the same commit to 103 reads of it.
 */
const oldStore = () => writtenStore<Written & { userId: string }>("9894fc7e");

const rowsOf = (kv: Deno.Kv) => Array.fromAsync(kv.list({ prefix: [] }));

Deno.test("a store of development is brought forward once, and everything in it is answered as before", async () => {
  await using store = await oldStore();
  const { kv, written } = store;
  assert.deepEqual(await start(kv, written.now), [
    "store.brought_forward",
    "store.brought_forward",
    "store.brought_forward",
    "store.brought_forward",
  ]);
  const forward = await rowsOf(kv);
  assert.deepEqual(await start(kv, written.now), []);
  assert.deepEqual(await rowsOf(kv), forward);
  await using test = await serviceOf(kv, written);
  for (const [name, before] of Object.entries(written.answers)) {
    const [credential, path] = name.split(" ");
    const token = credential === "key" ? written.key : written.session;
    const answer = await test.request(path, { token });
    const text = await answer.text();
    assert.equal(answer.status, 200, `${name} ${text}`);
    const now = answer.headers.get("content-type")?.startsWith("application/json")
      ? JSON.parse(text)
      : text;
    assertKept(now, before, name);
  }
});

Deno.test("expectations of such a store are met by later mail, and mail that met a deleted one meets no other", async () => {
  await using store = await oldStore();
  const { kv, written } = store;
  await start(kv, written.now);
  await using test = await serviceOf(kv, written);
  const { key: token } = written;
  const rows = await Array.fromAsync(
    kv.list<{ expectationId: string; mailboxId: string; met: object | null; fromDomain: string }>({
      prefix: ["expectations"],
    }),
  );
  // The deleted one is gone; its mail is on the list of mail that met one.
  assert.deepEqual(
    rows.map(({ value }) => value.fromDomain).sort(),
    ["example.net", "met.example", "waits.example"],
  );
  assert.equal((await Array.fromAsync(kv.list({ prefix: ["expected_emails"] }))).length, 2);
  const { expectationId, mailboxId } =
    rows.find(({ value }) => value.fromDomain === "waits.example")!.value;
  const boxes = await (await test.request("/v1/api/mailboxes", { token })).json();
  const { email_address } = boxes.mailboxes.find((each: { mailbox_id: string }) =>
    each.mailbox_id === mailboxId
  );
  await deliver(
    test,
    email_address,
    message({ From: "a@waits.example", Subject: "Code 778899" }, "Your code is 778899"),
  );
  // The check of the sender ends before the clock moves: a late one is an error, which meets nothing.
  await test.settle();
  await test.advance(60_000);
  const found = await data(test.request(`/v1/api/expectations/${expectationId}`, { token }));
  assert.deepEqual([found.status, found.code], ["matched", "778899"]);
});

Deno.test("recipients that a person approved in such a store keep their address, and need no approval again", async () => {
  await using store = await oldStore();
  const { kv, written } = store;
  await kv.set(["known", written.userId, "0".repeat(64)], 0);
  await start(kv, written.now);
  await using test = await serviceOf(kv, written);
  const { key: token } = written;
  const path = "/v1/api/known-recipients";
  const listed = await data(test.request(path, { token }));
  assert.deepEqual(
    listed.map(({ address }: { address: string }) => address).sort(),
    ["kim@example.net", "new@example.net"],
  );
});

Deno.test("a start that is killed at any commit is completed by the next one, with the same rows", async () => {
  await using whole = await oldStore();
  await start(whole.kv, whole.written.now);
  const expected = await valuesOf(whole.kv);
  for (let commits = 0; commits < 9; commits++) {
    await using store = await oldStore();
    const { kv, written } = store;
    const atomic = kv.atomic.bind(kv);
    let left = commits;
    kv.atomic = () => {
      if (left-- <= 0) throw new Error("killed");
      return atomic();
    };
    await assert.rejects(start(kv, written.now), /killed/, `${commits} commits`);
    kv.atomic = atomic;
    await start(kv, written.now);
    assert.deepEqual(await valuesOf(kv), expected, `${commits} commits`);
  }
});

/** All rows but those that list expiring rows, which are written by the minute. */
async function valuesOf(kv: Deno.Kv): Promise<unknown[]> {
  const rows = await rowsOf(kv);
  return rows.filter(({ key }) => key[0] !== "expiring").map(({ key, value }) => [key, value]);
}
