import assert from "node:assert/strict";
import { parseJson, TooManyValues } from "../../../routes/http/bodies/json_text.ts";
import { account, testService } from "../../service.ts";
import { post } from "../mcp/post.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("JSON with more than 100,000 values is refused before it is parsed", () => {
  const many = `[${"{},".repeat(60_000)}{}]`;
  assert.throws(() => parseJson(bytes(many)), TooManyValues);
  // Also behind a string that ends in escapes, and where it is no JSON.
  assert.throws(() => parseJson(bytes(String.raw`{"a\\\"":"\\",` + `"b":${many}}`)), TooManyValues);
  assert.throws(() => parseJson(bytes("[".repeat(200_000))), TooManyValues);
});

Deno.test("signs within the strings of JSON are no values", () => {
  const text = String.raw`\"{},[],\\`.repeat(200_000);
  const parsed = parseJson(bytes(`{"a":"${text}","b":["${text}"]}`)) as { a: string; b: string[] };
  assert.equal(parsed.a.length, 200_000 * 8);
  assert.equal(parsed.a, parsed.b[0]);
  assert.throws(() => parseJson(bytes(`{"a":"${text}`)), SyntaxError);
});

Deno.test("a body with too many values is BAD_REQUEST over REST, and no JSON over MCP", async () => {
  await using test = await testService();
  const owner = await account(test);
  const many = `{"to":[${"{},".repeat(60_000)}{}]}`;
  const answer = await test.request("/v1/api/emails/send", {
    method: "POST",
    token: owner.key,
    headers: { "content-type": "application/json" },
    body: many,
  });
  assert.equal(answer.status, 400);
  const { error } = await answer.json();
  assert.equal(error.message, "The body has more than 100,000 values.");
  const call =
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_email","arguments":${many}}}`;
  const { body } = await post(test, owner.key, call);
  assert.equal(body.error.code, -32700);
});

Deno.test("an error of validation names at most 1,000 fields", async () => {
  await using test = await testService();
  const owner = await account(test);
  const answer = await test.request("/v1/api/webhooks", {
    method: "POST",
    token: owner.key,
    json: { url: "https://example.com/", events: Array(5000).fill("no event") },
  });
  assert.equal(answer.status, 400);
  const { error } = await answer.json();
  assert.equal(error.code, "VALIDATION_ERROR");
  assert.equal(Object.keys(error.details).length, 1000);
});
