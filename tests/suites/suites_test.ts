import assert from "node:assert/strict";
import { sharing, single, suites } from "./suites.ts";
import { isIn, suitesOf, testFiles } from "./together.ts";

Deno.test("every file of tests is in one suite, and every place of a suite has one", () => {
  const files = testFiles();
  assert.ok(files.length > 300);
  assert.deepEqual(files.filter((path) => suitesOf(path).length !== 1), []);
  const places = [...Object.values(suites).flat(), ...Object.values(sharing).flat(), ...single];
  assert.deepEqual(places.filter((place) => !files.some((path) => isIn(place, path))), []);
});
