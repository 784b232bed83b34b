import assert from "node:assert/strict";
import { pageWords } from "../../dashboard/parts/page_words.ts";
import { eventNames } from "../../domain/webhooks/events.ts";

Deno.test("the form of webhooks has every event that is sent", () => {
  const shown = pageWords.webhooks.eventMeanings.map(([name]) => name);
  assert.deepEqual(shown, eventNames.filter((name) => name !== "api_key.created"));
});
