import {
  deleteExpectation,
  expectCode,
  getExpectedCode,
} from "../../domain/mail/work/expect_code.ts";
import { waitForEmail } from "../../domain/mail/work/wait_for_email.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";

const row = rowsOf("/v1/api", {
  family: "v1",
  tag: "Waiting",
  params: { expectationId: "expectation_id" },
});

export const waitingRoutes: RestRoute[] = [
  row("GET", "/emails/wait", waitForEmail, "query"),
  row("POST", "/expectations", expectCode, "json", { strict: true, status: 201 }),
  row("GET", "/expectations/:expectationId", getExpectedCode, "query"),
  row("DELETE", "/expectations/:expectationId", deleteExpectation, "none"),
];
