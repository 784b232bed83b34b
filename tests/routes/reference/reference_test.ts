import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { createApp, served } from "../../../routes/app.ts";
import { tools } from "../../../routes/mcp/tools.ts";
import { exampleOf } from "../../../routes/reference/examples.ts";
import { testService } from "../../service.ts";

Deno.test("/llms.txt names the MCP address, the tools and the routes of agents", async () => {
  await using test = await testService();
  const text = await (await test.request("/llms.txt")).text();
  assert.ok(text.startsWith("# Letterbox\n\n> "));
  assert.ok(text.includes("http://localhost:8000/v1/mcp"));
  assert.equal(text.match(/^- `[a-z_]+`: /gm)?.length, tools.length);
  assert.ok(text.includes("- `POST /v1/api/search`: "));
  assert.ok(!text.includes("/operator/"));
});

// SPEC: reference.plans
Deno.test("/llms.txt names every limit of the plans, as the service has them", async () => {
  await using test = await testService({
    env: { FREE_MAX_CUSTOM_DOMAINS: "2" },
    plans: { pro: { webhooks: 7, maxEmailBytes: 1_572_864 } },
  });
  const text = await (await test.request("/llms.txt")).text();
  const rows = [...text.matchAll(/^\| (\w+) \| (.*) \| (.*) \| (.*) \|$/gm)].map(([, ...row]) =>
    row
  );
  assert.deepEqual(rows[0], ["limit", "free", "pro", "enterprise"]);
  assert.deepEqual(rows.slice(1).map(([name]) => name), Object.keys(test.service.plans.free));
  const rowOf = (name: string) => rows.find(([each]) => each === name)!.slice(1);
  assert.deepEqual(rowOf("customDomains"), ["2", "10", "unlimited"]);
  assert.deepEqual(rowOf("webhooks"), ["3", "7", "unlimited"]);
  assert.deepEqual(rowOf("maxEmailBytes"), ["10 MiB", "1.5 MiB", "50 MiB"]);
  assert.deepEqual(rowOf("mailboxes"), ["5", "50", "unlimited"]);
});

Deno.test("the documents are compressed if the client accepts gzip", async () => {
  await using test = await testService();
  const app = createApp(test.service);
  for (const path of ["/openapi.json", "/docs", "/llms.txt"]) {
    const plain = await app.request(path);
    const zipped = await app.request(path, { headers: { "accept-encoding": "br, gzip" } });
    assert.deepEqual(
      [plain, zipped].map(({ headers }) => [headers.get("content-encoding"), headers.get("vary")]),
      [[null, "Accept-Encoding"], ["gzip", "Accept-Encoding"]],
      path,
    );
    const body = new Uint8Array(await zipped.arrayBuffer());
    const text = await plain.text();
    assert.ok(body.length < text.length / 2, path);
    assert.equal(new TextDecoder().decode(gunzipSync(body)), text);
  }
});

Deno.test("every operation has an example that is valid for its schemas", () => {
  const operations = [...served.open, ...served.account, ...served.operator].map((route) =>
    route.operation
  );
  for (const operation of operations) {
    const { name, input, output } = operation;
    const example = exampleOf(operation);
    assert.ok(input.safeParse(example.input).success, `${name}: input`);
    assert.deepEqual(output.parse(example.output), example.output, `${name}: output`);
  }
});
