import assert from "node:assert/strict";
import { mergePages } from "../../dashboard/merge_pages.ts";

const rows = (...ids: string[]) => ids.map((email_id) => ({ email_id }));
const page = (ids: string[], next_cursor: string | null) => ({
  data: rows(...ids),
  meta: { next_cursor },
});
const none = new Set<string>();

Deno.test("new rows stand on top, and the rows loaded before stay behind them", () => {
  const before = { emails: rows("5", "4", "3", "2"), cursor: "after 2" };
  const merged = mergePages(before, page(["6", "5", "4"], "after 4"), none);
  assert.deepEqual(merged, { emails: rows("6", "5", "4", "3", "2"), cursor: "after 2" });
});

Deno.test("rows that the page has no more are gone, and deleted rows behind it too", () => {
  const before = { emails: rows("5", "4", "3", "2"), cursor: "after 2" };
  const merged = mergePages(before, page(["5", "3"], "after 3"), new Set(["2"]));
  assert.deepEqual(merged, { emails: rows("5", "3"), cursor: "after 2" });
});

Deno.test("after more new mail than a page the page stands alone, so that no gap is hidden", () => {
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
