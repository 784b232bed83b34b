import assert from "node:assert/strict";
import { inTurn } from "../../../remote_kv/counts.ts";
import { RemoteKv } from "../../../remote_kv/remote_kv.ts";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";

/** Replies of one conversation, each to the next instance. */
function replyTo(n: number): string {
  const references = Array.from({ length: n }, (_, m) => `<m${m}@example.net>`).join(" ");
  return message({
    Subject: n === 0 ? "Plans" : "Re: Plans",
    "Message-ID": `<m${n}@example.net>`,
    ...(n === 0 ? {} : { "In-Reply-To": `<m${n - 1}@example.net>`, References: references }),
  }, `Number ${n}\n`);
}

Deno.test("a conversation that comes over two instances in turn loses no race once they have met, and waits for two requests", async () => {
  await using remote = new RemoteKv({ readMs: [3, 3], writeMs: [6, 6] });
  await using test = await testService({ remote, instances: 2 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const waited: number[] = [];
  let lost = 0;
  for (let n = 0; n < 12; n++) {
    remote.clear();
    const { disposition } = await deliver(test, box.email_address, replyTo(n));
    assert.equal(disposition, "accepted");
    if (n >= 6) {
      waited.push(inTurn(remote.calls));
      lost += remote.calls.filter(({ outcome }) => outcome === "conflict").length;
    }
    await test.settle();
  }
  assert.equal(lost, 0);
  assert.equal(waited.toSorted((a, b) => a - b)[waited.length >> 1], 2, `waited for ${waited}`);
  const { data } = await (await test.request("/v1/api/emails?limit=50", { token: owner.key }))
    .json();
  assert.equal(data.length, 12);
  assert.equal(new Set(data.map(({ thread_id }: { thread_id: string }) => thread_id)).size, 1);
});
