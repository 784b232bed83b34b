import assert from "node:assert/strict";
import { served } from "../../../routes/app.ts";
import { tools } from "../../../routes/mcp/tools.ts";
import { routeExamples } from "../../../routes/reference/route_examples.ts";
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

Deno.test("every operation has an example that is valid for its schemas", () => {
  const operations = [...served.open, ...served.account, ...served.operator].map((route) =>
    route.operation
  );
  const missing: string[] = [];
  for (const { name, input, output } of operations) {
    const example = routeExamples[name];
    if (!example) {
      missing.push(name);
      continue;
    }
    assert.ok(input.safeParse(example.input).success, `${name}: input`);
    assert.deepEqual(output.parse(example.output), example.output, `${name}: output`);
  }
  assert.deepEqual([...new Set(missing)], []);
});
