import {
  deleteSuppression,
  listSuppressions,
} from "../../domain/mail/outbound/addresses/suppressions.ts";
import { inData, pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

const emails = { family: "v1", tag: "Emails" } as const;

export const suppressionRoutes: RestRoute[] = [
  {
    ...emails,
    method: "GET",
    path: "/v1/api/suppressions",
    operation: listSuppressions,
    input: "query",
    envelope: pageIn("suppressions"),
  },
  {
    ...emails,
    method: "DELETE",
    path: "/v1/api/suppressions/:address",
    operation: deleteSuppression,
    input: "none",
    envelope: inData,
  },
];
