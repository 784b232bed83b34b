import assert from "node:assert/strict";
import {
  account,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";

const accept = "application/json, text/event-stream";

/** POSTs a text; returns the answer and the account's requests left after it. */
async function post(
  test: TestService,
  owner: TestAccount,
  body: string | ReadableStream<Uint8Array<ArrayBuffer>>,
  headers: Record<string, string> = {},
) {
  const response = await test.request("/v1/mcp", {
    method: "POST",
    token: owner.key,
    headers: { "content-type": "application/json", accept, ...headers },
    body,
  });
  const text = await response.text();
  const data = /^data: ?(\{.*)$/m.exec(text)?.[1] ?? text;
  const left = Number(response.headers.get("x-ratelimit-remaining"));
  return { status: response.status, body: JSON.parse(data), left };
}

const call = (name: string, args: unknown) =>
  JSON.stringify({
    method: "tools/call",
    params: { name, arguments: args },
    jsonrpc: "2.0",
    id: 1,
  });
const filler = (bytes: number) => "x".repeat(bytes);
const MiB = 2 ** 20;

async function counted() {
  const windows = { requestsPerMinute: 10, mcpRequestsPerMinute: 10, requestsPerHour: null };
  const test = await testService({ plans: { free: { ...windows, requestsPerDay: null } } });
  return {
    test,
    owner: await account(test, "free"),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("a batch is refused in every revision with 400 and -32600 before anything is counted or run", async () => {
  await using it = await counted();
  const send = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_mailboxes" } };
  const batches = [
    [],
    [send],
    Array.from({ length: 100 }, (_, id) => ({ ...send, id })),
    // 1 MiB.
    Array.from({ length: 12_000 }, (_, id) => ({ ...send, id })),
  ];
  for (const revision of ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", undefined]) {
    for (const batch of batches) {
      const headers = revision ? { "mcp-protocol-version": revision } : undefined;
      const answer = await post(it.test, it.owner, `\n ${JSON.stringify(batch)}`, headers);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error.code, -32600);
      assert.equal(answer.left, 10);
    }
  }
});

Deno.test("a batch after blanks or a byte order mark is refused before anything is counted", async () => {
  await using it = await counted();
  const send = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_mailboxes" } };
  const few = JSON.stringify([send]);
  const many = JSON.stringify(Array.from({ length: 2_000 }, (_, id) => ({ ...send, id })));
  const begins = ["\uFEFF", "\uFEFF \n", " \t\r\n".repeat(20_000), `\uFEFF${" ".repeat(900_000)}`];
  for (const begin of begins) {
    for (const batch of [few, many.slice(0, MiB - 10 - begin.length)]) {
      const answer = await post(it.test, it.owner, begin + batch);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error.code, -32600);
      assert.match(answer.body.error.message, /^Batches are not supported/);
      assert.equal(answer.left, 10);
    }
  }
});

Deno.test("a body above 64 KiB of blanks that is no batch costs a request", async () => {
  await using it = await counted();
  const blanks = " ".repeat(70_000);
  const asked: [string, number, number][] = [
    [blanks, 400, 9],
    [blanks + call("list_mailboxes", {}), 200, 8],
    [call("list_mailboxes", {}) + blanks, 200, 7],
    [" ".repeat(2 * MiB), 413, 6],
    ["\uFEFF" + blanks + "{", 400, 5],
  ];
  for (const [body, status, left] of asked) {
    const answer = await post(it.test, it.owner, body);
    assert.deepEqual([answer.status, answer.left], [status, left]);
  }
});

Deno.test("arguments that are no object are VALIDATION_ERROR in every revision", async () => {
  await using test = await testService();
  const owner = await account(test);
  const wrong: [unknown, string][] = [
    [null, "null"],
    [[], "array"],
    [[{ query: "x" }], "array"],
    ["x", "string"],
    [7, "number"],
    [true, "boolean"],
  ];
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  for (const revision of ["2025-03-26", "2025-11-25", "2026-07-28", undefined]) {
    const isNewest = revision === "2026-07-28";
    const listMailboxes = (args?: unknown) => {
      const params = {
        name: "list_mailboxes",
        arguments: args,
        ...isNewest ? { _meta: meta } : {},
      };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      return post(test, owner, body, {
        ...revision ? { "mcp-protocol-version": revision } : {},
        ...isNewest ? { "mcp-method": "tools/call", "mcp-name": "list_mailboxes" } : {},
      });
    };
    for (const [args, kind] of wrong) {
      const { status, body } = await listMailboxes(args);
      const message = `Invalid input: expected object, received ${kind}`;
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.result.isError, true);
      assert.deepEqual(JSON.parse(body.result.content[0].text), {
        error: {
          code: "VALIDATION_ERROR",
          message: `arguments: ${message}`,
          details: { arguments: message },
        },
      });
    }
    for (const right of [{}, undefined]) {
      const { body } = await listMailboxes(right);
      assert.deepEqual(body.result.structuredContent, { mailboxes: [] });
    }
  }
});

Deno.test("a body above 64 KiB costs one request whatever its method, also with a tool call in it", async () => {
  await using it = await counted();
  const pad = { _meta: { pad: filler(70_000) } };
  const asked: [string, number][] = [
    [JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }), 10],
    [JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: pad }), 9],
    [call("list_mailboxes", {}), 8],
    [call("list_mailboxes", pad), 7],
    [filler(70_000), 6],
    [`{"a": "${filler(2 * MiB)}"}`, 5],
  ];
  for (const [body, left] of asked) {
    assert.equal((await post(it.test, it.owner, body)).left, left, body.slice(0, 80));
  }
});

Deno.test("a large message that exceeds a window is an error result if it calls a tool, otherwise 429", async () => {
  await using it = await counted();
  const pad = { _meta: { pad: filler(70_000) } };
  for (let n = 0; n < 10; n++) await post(it.test, it.owner, call("list_mailboxes", {}));
  const tool = await post(it.test, it.owner, call("list_mailboxes", pad));
  assert.equal(tool.status, 200);
  assert.equal(JSON.parse(tool.body.result.content[0].text).error.code, "RATE_LIMIT_EXCEEDED");
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: pad });
  assert.equal((await post(it.test, it.owner, list)).status, 429);
  // It is refused before it is read to its end.
  const large = call("send_email", { attachments: [{ content: filler(2 * MiB) }] });
  assert.equal((await post(it.test, it.owner, large)).status, 429);
});

Deno.test("more than 1 MiB is read only for tools that take attachments, named at the message's beginning", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const content = btoa(filler(1_500_000));
  const args = {
    mailbox_id: box.mailbox_id,
    to: box.email_address,
    subject: "Large",
    body_text: "See the file.",
    attachments: [{ filename: "a.txt", content, content_type: "text/plain" }],
  };
  const sent = await post(test, owner, call("send_email", args));
  assert.equal(sent.status, 200);
  assert.equal(sent.body.result.isError, undefined, JSON.stringify(sent.body).slice(0, 500));
  const params = `{"_meta": {"name": "x"},\n "name" : "send_email", "arguments": ${
    JSON.stringify(args)
  }}`;
  const turned = ` {"id" : 1, "jsonrpc": "2.0", "params" : ${params}, "method":"tools\\/call"}`;
  assert.equal((await post(test, owner, turned)).status, 200);
  const misleading = call("search_emails", { query: `"name":"send_email"${content}` });
  assert.equal((await post(test, owner, misleading)).status, 413);
  for (const name of ["list_mailboxes", "search_emails", "nothing"]) {
    const refused = await post(test, owner, call(name, args));
    assert.equal(refused.status, 413, name);
    assert.deepEqual(refused.body.error.details, { limit: MiB });
  }
  // It begins as one call and is another.
  for (
    const rest of [
      { method: "tools/list" },
      { params: { name: "search_emails", arguments: { query: content } } },
    ]
  ) {
    const other = JSON.stringify(rest).slice(1);
    const message = call("send_email", {}).slice(0, -1) + `,"pad":"${content}",${other}`;
    const refused = await post(test, owner, message);
    assert.equal(refused.status, 400);
    assert.equal(refused.body.error.code, -32600);
    assert.match(refused.body.error.message, /calls another tool than its beginning/);
  }
  const [before, after] = call("send_email", args).split('"name":"send_email",');
  const nameless = before + after.replace("}}", '},"name":"send_email"}');
  assert.equal(JSON.parse(nameless).params.name, "send_email");
  assert.equal((await post(test, owner, nameless)).status, 413);
});

Deno.test("of a message for another tool no more than 1 MiB is read", async () => {
  await using test = await testService();
  const owner = await account(test);
  let given = 0;
  const begin = new TextEncoder().encode(
    '{"method": "tools/call", "params": {"name": "get_email", "a": "',
  );
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      controller.enqueue(given === 0 ? begin : new Uint8Array(65_536).fill(97));
      given += 65_536;
      if (given > 40 * MiB) controller.close();
    },
  });
  assert.equal((await post(test, owner, body)).status, 413);
  assert.ok(given < 1.2 * MiB, `${given} bytes were read`);
});

Deno.test("a key revoked during a message is 401, and no tool runs", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { promise, resolve } = Promise.withResolvers<void>();
  const text = call("send_email", { subject: "x" });
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 50)));
      await promise;
      controller.enqueue(new TextEncoder().encode(text.slice(50)));
      controller.close();
    },
  });
  const answer = post(test, owner, body);
  await test.settle();
  await test.request(`/v1/api/keys/${owner.keyId}`, { method: "DELETE", token: owner.accessToken });
  // Another instance sees the revocation within a second.
  await test.advance(2_000);
  resolve();
  assert.equal((await answer).status, 401);
});
