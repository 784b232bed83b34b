import assert from "node:assert/strict";
import { documentOfTheSdks } from "../../sdk/document.ts";
import { routes } from "../../sdk/typescript/src/routes.ts";

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
}

/** Operations that the clients serve without the table: the PUT is of `uploadFile`; a link needs no client. */
const besides = [
  "GET /v1/api/events",
  "PUT /v1/api/uploads/{id}",
  "GET /v1/api/downloads/{id}",
];

/** Every operation that an API key may call, as `GET /v1/api/emails/{id}`, and its name. */
function documented(): Map<string, string> {
  const found = new Map<string, string>();
  for (const [path, operations] of Object.entries(documentOfTheSdks().paths)) {
    for (const [verb, each] of Object.entries(operations as Record<string, Operation>)) {
      const forKeys = each.security.length === 0 || each.security.some((one) => "apiKey" in one);
      const template = path.replace(/\{\w+\}/g, "{id}");
      if (forKeys) found.set(`${verb.toUpperCase()} ${template}`, each.operationId);
    }
  }
  return found;
}

/** The routes of the TypeScript client's table, with the name of their operation. */
function covered(): Map<string, string> {
  const rows = Object.values(routes).flatMap((methods) => Object.values<string>(methods));
  return new Map(rows.map((row) => {
    const [name, verb, path] = row.split(" ");
    return [`${verb} /v1/api${path}`, name];
  }));
}

Deno.test("the TypeScript client covers every operation that an API key may call, by its name", () => {
  const operations = documented();
  const methods = covered();
  assert.ok(operations.size >= 40, String(operations.size));
  const missing = [...operations].filter(([route, name]) =>
    !besides.includes(route) && methods.get(route) !== name
  );
  assert.deepEqual(missing, []);
});

Deno.test("the Python clients cover the same operations", async () => {
  const names = ["resources.py", "client.py", "async_resources.py", "async_client.py"];
  const folder = new URL("../../sdk/python/letterbox/", import.meta.url);
  const texts = await Promise.all(names.map((name) => Deno.readTextFile(new URL(name, folder))));
  for (const text of [texts.slice(0, 2).join(), texts.slice(2).join()]) {
    const called = new Set(
      [...text.matchAll(/"([A-Z]+) (\/[^" ]+)/g)].map(([, verb, path]) => `${verb} /v1/api${path}`),
    );
    const missing = [...documented().keys()].filter((route) =>
      !besides.includes(route) && !called.has(route)
    );
    assert.deepEqual(missing, []);
  }
});

Deno.test("each method of the TypeScript client has a comment, which editors show", async () => {
  const source = new URL("../../sdk/typescript/src/routes.ts", import.meta.url);
  const lines = (await Deno.readTextFile(source)).split("\n");
  const methods = lines.flatMap((line, n) => /^ {4}\w+: *("|$)/.test(line) ? [n] : []);
  assert.equal(methods.length, Object.values(routes).flatMap(Object.keys).length);
  for (const n of methods) assert.match(lines[n - 1], /^ {4}\/\*\* .+ \*\/$/, lines[n]);
});
