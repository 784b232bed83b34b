import assert from "node:assert/strict";
import { allFields } from "../../../../mime/headers/all_fields.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";
import { post } from "../../../routes/mcp/post.ts";

Deno.test("headers: true gives the header fields in order, decoded and unfolded, over REST and MCP", async () => {
  await using test = await testService();
  const owner = await account(test), box = await mailbox(test, owner);
  const raw = message({
    "Received": "from a.example by b.example",
    "X-Mixed-CASE": "=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\r\n =?UTF-8?Q?_an_alle?=",
    "List-Unsubscribe": "<https://list.example/u>,\r\n\t<mailto:u@list.example>",
  });
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const get = (query = "") =>
    data(test.request(`/v1/api/emails/${email_id}${query}`, { token: owner.key }));
  assert.ok(!("headers" in await get()));
  const { headers, ...rest } = await get("?headers=true");
  assert.deepEqual(rest, await get());
  const names = headers.map(({ name }: { name: string }) => name);
  const written = raw.split("\r\n\r\n")[0].split("\r\n").filter((line) => !/^[ \t]/.test(line));
  assert.deepEqual(names, written.map((line) => line.split(":")[0]));
  const valueOf = (name: string) =>
    headers.find((each: { name: string }) => each.name === name).value;
  assert.equal(valueOf("X-Mixed-CASE"), "Grüße an alle");
  assert.match(
    valueOf("List-Unsubscribe"),
    /^<https:\/\/list\.example\/u>,\s+<mailto:u@list\.example>$/,
  );
  const params = { name: "get_email", arguments: { email_id, headers: true } };
  const { body } = await post(test, owner.key, {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params,
  });
  assert.deepEqual(body.result.structuredContent.email.headers, headers);
  const short = await get("?headers=true&max_chars=2000");
  assert.ok(JSON.stringify(short).length <= 2_000);
});

Deno.test("at most 200 header fields and 64 KiB are shown, and then headers_truncated", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const many = allFields(bytes(`${"X-A: b\r\n".repeat(201)}\r\nbody`));
  assert.deepEqual([many.fields.length, many.truncated], [200, true]);
  const exact = allFields(bytes(`${"X-A: b\r\n".repeat(200)}\r\nX-Not: a field`));
  assert.deepEqual([exact.fields.length, exact.truncated], [200, false]);
  const long = allFields(bytes(`${`X-A: ${"c".repeat(10_000)}\r\n`.repeat(20)}\r\n`));
  const size = long.fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  assert.ok(size <= 64 * 1024 && long.fields.length >= 6);
  assert.equal(long.truncated, true);
  for (const odd of ["", "\r\n", "no colon\r\n", ":\r\n", "\u0000: \ufffd\r\n"]) {
    allFields(bytes(odd));
  }
});
