import assert from "node:assert/strict";
import fc from "fast-check";
import { tools } from "../../routes/mcp/tools.ts";
import { served } from "../../routes/app.ts";
import { type JsonSchema, jsonSchemaOf } from "../../routes/http/json_schema.ts";
import type { RestRoute } from "../../routes/http/rest.ts";
import { rounds } from "../nightly.ts";
import {
  account,
  deliver,
  mailbox,
  message,
  operatorToken,
  type TestAccount,
  type TestService,
  testService,
} from "../service.ts";
import { inputsOf, junk } from "./inputs.ts";

/** Inputs for each route and tool; FUZZ_RUNS=2000 for a long run. */
const runs = rounds(40, Number(Deno.env.get("FUZZ_RUNS") ?? 200));
/** Fewer runs for routes that hash a password. */
const slow = new Set(["register", "login", "create_account"]);
/** Billing is off in the tests: these answer 503 and name the missing setting. */
const withoutBilling = new Set(["begin_checkout", "open_billing_portal"]);

const unlimited = {
  emailsPerMonth: null,
  emailsPerDay: null,
  searchesPerMonth: null,
  mailboxes: null,
  webhooks: null,
  sendsPerDay: null,
  customDomains: null,
  requestsPerMinute: null,
  requestsPerHour: null,
  requestsPerDay: null,
  mcpRequestsPerMinute: null,
};

interface World {
  test: TestService;
  owner: TestAccount;
  /** Valid values, by field. */
  known: Record<string, string[]>;
}

async function world(test: TestService): Promise<World> {
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  await test.settle();
  const list = await (await test.request("/v1/api/emails", { token: owner.key })).json();
  const known = {
    mailbox_id: [box.mailbox_id, "nobody"],
    email_id: [email_id, "nobody"],
    thread_id: [list.data[0].thread_id, "nobody"],
    domain: ["agents.test", "example.org"],
    email_address: [box.email_address, "some.agent"],
    local_part: ["some.agent", "x", "admin"],
    to: ["ada@example.net", box.email_address],
    from: ["ada@example.net", box.email_address],
    cc: ["ada@example.net"],
    bcc: ["ada@example.net"],
    reply_to: ["ada@example.net"],
    url: ["https://192.0.2.1/hook", "http://127.0.0.1/", "https://hooks.invalid/x"],
    date_from: ["2026-11-20", "2026-11-20T10:00:00Z", "2026-02-30"],
    date_to: ["2026-11-20", "2026-11-20T10:00:00+01:00", "yesterday"],
    plan: ["enterprise"],
    email: [owner.email],
  };
  return { test, owner, known };
}

/** Sends an input as a client would, and returns the response, which `test.request` validates. */
async function send(
  { test, owner }: World,
  route: RestRoute,
  token: string | null,
  input: unknown,
) {
  const fields: Record<string, unknown> = { ...Object(input) };
  const path = route.path.replace(/:(\w+)/g, (_, name) => {
    const field = route.params?.[name] ?? name;
    const value = fields[field];
    delete fields[field];
    const text = typeof value === "string" ? value : JSON.stringify(value ?? "x");
    // Only texts can be sent, and an empty or dotted segment would be another path.
    return encodeURIComponent(text.toWellFormed()).replace(/^\.*$/, "x");
  });
  const init: RequestInit & { token?: string } = { method: route.method };
  if (token ?? owner.key) init.token = token ?? owner.key;
  if (route.input === "json") {
    const body = Array.isArray(input) || input === null || typeof input !== "object"
      ? input
      : fields;
    return await test.request(path, {
      ...init,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }
  const query = route.input === "query"
    ? new URLSearchParams(
      Object.entries(fields).map(([name, value]) => [
        name.toWellFormed(),
        (typeof value === "string" ? value : JSON.stringify(value) ?? "").toWellFormed(),
      ]),
    )
    : new URLSearchParams();
  return await test.request(query.size > 0 ? `${path}?${query}` : path, init);
}

/** Fields which make a request wait. */
const waits = ["timeout_seconds", "wait_seconds"];

/** The clock of the tests stands still: a request that may wait gets its minute. */
async function inTime<T>(
  { clock }: TestService,
  { properties }: JsonSchema,
  request: () => Promise<T>,
): Promise<T> {
  const mayWait = waits.some((field) => field in (properties ?? {}));
  const timer = mayWait ? setInterval(() => clock.advance(61_000), 50) : undefined;
  try {
    return await request();
  } finally {
    clearInterval(timer);
  }
}

async function judge(response: Response, name: string): Promise<void> {
  const body = await response.json();
  if (withoutBilling.has(name) && response.status === 503) return;
  assert.ok(response.status < 500, `${name}: ${response.status} ${JSON.stringify(body)}`);
  if (response.ok) return;
  assert.equal(body.success, false);
  assert.equal(typeof body.error.code, "string");
  assert.ok(body.error.message.length > 0);
}

Deno.test("no input of any route is a 5xx, and every failure has the specified shape", async (t) => {
  await using test = await testService({
    plans: { free: unlimited, pro: unlimited, enterprise: unlimited },
  });
  const here = await world(test);
  const tables: [RestRoute[], (path: string) => string][] = [
    [served.open, () => ""],
    [
      served.account.filter((route) => !/\/auth\/logout$/.test(route.path)),
      (path) => path.startsWith("/api/") ? here.owner.accessToken : here.owner.key,
    ],
    [served.operator, () => operatorToken],
  ];
  for (const [routes, token] of tables) {
    for (const route of routes) {
      const { name } = route.operation;
      await t.step(`${route.method} ${route.path}`, async () => {
        const schema = jsonSchemaOf(route.operation.input, "input");
        await fc.assert(
          fc.asyncProperty(inputsOf(schema, here.known), async (input) => {
            const request = () => send(here, route, token(route.path), input);
            await judge(await inTime(test, schema, request), name);
          }),
          slow.has(name) ? rounds(10, 40) : runs,
        );
      });
    }
  }
  await test.settle();
});

Deno.test("no wrong body of a JSON route is a 5xx: broken, of another type, absent, not an object", async () => {
  await using test = await testService();
  const owner = await account(test);
  const bodies = [
    "",
    "{",
    "[]",
    "null",
    '"text"',
    "1",
    "\u0000",
    '{"a":1}{',
    "a=b",
    "[".repeat(5_000),
  ];
  const notUtf8 = new Uint8Array([...new TextEncoder().encode('{"name":"'), 0xff, 0x22, 0x7d]);
  const latin = await test.request("/v1/api/keys", {
    method: "POST",
    token: owner.key,
    headers: { "content-type": "application/json" },
    body: notUtf8,
  });
  assert.deepEqual([latin.status, (await latin.json()).error.code], [400, "BAD_REQUEST"]);
  const types = ["application/json", "text/plain", "multipart/form-data", ""];
  for (const route of [...served.open, ...served.account, ...served.operator]) {
    if (route.input !== "json") continue;
    const path = route.path.replace(/:\w+/g, "x");
    const token = route.path.startsWith("/operator")
      ? operatorToken
      : route.path.startsWith("/api/")
      ? owner.accessToken
      : owner.key;
    for (const [i, body] of bodies.entries()) {
      const type = types[i % types.length];
      const headers = type ? { "content-type": type } : undefined;
      const response = await test.request(path, { method: route.method, token, headers, body });
      // If the body may be absent, a failure is about the path or the scope.
      const expected = body === "" && route.bodyOptional && route.method !== "DELETE"
        ? [201, 403, 404]
        : [400];
      assert.ok(
        expected.includes(response.status),
        `${path} ${type} ${body.slice(0, 20)}: ${response.status}`,
      );
      assert.equal((await response.json()).success, response.status === 201);
    }
  }
});

Deno.test("wrong arguments of a tool are an isError result with a code of REST", async (t) => {
  await using test = await testService({ plans: { enterprise: unlimited } });
  const { owner, known } = await world(test);
  const call = async (body: unknown) => {
    const response = await test.request("/v1/mcp", {
      method: "POST",
      token: owner.key,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const line = /^data: ?(.*)$/m.exec(text)?.[1] ?? text;
    return { status: response.status, body: line ? JSON.parse(line) : null };
  };
  for (const { operation } of tools) {
    await t.step(operation.name, async () => {
      const schema = jsonSchemaOf(operation.input, "input");
      await fc.assert(
        fc.asyncProperty(inputsOf(schema, known), async (args) => {
          const params = { name: operation.name, arguments: args };
          const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
          const { status, body } = await inTime(test, schema, () => call(message));
          const { result, error } = body;
          // Arguments that are no object are a protocol error.
          if (error) {
            return assert.ok(error.code <= -32600 && error.code !== -32603, JSON.stringify(body));
          }
          assert.equal(status, 200);
          const said = JSON.parse(result.content[0].text);
          if (result.isError) {
            assert.notEqual(said.error.code, "INTERNAL_ERROR", JSON.stringify(args));
            // Every tool refuses arguments that it does not know.
            const codes = [...operation.errors, "VALIDATION_ERROR"];
            assert.ok(codes.includes(said.error.code), said.error.code);
          } else assert.deepEqual(result.structuredContent, said);
        }),
        runs,
      );
    });
  }
  await t.step("other messages", async () => {
    await fc.assert(
      fc.asyncProperty(junk, async (body) => {
        const { status } = await call(body);
        assert.ok(status < 500, `${status}`);
      }),
      runs,
    );
  });
  await test.settle();
});
