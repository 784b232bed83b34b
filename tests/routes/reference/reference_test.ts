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
