import assert from "node:assert/strict";
import { createApp, served } from "../../../routes/app.ts";
import { pagePaths } from "../../../routes/dashboard/pages.ts";
import { testService } from "../../service.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

Deno.test("the OpenAPI document has exactly the served routes", async () => {
  await using test = await testService();
  const document = await (await test.request("/openapi.json")).json();
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path}`)
  );
  // In Hono, middleware and the 405s have the method ALL; a row with another method is a route. Pages for people do not
  // belong to the API; a copy for sessions is in the entry of its route.
  const pages: readonly string[] = pagePaths;
  const copies = new Set(served.copies.map(({ method, path }) => `${method} ${path}`));
  const handlers = createApp(test.service).routes
    .filter((each) => methods.includes(each.method) && !pages.includes(each.path))
    .filter(({ method, path }) => !copies.has(`${method} ${path}`))
    .map((each) => `${each.method} ${each.path.replace(/:(\w+)/g, "{$1}")}`);
  const mcp = "POST /v1/mcp";
  assert.deepEqual([...new Set([...handlers, mcp])].sort(), documented.toSorted());
});

Deno.test("every operationId is unique", () => {
  const ids = [...served.open, ...served.account, ...served.operator].map((route) =>
    `${route.path.startsWith("/api/")} ${route.operation.name}`
  );
  assert.equal(new Set(ids).size, ids.length, ids.join("\n"));
});
