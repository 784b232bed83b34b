import {
  deleteSuppression,
  listSuppressions,
} from "../../domain/mail/record/addresses/suppressions.ts";
import {
  deleteKnownRecipient,
  listKnownRecipients,
} from "../../domain/mail/record/addresses/known_recipients.ts";
import { inData, pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

const emails = { family: "v1", tag: "Emails" } as const;

/** The addresses that an account writes to: those it knows, and those that get nothing more. */
export const addressRoutes: RestRoute[] = [
  {
    ...emails,
    method: "GET",
    path: "/v1/api/known-recipients",
    operation: listKnownRecipients,
    input: "query",
    envelope: pageIn("known_recipients"),
  },
  {
    ...emails,
    method: "DELETE",
    path: "/v1/api/known-recipients/:address",
    operation: deleteKnownRecipient,
    input: "none",
    envelope: inData,
  },
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
