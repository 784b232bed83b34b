import assert from "node:assert/strict";

const read = (path: string) => Deno.readTextFile(new URL(`../../${path}`, import.meta.url));
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name]) => name);

Deno.test("every row of sdk/behaviours.md is tested in both languages, and nothing else", async () => {
  const rows = found(await read("sdk/behaviours.md"), /^\| `([a-z-]+)` *\|/gm);
  const typescript = found(
    await read("tests/sdk/typescript/behaviours_test.ts"),
    /^behaviour\("([a-z-]+)"/gm,
  );
  const python = found(await read("sdk/python/tests/test_behaviours.py"), /def test_(\w+)/g)
    .map((name) => name.replaceAll("_", "-"));
  assert.ok(rows.length >= 25);
  assert.deepEqual(python.sort(), rows.toSorted());
  // The names of arguments concern only Python.
  assert.deepEqual(typescript.sort(), rows.filter((row) => row !== "names").sort());
});
