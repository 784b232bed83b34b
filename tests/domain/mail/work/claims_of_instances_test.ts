import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

/** A database whose reads of claims wait for `gate`. */
function gated(kv: Deno.Kv, gate: () => Promise<void>): Deno.Kv {
  return new Proxy(kv, {
    get(target, name) {
      if (name === "getMany") {
        return async (keys: readonly Deno.KvKey[]) => {
          if (keys.some(([table]) => table === "claims")) await gate();
          return await target.getMany([...keys]);
        };
      }
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

Deno.test("an email that was acked is not claimed again while another instance removes the row of its claim", async () => {
  await using one = await testService({ instances: 1, exclusive: false });
  let gate = Promise.resolve();
  let reads = () => {};
  const kv = gated(one.kv, () => {
    reads();
    return gate;
  });
  await using two = await testService({ kv, exclusive: false, parts: { clock: one.clock } });
  const owner = await account(one);
  const box = await mailbox(one, owner);
  await deliver(one, box.email_address, message({ Subject: "only" }));
  await one.settle();
  const claim = (test: typeof one) =>
    data(test.request(`/v1/api/mailboxes/${box.mailbox_id}/claims`, {
      token: owner.key,
      json: { lease_seconds: 3_600 },
    }));
  const [{ claim_id }] = await claim(one);
  await data(one.request(`/v1/api/claims/${claim_id}/ack`, { token: owner.key, method: "POST" }));
  // The mark moves behind mail that is older than a minute.
  await one.advance(120_000);
  const opened = Promise.withResolvers<void>();
  const reading = new Promise<void>((resolve) => reads = resolve);
  gate = opened.promise;
  const slow = claim(two);
  await reading;
  assert.deepEqual(await claim(one), []);
  opened.resolve();
  assert.deepEqual(await slow, []);
});
