import assert from "node:assert/strict";
import { boundJournals } from "../../../domain/changes/bound_journals.ts";
import { recordChange } from "../../../domain/changes/change.ts";
import { account, testService } from "../../service.ts";

const always = () => true;

Deno.test("an account keeps its newest changes up to its plan; a cursor is 410 only if changes after it are gone", async () => {
  await using test = await testService({ instances: 1 });
  const { database, clock } = test.service;
  const owner = await account(test, "free"), other = await account(test, "pro");
  const toggle = async ({ userId }: { userId: string }, commits: number) => {
    for (let n = 0; n < commits; n++) {
      await database.transact((tx) => {
        for (let i = 0; i < 100; i++) {
          recordChange(tx, userId, {
            event: "email.updated",
            at: clock.now(),
            emailId: `${n}-${i}`,
          });
        }
      });
    }
  };
  const rowsOf = async ({ userId }: { userId: string }) =>
    (await Array.fromAsync(test.kv.list({ prefix: ["journal", userId] }))).length;
  const read = async (query: string) => {
    const answer = await test.request(`/v1/api/changes?${query}`, { token: owner.key });
    return { status: answer.status, body: await answer.json() };
  };

  await toggle(owner, 200);
  const early = (await read("limit=1")).body.meta.next_cursor;
  await toggle(owner, 850);
  await toggle(other, 1_050);
  assert.equal(await boundJournals(test.service, always), 50);
  assert.deepEqual([await rowsOf(owner), await rowsOf(other)], [1_000, 1_050]);
  const expired = await read(`after=${early}`);
  assert.deepEqual([expired.status, expired.body.error.code], [410, "CURSOR_EXPIRED"]);

  // Without a cursor the list begins with the oldest change that is kept, and its cursor goes on.
  const first = (await read("limit=1")).body;
  assert.equal(first.data[0].email_id, "50-0");
  const { next_cursor } = first.meta;
  const follower = await read(`after=${next_cursor}&limit=500`);
  assert.deepEqual([follower.status, follower.body.data[0].email_id], [200, "50-1"]);

  // Little has been added since: nothing is counted. A cursor at the cut is good for ever.
  await toggle(owner, 90);
  assert.equal(await boundJournals(test.service, always), 0);
  await toggle(owner, 20);
  const cut = (await read("after=now")).body.meta.next_cursor;
  await toggle(owner, 1_000);
  assert.equal(await boundJournals(test.service, always), 1_110);
  const kept = await read(`after=${cut}&limit=1`);
  assert.deepEqual([kept.status, kept.body.data[0].email_id], [200, "0-0"]);
});
