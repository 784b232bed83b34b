import assert from "node:assert/strict";
import { account, inboundToken, mailbox, testService } from "../../service.ts";

Deno.test("a message whose body breaks off is 400, with nothing stored and no error in the log", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (const sent of [30, 900_000]) {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new Uint8Array(sent).fill(65)),
      pull: (controller) => controller.error(new Error("connection reset")),
    });
    const answer = await test.request("/inbound/raw", {
      method: "POST",
      token: inboundToken,
      headers: {
        "content-type": "message/rfc822",
        "x-envelope-to": box.email_address,
        "x-envelope-from": "ada@example.net",
      },
      body,
    });
    assert.equal(answer.status, 400);
    assert.deepEqual(await answer.json(), {
      success: false,
      error: { code: "BAD_REQUEST", message: "The body broke off before its end." },
    });
  }
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["blob_chunks"] })), []);
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["emails"] })), []);
  assert.deepEqual(test.log.filter(({ level }) => level === "error"), []);
});
