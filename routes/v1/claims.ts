import { claimEmails } from "../../domain/mail/work/claim_emails.ts";
import { ackEmail, extendClaim, nackEmail } from "../../domain/mail/work/end_claim.ts";
import { fieldInData } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";

const row = rowsOf("/v1/api", {
  family: "v1",
  tag: "Waiting",
  params: { claimId: "claim_id", mailboxId: "mailbox_id" },
});
const optional = { bodyOptional: true, strict: true } as const;

export const claimRoutes: RestRoute[] = [
  row("POST", "/mailboxes/:mailboxId/claims", claimEmails, "json", {
    ...optional,
    envelope: fieldInData("claims"),
  }),
  row("POST", "/claims/:claimId/ack", ackEmail, "none", { strict: true }),
  row("POST", "/claims/:claimId/nack", nackEmail, "json", optional),
  row("POST", "/claims/:claimId/extend", extendClaim, "json", optional),
];
