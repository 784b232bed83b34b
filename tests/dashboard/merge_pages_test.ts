import assert from "node:assert/strict";
import { mergePages } from "../../dashboard/merge_pages.ts";

const rows = (...ids: string[]) => ids.map((email_id) => ({ email_id }));
const page = (ids: string[], next_cursor: string | null) => ({
  data: rows(...ids),
  meta: { next_cursor },
});
const none = new Set<string>();

Deno.test("new rows come first, followed by the rows that were loaded before", () => {
  const before = { emails: rows("5", "4", "3", "2"), cursor: "after 2" };
  const merged = mergePages(before, page(["6", "5", "4"], "after 4"), none);
  assert.deepEqual(merged, { emails: rows("6", "5", "4", "3", "2"), cursor: "after 2" });
});

Deno.test("rows that the page no longer has are removed, and so are deleted rows after it", () => {
  const before = { emails: rows("5", "4", "3", "2"), cursor: "after 2" };
  const merged = mergePages(before, page(["5", "3"], "after 3"), new Set(["2"]));
  assert.deepEqual(merged, { emails: rows("5", "3"), cursor: "after 2" });
});

Deno.test("after more new mail than a page, only the page is kept, so that no gap is hidden", () => {
  const before = { emails: rows("2", "1"), cursor: null };
  const merged = mergePages(before, page(["9", "8"], "after 8"), none);
  assert.deepEqual(merged, { emails: rows("9", "8"), cursor: "after 8" });
});

Deno.test("a page without a next one is the whole list", () => {
  const before = { emails: rows("3", "2", "1"), cursor: null };
  assert.deepEqual(mergePages(before, page(["3"], null), none), {
    emails: rows("3"),
    cursor: null,
  });
});
