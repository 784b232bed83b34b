import assert from "node:assert/strict";
import { createApp, served } from "../../../routes/app.ts";
import { familyOf } from "../../../routes/http/families.ts";
import { testService } from "../../service.ts";
import { RawClient } from "./raw_client.ts";

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

Deno.test("a CONNECT, whose target is no path, is 404 and no error of the service", async () => {
  await using test = await testService();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request, info) => createApp(test.service).fetch(request, info),
  );
  try {
    for (const target of ["example.net:443", "[::1]:80"]) {
      using client = await RawClient.connect(server.addr.port);
      await client.send(`CONNECT ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      const { status, body } = await client.answer();
      assert.equal(status, 404, body);
      assert.equal(JSON.parse(body).error.code, "NOT_FOUND");
    }
  } finally {
    await server.shutdown();
  }
});
