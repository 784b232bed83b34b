import assert from "node:assert/strict";
import { floors } from "./floors.ts";
import { heightOf } from "./picture.ts";
import { importsOf, sourceFiles } from "./imports.ts";
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
    "mime/planted.ts -> assemble.ts: mime may not use main",
    "fulltext/planted.ts -> serve.ts: fulltext may not use main",
  ]);
  assert.deepEqual(circles(files), ["mime/circle_a.ts -> mime/circle_b.ts -> mime/circle_a.ts"]);
  assert.deepEqual(reservedUses(files), [
    "domain/core/planted.ts: Date.now()",
    "routes/planted.ts: Deno.env",
    'workers/planted.ts: get<User>(["',
    'domain/store/planted.ts: prefix: ["',
  ]);
});

Deno.test("types are not free, but for the Service and the records that the dashboard shows", () => {
  const files = new Map([
    ["mime/planted.ts", `import type { User } from "../domain/accounts/user.ts";\n`],
    ["domain/store/planted.ts", `import { type User } from "../accounts/user.ts";\n`],
    ["domain/core/service.ts", `import type { Database } from "../store/database.ts";\n`],
    ["dashboard/types.ts", `import type { User } from "../domain/accounts/user.ts";\n`],
    ["domain/mail/record/a.ts", `import type { B } from "./b.ts";\n`],
    ["domain/mail/record/b.ts", `import type { A } from "./a.ts";\n`],
  ]);
  assert.deepEqual(wrongImports(files), [
    "mime/planted.ts -> domain/accounts/user.ts: mime may not use account",
    "domain/store/planted.ts -> domain/accounts/user.ts: store may not use account",
  ]);
  assert.deepEqual(circles(files), [
    "domain/mail/record/a.ts -> domain/mail/record/b.ts -> domain/mail/record/a.ts",
  ]);
});

Deno.test("the table has at most 20 floors on 8 levels", () => {
  assert.ok(floors.length <= 20);
  assert.ok(Math.max(...floors.map((floor) => heightOf(floor))) < 8);
});

Deno.test("an adapter imports values of the domain only from ports and the small tools of core; the index in KV has the database", async () => {
  const wrong = [...await sourceFiles()].flatMap(([path, text]) =>
    path.startsWith("adapters/") && path !== "adapters/search_index/kv_postings.ts"
      ? importsOf(path, text, "values").filter((each) =>
        /^domain\/(?!ports\/)/.test(each) && !tools.test(each)
      )
      : []
  );
  assert.deepEqual(wrong, []);
});

const tools =
  /^domain\/core\/(errors|log|host_name|work\/(worker_thread|spare_descriptors|idle_memory|fair_turns|recent_work))\.ts$/;
