import assert from "node:assert/strict";
import { type Ids, systemIds } from "../../../domain/core/ids.ts";
import type { PlanOverrides } from "../../../domain/core/plans.ts";
import * as keys from "../../../domain/store/keys.ts";
import { RemoteKv } from "../../remote_kv/remote_kv.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";

const open = {
  requestsPerMinute: null,
  requestsPerHour: null,
  requestsPerDay: null,
  mcpRequestsPerMinute: null,
};

/** Two instances on a remote database, and an account with a mailbox that gets mail over both at the same time. */
async function twoInstances(
  remote: RemoteKv,
  limits: PlanOverrides["enterprise"] = {},
  ids?: Ids,
) {
  const plans: PlanOverrides = { enterprise: { ...open, ...limits } };
  const test = await testService({ remote, instances: 2, plans, ids });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  let serial = 0;
  return {
    test,
    owner,
    box,
    /** Sends `count` different messages over 8 connections. Returns the size of each that was taken. */
    async send(count: number): Promise<number[]> {
      const taken: number[] = [];
      let left = count;
      await Promise.all(Array.from({ length: 8 }, async () => {
        while (left-- > 0) {
          const n = serial++;
          const fields = { Subject: `Mail ${n}`, "Message-ID": `<m${n}@example.net>` };
          const raw = message(fields, "x".repeat(10 * n));
          const result = await deliver(test, box.email_address, raw);
          if (result.disposition === "accepted") taken.push(raw.length);
          else assert.equal(result.code, "OVER_QUOTA");
        }
      }));
      return taken;
    },
    async used() {
      const answer = await test.request("/api/billing/usage", { token: owner.accessToken });
      return (await answer.json()).data;
    },
  };
}

/** Ids whose random bytes begin with the given ones, which choose the shards of instances. */
function idsWithShards(...chosen: number[]): Ids {
  const ids = systemIds();
  return {
    ...ids,
    bytes: (count) =>
      count === 1 && chosen.length > 0 ? new Uint8Array([chosen.shift()!]) : ids.bytes(count),
  };
}

for (const first of [[3, 5], [3, 3, 7, 9]]) {
  Deno.test(`arrivals of one account on two instances do not conflict in a row once both have counted, in shards ${first}`, async () => {
    await using remote = new RemoteKv({ readMs: [1, 3], writeMs: [4, 8] });
    const it = await twoInstances(remote, {}, idsWithShards(...first));
    await using _ = it.test;
    await it.send(30);
    await it.test.settle();
    remote.clear();
    const taken = await it.send(120);
    assert.equal(taken.length, 120);
    const writes = remote.calls.filter(({ tables }) => tables.includes("arrivals"));
    const lost = writes.filter(({ outcome }) => outcome === "conflict").length;
    // Without shards two of five lose it.
    assert.ok(
      lost <= Math.max(2, writes.length / 10),
      `${lost} of ${writes.length} commits of arrivals lost a race`,
    );
  });
}

Deno.test("a quota is exact over two instances, to the email", async () => {
  await using remote = new RemoteKv({ readMs: [1, 2], writeMs: [2, 4] });
  const it = await twoInstances(remote, { emailsPerDay: 150, emailsPerMonth: null });
  await using _ = it.test;
  const sizes = await it.send(100);
  assert.equal((await it.used()).emailsUsed, 100);
  sizes.push(...await it.send(100));
  assert.equal(sizes.length, 150);
  const { emailsUsed, storageUsed } = await it.used();
  assert.equal(emailsUsed, 150);
  assert.equal(storageUsed, sizes.reduce((sum, size) => sum + size, 0));
});

Deno.test("storage is exact over two instances at its limit, and both can use what a purge frees", async () => {
  await using remote = new RemoteKv({ readMs: [1, 2], writeMs: [2, 4] });
  const storageBytes = 60_000;
  const it = await twoInstances(remote, { storageBytes });
  await using _ = it.test;
  const { test, owner, box } = it;
  const taken = (await it.send(140)).reduce((sum, size) => sum + size, 0);
  const { storageUsed } = await it.used();
  assert.equal(storageUsed, taken);
  assert.ok(taken <= storageBytes && taken > storageBytes - 2_500, `${taken} bytes were taken`);
  const path = `/v1/api/mailboxes/${box.mailbox_id}`;
  const gone = await test.request(path, {
    method: "DELETE",
    token: owner.key,
    json: { confirm_email_address: box.email_address },
  });
  assert.equal(gone.status, 200, await gone.text());
  await test.settle();
  assert.equal((await it.used()).storageUsed, 0);
  const left = await test.service.database.collect({
    prefix: keys.mailboxStatsShards(owner.userId),
  });
  assert.deepEqual(left, []);
});

Deno.test("the count of a mailbox and its pages by offset include the mail of both instances", async () => {
  await using remote = new RemoteKv({ readMs: [1, 2], writeMs: [2, 4] });
  const it = await twoInstances(remote);
  await using _ = it.test;
  await it.send(90);
  await it.test.settle();
  const shards = await it.test.service.database.collect({
    prefix: keys.mailboxStatsShards(it.owner.userId, it.box.mailbox_id),
  });
  assert.ok(shards.length > 0, "no row was contended");
  const page = async (query: string) => {
    const answer = await it.test.request(
      `/v1/api/emails?mailbox_id=${it.box.mailbox_id}&${query}`,
      {
        token: it.owner.key,
      },
    );
    return await answer.json();
  };
  const all = (await page("limit=100")).data as { email_id: string }[];
  assert.equal(all.length, 90);
  for (const offset of [0, 17, 50, 88]) {
    const { data } = await page(`limit=2&offset=${offset}`);
    const expected = all.slice(offset, offset + 2);
    assert.deepEqual(
      data.map(({ email_id }: { email_id: string }) => email_id),
      expected.map(({ email_id }) => email_id),
    );
  }
});
