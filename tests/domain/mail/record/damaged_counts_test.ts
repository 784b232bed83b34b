import assert from "node:assert/strict";
import type { Job } from "../../../../domain/store/jobs.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { readWholeBlob, sweepOrphans } from "../../../../domain/store/blobs.ts";
import { storedEmail } from "../../../../domain/mail/record/read_email.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  operatorToken,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";

/** Chunks of its bytes are shared by all mailboxes that get it. */
const large = message({}, "a line of a large mail\n".repeat(10_000));

const rowsOf = async (test: TestService, table: string) =>
  await Array.fromAsync(test.kv.list({ prefix: [table] }));

/** Damaged through the service, so that it is not hidden by what the process has in memory. */
const damage = (test: TestService, key: Deno.KvKey, value: unknown) =>
  test.service.database.transact((tx) => tx.set(key, value));

const logged = (test: TestService, table: string) =>
  test.log.filter(({ event, table: its }) => event === "store.row_damaged" && its === table).length;

for (const value of ["garbage", { some: "thing" }, -5]) {
  const shown = JSON.stringify(value);

  Deno.test(`a count of activity that is ${shown} refuses no mail: it starts again, and the log has it once`, async () => {
    await using test = await testService({ instances: 1 });
    const owner = await account(test);
    const { email_address } = await mailbox(test, owner);
    await deliver(test, email_address, message({ "Message-ID": "<1@x.example>" }, "one"));
    const counts = (await rowsOf(test, "activity")).filter(({ key }) => key.includes("received"));
    assert.equal(counts.length, 2);
    for (const { key } of counts) await damage(test, key, value);
    const taken = await Promise.all(
      [2, 3, 4].map((n) =>
        deliver(test, email_address, message({ "Message-ID": `<${n}@x.example>` }, `${n}`))
      ),
    );
    assert.deepEqual(taken.map(({ disposition }) => disposition), Array(3).fill("accepted"));
    for (const { key } of counts) {
      assert.equal((await test.kv.get<Deno.KvU64>(key)).value?.value, 3n);
    }
    assert.equal(logged(test, "activity"), 2);
  });

  Deno.test(`counts of webhooks that are ${shown} refuse no mail and lose no event: they are made again`, async () => {
    await using test = await testService({ instances: 1 });
    const owner = await account(test);
    const { email_address } = await mailbox(test, owner);
    const { token, call } = callsOf(test, owner);
    const { webhook_id } = await call("POST", "/webhooks", hook);
    const key = keys.webhookSubscribers(owner.userId);
    const before = (await test.kv.get(key)).value;
    await damage(test, key, value);
    const usage = await test.request("/api/billing/usage", { token: owner.accessToken });
    assert.equal(usage.status, 200);
    assert.equal((await deliver(test, email_address, message())).disposition, "accepted");
    await test.settle();
    const deliveries = await data(
      test.request(`/v1/api/webhooks/${webhook_id}/deliveries`, { token }),
    );
    assert.ok(deliveries.length > 0);
    assert.deepEqual((await test.kv.get(key)).value, before);
    assert.equal(logged(test, "webhook_subscribers"), 1);
    // A webhook is made, changed and deleted with damaged counts.
    await damage(test, key, value);
    const other = await call("POST", "/webhooks", hook);
    await damage(test, key, value);
    await call("PATCH", `/webhooks/${webhook_id}`, { active: false });
    await damage(test, key, value);
    await call("DELETE", `/webhooks/${other.webhook_id}`);
    assert.deepEqual((await test.kv.get(key)).value, { webhooks: 1, wanting: {} });
  });

  Deno.test(`bytes whose count of owners is ${shown} stay while others may need them`, async () => {
    await using test = await testService({ instances: 1 });
    const { one, two, raw } = await shared(test);
    const remove = (owner: TestAccount, id: string) =>
      test.request(`/v1/api/emails/${id}`, { method: "DELETE", token: owner.key });
    await damage(test, keys.blobOwners(raw.blobId), value);
    await remove(one.owner, one.id);
    await test.settle();
    await sweepOrphans(test.service.database, test.service.clock.now() + 1);
    assert.equal((await readWholeBlob(test.service.database, raw)).length, raw.size);
    const read = await test.request(`/v1/api/emails/${two.id}/raw`, { token: two.owner.key });
    assert.equal((await read.text()).length, raw.size);
    assert.equal(logged(test, "blob_owners"), 1);
  });
}

Deno.test("an email whose row is damaged gives its share of a large message back when its mailbox goes", async () => {
  await using test = await testService({ instances: 1 });
  const { one, two, raw } = await shared(test);
  for (const [n, { owner, id, box }] of [one, two].entries()) {
    await damage(test, keys.email(owner.userId, id), "garbage");
    const { status } = await test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
      ...{ method: "DELETE", token: owner.key },
      json: { confirm_email_address: box.email_address },
    });
    assert.equal(status, 200);
    await test.settle();
    if (n === 0) {
      assert.equal((await readWholeBlob(test.service.database, raw)).length, raw.size);
    }
  }
  for (const table of ["blob_chunks", "blob_owners", "blobs_pending", "emails", "email_details"]) {
    assert.deepEqual(await rowsOf(test, table), [], table);
  }
});

Deno.test("an operator who deletes a dead job of a deleted email leaves no bytes, and takes none from others", async () => {
  await using test = await testService({ instances: 1 });
  const { one, two, raw } = await shared(test);
  const { database, jobs } = test.service;
  // The job of each deletion dies.
  const die = async ({ owner, id }: typeof one) => {
    await database.transact((tx) => {
      const payload = { userId: owner.userId, emailId: id, raw };
      const job = jobs.add(tx, "purge_email", payload, test.clock.now() + 1e6);
      jobs.deadLetter(tx, job as Job, "the test says so");
    });
    const [{ value }] = await rowsOf(test, "jobs_dead");
    const path = `/operator/jobs/${(value as Job).jobId}`;
    const answer = await test.request(path, { method: "DELETE", token: operatorToken });
    assert.equal(answer.status, 200);
    await test.settle();
    await sweepOrphans(database, test.service.clock.now() + 1);
  };
  await die(one);
  assert.equal((await readWholeBlob(database, raw)).length, raw.size);
  await die(two);
  for (const table of ["blob_chunks", "blob_owners", "blobs_pending"]) {
    assert.deepEqual(await rowsOf(test, table), [], table);
  }
});

const hook = { url: "https://hook.example/", events: ["email.received"] };

function callsOf(test: TestService, { key: token }: TestAccount) {
  const call = async (method: string, path: string, json?: unknown) => {
    const answer = await test.request(`/v1/api${path}`, { method, token, json });
    assert.ok(answer.ok, `${path} ${answer.status}`);
    return (await answer.json()).data;
  };
  return { token, call };
}

/** A large message that two accounts have got in one delivery. */
async function shared(test: TestService) {
  const world = async () => {
    const owner = await account(test);
    return { owner, box: await mailbox(test, owner), id: "" };
  };
  const one = await world(), two = await world();
  await deliver(test, [one.box.email_address, two.box.email_address], large);
  await test.settle();
  for (const each of [one, two]) {
    [{ email_id: each.id }] = await data(
      test.request("/v1/api/emails", { token: each.owner.key }),
    );
  }
  const email = await storedEmail(test.service.database, one.owner.userId, one.id);
  return { one, two, raw: email!.raw };
}
