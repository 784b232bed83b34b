import {
  deleteSuppression,
  listSuppressions,
} from "../../domain/mail/record/addresses/suppressions.ts";
import {
  deleteKnownRecipient,
  listKnownRecipients,
} from "../../domain/mail/record/addresses/known_recipients.ts";
import { pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";

const row = rowsOf("/v1/api", { family: "v1", tag: "Emails" });

/** The addresses that an account writes to: those it knows, and those that get nothing more. */
export const addressRoutes: RestRoute[] = [
  row("GET", "/known-recipients", listKnownRecipients, "query", {
    envelope: pageIn("known_recipients"),
  }),
  row("DELETE", "/known-recipients/:address", deleteKnownRecipient, "none"),
  row("GET", "/suppressions", listSuppressions, "query", { envelope: pageIn("suppressions") }),
  row("DELETE", "/suppressions/:address", deleteSuppression, "none"),
];
