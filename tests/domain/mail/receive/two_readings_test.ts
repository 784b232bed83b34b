import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

const names = ["ｂank.example", "ba\u00adnk.example", "ba\u200bnk.example", "ba\u2060nk.example"];

// SPEC: auth.expectation
Deno.test("mail of a domain with two readings is fail: it meets no expectation, passes no allow list, is not answered", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [box, closed] = [await mailbox(test, owner), await mailbox(test, owner)];
  const call = (path: string, json?: unknown, method?: string) =>
    test.request(path, { token: owner.key, json, method });
  await test.request(`/v1/api/mailboxes/${closed.mailbox_id}/policy`, {
    ...{ method: "PUT", token: owner.accessToken, json: { allow_senders: ["@bank.example"] } },
  });
  const json = { mailbox_id: box.mailbox_id, from_domain: "bank.example", kind: "code" };
  const { expectation_id } = await data(call("/v1/api/expectations", json));
  for (const name of names) {
    const raw = message({ From: `noreply@${name}` }, "Your verification code is 666666.\n");
    const { email_id } = await deliver(test, box.email_address, raw);
    await test.settle();
    const { auth } = await data(call(`/v1/api/emails/${email_id}`));
    assert.deepEqual([auth.verdict, auth.domain], ["fail", null], name);
    const answer = await call(`/v1/api/emails/${email_id}/reply`, { body_text: "Hello." });
    assert.equal(answer.status, 400, name);
    assert.equal((await deliver(test, closed.email_address, raw)).code, "BLOCKED", name);
  }
  const path = `/v1/api/expectations/${expectation_id}`;
  assert.equal((await data(call(path))).status, "waiting");
  const genuine = message({ From: "noreply@BANK.example" }, "Your verification code is 482913.\n");
  await deliver(test, box.email_address, genuine);
  await test.settle();
  assert.equal((await data(call(path))).code, "482913");
});
