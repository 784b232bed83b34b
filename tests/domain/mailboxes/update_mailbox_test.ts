import assert from "node:assert/strict";
import { account, mailbox, testService } from "../../service.ts";
import { callTool } from "../../routes/mcp/call_tool.ts";
import * as keys from "../../../domain/store/keys.ts";
import { failure, familiesOf, sessionOf } from "./families.ts";

Deno.test("GET and PATCH of a mailbox answer its record with name, signature, metadata and catch-all", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const path = `/mailboxes/${box.mailbox_id}`;
  const [v1] = familiesOf(test, owner);
  const unset = {
    ...{ ...box, display_name: null, signature: null, metadata: null },
    catch_all: false,
  };
  assert.deepEqual(await v1.call("GET", path), {
    status: 200,
    body: { success: true, mailbox: unset },
  });
  const set = {
    display_name: "Mail Robot",
    signature: "Robot\nof Example Inc.",
    metadata: { team: "blue", order_2: "A 17" },
  };
  assert.deepEqual(
    await v1.call("PATCH", path, { ...set, signature: "Robot\r\nof Example Inc. " }),
    {
      status: 200,
      body: { success: true, mailbox: { ...unset, ...set } },
    },
  );
  const less = { metadata: null, display_name: "  " };
  assert.deepEqual(await v1.call("PATCH", path, less), {
    status: 200,
    body: { success: true, mailbox: { ...unset, signature: set.signature } },
  });
  await v1.call("PATCH", path, { signature: "" });
  const row = keys.mailboxProfile(owner.userId, box.mailbox_id);
  assert.equal((await test.kv.get(row)).value, null);
  assert.deepEqual((await v1.call("GET", path)).body, { success: true, mailbox: unset });
});

Deno.test("a wrong name, signature or metadata of a mailbox is 400 and changes nothing", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner);
  const path = `/mailboxes/${box.mailbox_id}`;
  const [v1] = familiesOf(test, owner);
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, "v"]));
  for (
    const [field, body] of [
      ["display_name", { display_name: "x".repeat(101) }],
      ["display_name", { display_name: "a\r\nBcc: x@y.example" }],
      ["display_name", { display_name: "boss@bank.example" }],
      ["signature", { signature: "x".repeat(2_001) }],
      ["signature", { signature: "a\u0000b" }],
      ["metadata", { metadata: many }],
      ["metadata.Team", { metadata: { Team: "x" } }],
      ["metadata.team", { metadata: { team: "x".repeat(501) } }],
      ["metadata.team", { metadata: { team: 1 } }],
      ["nickname", { nickname: "x", signature: "y" }],
    ] as const
  ) {
    const { status, code, details } = failure(await v1.call("PATCH", path, body));
    assert.deepEqual([status, code], [400, "VALIDATION_ERROR"]);
    assert.ok(Object.hasOwn(details as object, field), `${field} in ${JSON.stringify(details)}`);
  }
  assert.equal(failure(await familiesOf(test, other)[0].call("GET", path)).status, 404);
  assert.equal(
    failure(await familiesOf(test, other)[0].call("PATCH", path, { signature: "x" })).status,
    404,
  );
  const { mailbox: after } = (await v1.call("GET", path)).body as { mailbox: object };
  assert.deepEqual({ ...after, ...box }, after);
  assert.equal((after as { signature: unknown }).signature, null);
});

Deno.test("a session's PATCH sets the other fields too, but not together with an address", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner, "front-desk");
  const path = `/mailboxes/${box.mailbox_id}`;
  const session = sessionOf(test, owner);
  const both = { signature: "Desk", local_part: "new-desk", domain: "agents.test" };
  assert.deepEqual(failure(await session.call("PATCH", path, both)).code, "VALIDATION_ERROR");
  const { status, body } = await session.call("PATCH", path, { signature: "Desk" });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    success: true,
    data: {
      previous_email_address: box.email_address,
      mailbox: {
        ...{ ...box, display_name: null, signature: "Desk", metadata: null },
        catch_all: false,
      },
    },
  });
});

Deno.test("the profile of a deleted mailbox is gone", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const [v1] = familiesOf(test, owner);
  const path = `/mailboxes/${box.mailbox_id}`;
  await v1.call("PATCH", path, { metadata: { team: "blue" } });
  const missing = failure(await v1.call("DELETE", path));
  assert.deepEqual(missing, {
    status: 400,
    code: "VALIDATION_ERROR",
    details: { confirm_email_address: "is required" },
  });
  await v1.call("DELETE", path, { confirm_email_address: box.email_address });
  await test.settle();
  const row = keys.mailboxProfile(owner.userId, box.mailbox_id);
  assert.equal((await test.kv.get(row)).value, null);
});

Deno.test("the address of a mailbox is an id in paths, queries, bodies and tools", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner, "named-box"), second = await mailbox(test, owner);
  const foreign = await mailbox(test, other);
  const [v1] = familiesOf(test, owner);
  const get = async (path: string) =>
    (await v1.call("GET", path)).body as {
      mailbox?: { mailbox_id: string };
      data?: { mailbox_id: string }[];
    };
  assert.equal((await get("/mailboxes/Named-Box@Agents.test")).mailbox?.mailbox_id, box.mailbox_id);
  const sent = await v1.call("POST", "/emails/send", {
    mailbox_id: box.email_address,
    to: second.email_address,
    body_text: "hi",
  });
  assert.equal(sent.status, 201);
  await test.settle();
  const list = await get(`/emails?mailbox_id=${encodeURIComponent(second.email_address)}`);
  assert.deepEqual(list.data?.map((each) => each.mailbox_id), [second.mailbox_id]);
  const key = await v1.call("POST", "/keys", {
    name: "one box",
    mailboxIds: [box.email_address, box.mailbox_id],
  });
  assert.deepEqual(
    (key.body as { data: { mailboxIds: string[] } }).data.mailboxIds,
    [box.mailbox_id],
  );
  const limited = (key.body as { data: { apiKey: string } }).data.apiKey;
  const named = second.email_address.toUpperCase();
  const listed = await callTool(test, owner.key, "list_emails", { mailbox_id: named });
  assert.equal(listed.emails[0].mailbox_id, second.mailbox_id);
  const [{ claim_id }] =
    (await callTool(test, owner.key, "claim_emails", { mailbox_id: named })).claims;
  assert.ok(claim_id);
  const none = await callTool(test, limited, "list_emails", { mailbox_id: named });
  assert.equal(none.error.code, "NOT_FOUND");
  const hook = { url: "https://hook.example/in", events: ["email.received"] };
  const made = await v1.call("POST", "/webhooks", { ...hook, mailbox_ids: [named] });
  assert.deepEqual(
    (made.body as { data: { mailbox_ids: string[] } }).data.mailbox_ids,
    [second.mailbox_id],
  );
  const theirs = await v1.call("POST", "/webhooks", {
    ...{ ...hook, mailbox_ids: [foreign.email_address] },
  });
  assert.equal(failure(theirs).code, "NOT_FOUND");
  for (const [address, token] of [[second, limited], [foreign, owner.key]] as const) {
    const answer = await test.request(`/v1/api/mailboxes/${address.email_address}`, { token });
    assert.equal(answer.status, 404);
    assert.ok(!(await answer.text()).includes(address.mailbox_id));
  }
});
