import assert from "node:assert/strict";
import { allFields } from "../../../../mime/headers/all_fields.ts";
import { account, data, deliver, mailbox, testService } from "../../../service.ts";

const bytes = (text: string) => Uint8Array.from(text, (each) => each.charCodeAt(0));

Deno.test("header fields of hostile mail are shown over REST: many, huge, broken, with NUL, and names that come again", async () => {
  await using test = await testService();
  const owner = await account(test), box = await mailbox(test, owner);
  const head = "From: Ada <ada@example.net>\r\nTo: agent@agents.test\r\nSubject: Hello\r\n";
  const shown = async (raw: string) => {
    const { email_id } = await deliver(test, box.email_address, bytes(raw));
    await test.settle();
    return await data(
      test.request(`/v1/api/emails/${email_id}?headers=true`, { token: owner.key }),
    );
  };
  const many = await shown(
    `${head}${Array.from({ length: 300 }, (_, n) => `X-N: ${n}\r\n`).join("")}\r\nbody`,
  );
  assert.equal(many.headers.length, 200);
  assert.equal(many.headers_truncated, true);
  assert.deepEqual(many.headers[3], { name: "X-N", value: "0" });
  assert.deepEqual(many.headers[199], { name: "X-N", value: "196" }, "in order, each of them");
  const huge = await shown(`${head}X-Long: ${"a".repeat(1_000_000)}\r\nX-After: b\r\n\r\nbody`);
  assert.equal(huge.headers_truncated, true);
  assert.deepEqual(
    huge.headers.map(({ name }: { name: string }) => name).slice(0, 4),
    ["From", "To", "Subject", "X-Long"],
  );
  assert.ok(JSON.stringify(huge.headers).length < 70_000);
  const folded = await shown(
    `${head}X-Folded:${" b".repeat(20)}${"\r\n c".repeat(50_000)}\r\nX-After: d\r\n\r\nbody`,
  );
  assert.equal(folded.headers_truncated, true);
  const odd = await shown(
    `${head}X-Bad: =?utf-8?B?!!!!?= =?no-such?Q?=C3?= =?utf-8?Q?=?=\r\nX-Nul: a\0b\x07c\r\n` +
      `X-Raw: caf\xe9\r\nX-Empty:\r\nX-SAME: 1\r\nx-same: 2\r\nX-Inject: =?utf-8?Q?a=0D=0AEvil:_1?=\r\n\r\nbody`,
  );
  const rest = odd.headers.slice(3);
  assert.deepEqual(rest.map(({ name }: { name: string }) => name), [
    ...["X-Bad", "X-Nul", "X-Raw", "X-Empty", "X-SAME", "x-same", "X-Inject"],
  ]);
  assert.deepEqual(rest.slice(1).map(({ value }: { value: string }) => value), [
    ...["a b c", "café", "", "1", "2", "a Evil: 1"],
  ]);
  assert.ok(!("headers_truncated" in odd));
});

Deno.test("a long name of a header field is shown; a line without a colon is no field", () => {
  const long = `X-${"Long-Name-".repeat(8)}End`;
  const { fields, truncated } = allFields(
    bytes(`Subject: a\r\n${long}: b\r\nno field here\r\nX-Last: c\r\n\r\nbody: d`),
  );
  assert.deepEqual(fields, [
    { name: "Subject", value: "a" },
    { name: long, value: "b" },
    { name: "X-Last", value: "c" },
  ]);
  assert.equal(truncated, false);
});
