import assert from "node:assert/strict";
import { account, mailbox, testService } from "../../service.ts";
import { bytes, uploaded } from "./uploading.ts";

/** A store whose commits are durable at once; after `hold()` their answers come only with `release()`. */
async function lateAnswers() {
  const kv = await Deno.openKv(":memory:");
  let gate: PromiseWithResolvers<void> | null = null;
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = async () => {
      const ended = await commit();
      await gate?.promise;
      return ended;
    };
    return operation;
  };
  return {
    kv,
    hold: () => gate = Promise.withResolvers<void>(),
    release() {
      gate?.resolve();
      gate = null;
    },
  };
}

const turn = () => new Promise((done) => setTimeout(done, 1));

const chunksOf = async (kv: Deno.Kv) =>
  (await Array.fromAsync(kv.list({ prefix: ["blob_chunks"] }))).map(({ key }) => key.join("/"));

Deno.test("an upload that another message is using at this moment is no 500, and the same request gets its answer", async () => {
  for (const isSame of [false, true]) {
    const store = await lateAnswers();
    using _kv = store.kv;
    await using test = await testService({ kv: store.kv, instances: 1, exclusive: true });
    const owner = await account(test);
    const box = await mailbox(test, owner);
    const upload_id = await uploaded(test, owner.key, bytes(10));
    const [chunk] = await chunksOf(store.kv);
    const send = (idempotency_key: string) =>
      test.request("/v1/api/emails/send", {
        token: owner.key,
        json: {
          ...{ mailbox_id: box.mailbox_id, to: box.email_address, body_text: "x" },
          ...{ attachments: [{ upload_id }], idempotency_key },
        },
      });
    await test.settle();
    store.hold();
    const first = send("a");
    while ((await chunksOf(store.kv)).includes(chunk)) await turn();
    const second = send(isSame ? "a" : "b");
    for (let n = 0; n < 50; n++) await turn();
    store.release();
    assert.equal((await first).status, 201);
    assert.equal((await second).status, isSame ? 201 : 404);
    await test.settle();
  }
});
