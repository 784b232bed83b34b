import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../../deno.json" with { type: "json" };
import { linksOfDocuments } from "./links.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
Deno.test("every link of a document leads to a file that exists, and to a heading of it", async () => {
  const { links, broken } = await linksOfDocuments();
  assert.ok(links > 100, `${links} links`);
  assert.deepEqual(broken, []);
});

Deno.test("docs/commands.md has the tasks of deno.json, and no other", async () => {
  const text = await Deno.readTextFile(join(root, "docs/commands.md"));
  const named = new Set([...text.matchAll(/^\| `deno task ([a-z:]+)/gm)].map(([, name]) => name));
  // A part of another task, which its row names.
  const parts = ["test:browser", "test:remote:part", "picture"];
  const tasks = Object.keys(config.tasks).filter((name) => !parts.includes(name));
  assert.deepEqual([...named].sort(), tasks.sort());
});

Deno.test("README.md has at most 1,400 words, CHANGELOG.md 500", async () => {
  for (const [file, most] of [["README.md", 1_400], ["CHANGELOG.md", 500]] as const) {
    const words = (await Deno.readTextFile(join(root, file))).split(/\s+/).filter(Boolean);
    assert.ok(words.length <= most, `${file}: ${words.length} words`);
  }
});
