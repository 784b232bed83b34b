import {
  deleteKnownRecipient,
  listKnownRecipients,
} from "../../domain/mail/outbound/addresses/known_recipients.ts";
import { inData, pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

const emails = { family: "v1", tag: "Emails" } as const;

export const knownRecipientRoutes: RestRoute[] = [
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
];
