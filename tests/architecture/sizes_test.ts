import assert from "node:assert/strict";
import { sourceFiles } from "./imports.ts";

const mostLines = 350;
const mostFiles = 20;
/** All English texts of the dashboard, so that a translation is one file. */
const longOnPurpose = ["dashboard/words.ts"];

Deno.test("no source file has more than 350 lines, and no folder more than 20 of them directly in it", async () => {
  const files = await sourceFiles();
  const long = [...files].filter(([, text]) => text.trimEnd().split("\n").length > mostLines);
  assert.deepEqual(long.map(([path]) => path), longOnPurpose);
  const folders = Map.groupBy(files.keys(), (path) => path.slice(0, path.lastIndexOf("/")));
  const full = [...folders].filter(([folder, paths]) => folder && paths.length > mostFiles);
  assert.deepEqual(full.map(([folder]) => folder), []);
});
