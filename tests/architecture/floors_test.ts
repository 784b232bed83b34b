import assert from "node:assert/strict";
import { floors } from "./floors.ts";
import { sourceFiles } from "./imports.ts";
import { circles, reservedUses, wrongImports } from "./rules.ts";

Deno.test("every source file imports its own floor and the floors below it alone", async () => {
  const files = await sourceFiles();
  assert.ok(files.size > 200, "the sources were read");
  assert.deepEqual(wrongImports(files), []);
});

Deno.test("a floor uses only floors that stand before it in the table", () => {
  floors.forEach((floor, n) => {
    const before = floors.slice(0, n).map(({ name }) => name);
    assert.deepEqual(floor.uses.filter((each) => !before.includes(each)), [], floor.name);
  });
});

Deno.test("no files import each other in a circle", async () => {
  assert.deepEqual(circles(await sourceFiles()), []);
});

Deno.test("time and randomness come from the Service, settings from settings.ts, keys from keys.ts", async () => {
  assert.deepEqual(reservedUses(await sourceFiles()), []);
});

Deno.test("a planted upward import, circle, Date.now(), Deno.env and key are found", () => {
  const files = new Map([
    ["mime/planted.ts", `import { assemble } from "../assemble.ts";\n`],
    ["domain/core/planted.ts", `const now = Date.now();\n`],
    ["routes/planted.ts", `const port = Deno.env.get("PORT");\n`],
    ["workers/planted.ts", `await tx.get<User>(["users", userId]);\n`],
    ["domain/store/planted.ts", `database.list({ prefix: ["users"] });\n`],
    ["mime/circle_a.ts", `import { b } from "./circle_b.ts";\nexport const a = b;\n`],
    ["mime/circle_b.ts", `export * from "./circle_a.ts";\n`],
    ["fulltext/planted.ts", `new Worker(new URL("../serve.ts", import.meta.url));\n`],
  ]);
  assert.deepEqual(wrongImports(files), [
    "mime/planted.ts -> assemble.ts: mime may not use assemble",
    "fulltext/planted.ts -> serve.ts: fulltext may not use serve",
  ]);
  assert.deepEqual(circles(files), ["mime/circle_a.ts -> mime/circle_b.ts -> mime/circle_a.ts"]);
  assert.deepEqual(reservedUses(files), [
    "domain/core/planted.ts: Date.now()",
    "routes/planted.ts: Deno.env",
    'workers/planted.ts: get<User>(["',
    'domain/store/planted.ts: prefix: ["',
  ]);
});

Deno.test("an import of types alone is free", () => {
  const files = new Map([
    ["mime/free.ts", `import type { Service } from "../domain/core/service.ts";\n`],
    ["mime/free_names.ts", `import { type Service } from "../domain/core/service.ts";\n`],
  ]);
  assert.deepEqual(wrongImports(files), []);
});
