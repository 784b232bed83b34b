import assert from "node:assert/strict";
import { contributing, withPicture } from "./picture.ts";

Deno.test("the picture in CONTRIBUTING.md is the one of the floors: `deno task picture` draws it", async () => {
  const text = await Deno.readTextFile(contributing);
  assert.equal(text, withPicture(text));
});
