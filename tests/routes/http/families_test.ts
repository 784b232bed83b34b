import assert from "node:assert/strict";
import { served } from "../../../routes/app.ts";
import { familyOf } from "../../../routes/http/families.ts";

Deno.test("each route is under the path of its family", () => {
  const rows = Object.values(served).flat();
  const misplaced = rows.filter(({ path, family }) => familyOf(path) !== family);
  assert.ok(rows.length > 50);
  assert.deepEqual(misplaced.map(({ path }) => path), []);
});

Deno.test("a path without a route has a family: the one with the longest matching base", () => {
  const paths = [
    "/v1/api/health",
    "/v1/api/healthy",
    "/v1/mcp",
    "/v1/mcp/x",
    "/v1",
    "/v1x",
    "/api",
  ];
  assert.deepEqual(paths.map(familyOf), [
    ...["health", "v1", "mcp", "v1", "v1", "reference", "dashboard"],
  ]);
});
