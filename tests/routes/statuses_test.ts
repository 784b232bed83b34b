import assert from "node:assert/strict";
import { answered, documentedAnswers } from "../contract.ts";
import { testService } from "../service.ts";
import { answerPlainRoutes } from "./plain_statuses.ts";
import { answerRows } from "./row_statuses.ts";

Deno.test("every route answers every status and code of the document, as the document describes it", async (t) => {
  await t.step("the rows of the route tables", answerRows);
  await t.step(
    "mail in and out as bytes, providers, Stripe, MCP, the reference",
    answerPlainRoutes,
  );
  await using test = await testService();
  const document = await (await test.request("/openapi.json")).json();
  const unseen = documentedAnswers(document).filter((each) => !answered.has(each));
  assert.deepEqual(unseen, []);
});
