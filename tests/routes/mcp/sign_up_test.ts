import assert from "node:assert/strict";
import {
  account,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";
import { post } from "./post.ts";

async function call(test: TestService, { key }: TestAccount, name: string, args: object = {}) {
  const params = { name, arguments: args };
  const { body } = await post(
    test,
    key,
    { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    { path: "/v1/mcp?toolset=full" },
  );
  assert.notEqual(body.result.isError, true, JSON.stringify(body));
  return body.result.structuredContent;
}

const url = `https://shop.example/verify/${"v".repeat(80)}?token=${"t".repeat(200)}`;
const codeMail = (code: string) =>
  message(
    { From: "Shop <no-reply@mail.shop.example>", Subject: "Confirm your account" },
    `Your verification code is ${code}.\nOr open ${url} to verify your address.\n`,
  );

// SPEC: mcp.sign_up
Deno.test("over MCP an agent makes a mailbox, waits for the mail and gets its code and its whole link", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox: { mailbox_id, email_address } } = await call(test, owner, "create_mailbox");
  const waiting = call(test, owner, "wait_for_email", {
    mailbox_id,
    since: new Date(test.clock.now()).toISOString(),
    require: "code",
  });
  await test.waiting(1);
  await deliver(test, email_address, message({ Subject: "Welcome" }, "Order 771204 is open.\n"));
  await test.settle();
  const { email_id } = await deliver(test, email_address, codeMail("482 913"));
  const { email, timed_out, verification } = await waiting;
  assert.deepEqual([email.email_id, timed_out, verification.best_code, verification.best_link], [
    email_id,
    false,
    "482913",
    url,
  ]);
  // The text has the short form; best_link has the whole URL.
  assert.ok(!email.body_text.includes("token="));
  assert.match(email.body_text, /https:\/\/shop\.example\/verify\/v+…\[link 1\]/);
  assert.deepEqual(await call(test, owner, "get_verification", { email_id }), verification);
});

// SPEC: mcp.sign_up
Deno.test("over MCP only the announced sender meets an expectation, and wait_for_email looks two minutes back", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  await deliver(test, email_address, codeMail("111111"));
  await test.advance(1_000);
  const { expectation_id, status } = await call(test, owner, "expect_code", {
    mailbox_id,
    from_domain: "shop.example",
    kind: "code",
  });
  assert.equal(status, "waiting");
  await test.advance(1_000);
  const stranger = message({ From: "no-reply@elsewhere.example" }, "Your code is 222222.\n");
  await deliver(test, email_address, stranger);
  const getting = call(test, owner, "get_expected_code", { expectation_id, timeout_seconds: 30 });
  await test.waiting(1);
  await deliver(test, email_address, codeMail("333333"));
  const met = await getting;
  assert.deepEqual([met.status, met.code, met.link], ["matched", "333333", url]);
  const { email } = await call(test, owner, "wait_for_email", { mailbox_id, timeout_seconds: 0 });
  assert.match(email.body_text, /111111/);
  await test.advance(121_000);
  assert.deepEqual(await call(test, owner, "wait_for_email", { mailbox_id, timeout_seconds: 0 }), {
    email: null,
    timed_out: true,
  });
});
