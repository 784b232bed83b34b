import assert from "node:assert/strict";
import { specification, withTables } from "./field_tables.ts";

/** The formatter pads tables. */
const unpadded = (text: string) => text.replace(/ +/g, " ").replace(/-{3,}/g, "---");

Deno.test("the tables of fields in the specification are those of the schemas: `deno task fields` writes them", async () => {
  const text = await Deno.readTextFile(specification);
  assert.ok(text.split("<!-- fields: ").length > 50, "no marked tables");
  assert.equal(unpadded(text), unpadded(withTables(text)));
});
