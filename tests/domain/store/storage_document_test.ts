import assert from "node:assert/strict";
import { storageDocument, storageFile } from "./storage_document.ts";

Deno.test("docs/storage.md is the tables of keys.ts with rows of a whole service: `deno task storage` writes it", async () => {
  assert.equal(await Deno.readTextFile(storageFile), await storageDocument());
});
