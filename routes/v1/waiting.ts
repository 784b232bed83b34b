import {
  deleteExpectation,
  expectCode,
  getExpectedCode,
} from "../../domain/mail/work/expect_code.ts";
import { waitForEmail } from "../../domain/mail/work/wait_for_email.ts";
import { inData } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

const waiting = { family: "v1", tag: "Waiting" } as const;
const expectation = {
  path: "/v1/api/expectations/:expectationId",
  params: { expectationId: "expectation_id" },
} as const;

export const waitingRoutes: RestRoute[] = [
  {
    ...waiting,
    method: "GET",
    path: "/v1/api/emails/wait",
    operation: waitForEmail,
    input: "query",
    envelope: inData,
  },
  {
    ...waiting,
    method: "POST",
    path: "/v1/api/expectations",
    operation: expectCode,
    input: "json",
    strict: true,
    status: 201,
    envelope: inData,
  },
  {
    ...waiting,
    ...expectation,
    method: "GET",
    operation: getExpectedCode,
    input: "query",
    envelope: inData,
  },
  {
    ...waiting,
    ...expectation,
    method: "DELETE",
    operation: deleteExpectation,
    input: "none",
    envelope: inData,
  },
];
