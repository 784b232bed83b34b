import assert from "node:assert/strict";
import { generated } from "../../sdk/generate.ts";
import { pythonModels } from "../../sdk/python_models.ts";

Deno.test("the SDKs' types are those of the OpenAPI document", async () => {
  for (const [path, text] of Object.entries(await generated())) {
    const committed = await Deno.readTextFile(new URL(`../../${path}`, import.meta.url));
    assert.ok(text.length > (path.endsWith("_sync.py") ? 4_000 : 10_000), path);
    assert.ok(committed === text, `${path} is stale: run \`deno task sdk:types\` and commit it`);
  }
});

Deno.test("the records of the Python client have no envelope, as its answers", () => {
  assert.ok(!pythonModels().includes('"success"'));
});
