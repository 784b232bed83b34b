import { claimEmails } from "../../domain/mail/work/claim_emails.ts";
import { ackEmail, extendClaim, nackEmail } from "../../domain/mail/work/end_claim.ts";
import { fieldInData, inData } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

const claims = { family: "v1", tag: "Waiting", method: "POST", input: "json" } as const;
const ofClaim = { ...claims, strict: true, params: { claimId: "claim_id" }, envelope: inData };

export const claimRoutes: RestRoute[] = [
  {
    ...claims,
    path: "/v1/api/mailboxes/:mailboxId/claims",
    params: { mailboxId: "mailbox_id" },
    operation: claimEmails,
    bodyOptional: true,
    strict: true,
    envelope: fieldInData("claims"),
  },
  { ...ofClaim, input: "none", path: "/v1/api/claims/:claimId/ack", operation: ackEmail },
  {
    ...ofClaim,
    path: "/v1/api/claims/:claimId/nack",
    operation: nackEmail,
    bodyOptional: true,
  },
  {
    ...ofClaim,
    path: "/v1/api/claims/:claimId/extend",
    operation: extendClaim,
    bodyOptional: true,
  },
];
