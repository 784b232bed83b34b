import assert from "node:assert/strict";

Deno.test("every path that CONTRIBUTING.md names exists", async () => {
  const root = new URL("../", import.meta.url);
  const text = await Deno.readTextFile(new URL("CONTRIBUTING.md", root));
  const named = [...text.matchAll(/`([\w./-]+(?:\/|\.(?:ts|md|json|lock)))`/g)].map(([, path]) =>
    path
  );
  const missing: string[] = [];
  for (const path of new Set(named)) {
    // `domain/a/b.ts` stands for any file.
    if (/\/a\/b(_test)?\.ts$/.test(path)) continue;
    await Deno.stat(new URL(path, root)).catch(() => missing.push(path));
  }
  assert.ok(named.length > 30, String(named.length));
  assert.deepEqual(missing, []);
});
