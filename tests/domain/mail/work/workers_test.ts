import assert from "node:assert/strict";
import { isNight } from "../../../nightly.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

const workers = 50, leaseMs = 30_000;

interface Claim {
  claim_id: string;
  email: { email_id: string };
  lease_until: string;
  attempts: number;
}

// Two instances race for the same rows, and take ten times as long for a mail.
for (const [instances, mails] of isNight ? [[1, 1_000], [2, 300]] : [[1, 200], [2, 100]]) {
  Deno.test(`50 workers claim ${mails} mails over ${instances} instances while a third are killed: each acked once, none twice at a time, oldest first`, async () => {
    await using test = await testService({ instances });
    const owner = await account(test);
    const { mailbox_id, email_address } = await mailbox(test, owner);
    const ids: string[] = [];
    for (let n = 0; n < mails; n += 50) {
      const some = Array.from(
        { length: 50 },
        (_, i) => deliver(test, email_address, message({ Subject: `${n + i}` })),
      );
      ids.push(...(await Promise.all(some)).map(({ email_id }) => email_id));
    }
    await test.settle();
    ids.sort();
    const acked = new Map<string, number>();
    const heldUntil = new Map<string, number>();
    const claimedFirst: string[] = [];
    let left = Infinity;
    let rounds = 0;
    const claim = async (limit: number): Promise<Claim[]> => {
      const json = { limit, lease_seconds: leaseMs / 1_000 };
      const path = `/v1/api/mailboxes/${mailbox_id}/claims`;
      const claims: Claim[] = await data(test.request(path, { token: owner.key, json }));
      const emails = claims.map(({ email }) => email.email_id);
      assert.deepEqual(emails, emails.toSorted());
      for (const { email: { email_id }, lease_until, attempts } of claims) {
        const held = heldUntil.get(email_id) ?? 0;
        assert.ok(held <= test.clock.now(), `${email_id} has two holders`);
        assert.ok(!acked.has(email_id), `${email_id} was acked before`);
        heldUntil.set(email_id, Date.parse(lease_until));
        if (attempts === 1) claimedFirst.push(email_id);
      }
      return claims;
    };
    /** Works until nothing is left; in the first rounds, one worker in three dies with its claims. */
    const work = async (worker: number) => {
      for (let turn = 0; left > 0; turn++) {
        const limit = 1 + (worker + turn) % 3;
        if ((left -= limit) < 0) return;
        const claims = await claim(limit);
        if (claims.length === 0) return;
        const dies = rounds < 2 && worker % 3 === 0 && turn === worker % 4;
        if (dies) return;
        for (const { claim_id, email: { email_id } } of claims) {
          const path = `/v1/api/claims/${claim_id}/ack`;
          await data(test.request(path, { token: owner.key, json: {} }));
          acked.set(email_id, (acked.get(email_id) ?? 0) + 1);
        }
      }
    };
    const all = () => Promise.all(Array.from({ length: workers }, (_, n) => work(n)));
    // In the middle, the workers have got exactly the oldest mail.
    left = 0.3 * mails;
    await all();
    assert.deepEqual(claimedFirst.toSorted(), ids.slice(0, claimedFirst.length));
    // Workers that race for a row get fewer than they ask for.
    assert.ok(claimedFirst.length > 0.1 * mails, `${claimedFirst.length} claimed`);
    left = Infinity;
    for (; acked.size < mails && rounds < 20; rounds++) {
      await all();
      test.clock.advance(leaseMs);
    }
    assert.equal(acked.size, mails);
    assert.ok([...acked.values()].every((times) => times === 1));
    assert.ok(rounds > 1, "nobody died");
    assert.equal(new Set(claimedFirst).size, mails);
    test.clock.advance(120_000);
    assert.deepEqual(await claim(50), []);
    // A mail that was handled keeps no row once the mark has passed it.
    await claim(50);
    assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["claims"] })), []);
    assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["claims_due"] })), []);
  });
}
