import { z } from "zod";
import { mailboxIdField } from "./mailbox_id.ts";
import { ServiceError } from "../core/errors.ts";
import { operation } from "../core/operation.ts";
import type { AddressFailure } from "./check_address.ts";
import { judgeAddress, judgeNew } from "./create_mailbox.ts";

export const checkEmail = operation({
  name: "check_email",
  title: "Check an address",
  description:
    "Whether a mailbox could be created under an address now, and if not, by which rule.",
  scope: "mailboxes:read",
  audit: "none",
  input: z.object({
    local_part: z.string().optional().describe("The part before the @; required"),
    domain: z.string().optional().describe(
      "A shared domain, or a verified one of the account; required",
    ),
    exclude_mailbox_id: mailboxIdField().optional()
      .describe("A mailbox to be renamed: its current address counts as available"),
  }),
  output: z.union([
    z.object({ valid: z.literal(true), email_address: z.string() }),
    z.object({
      valid: z.literal(false),
      code: z.string().describe("The error.code that a creation would answer"),
      message: z.string(),
      details: z.record(z.string(), z.unknown()),
    }),
  ]),
  errors: ["MISSING_FIELDS", "VALIDATION_ERROR"],
  async run(service, caller, { exclude_mailbox_id: renamed, ...input }) {
    const verdict = renamed === undefined
      ? await judgeNew(service.database, service, caller, input)
      : await judgeAddress(service.database, service, caller, input, renamed);
    if (verdict.ok) return { valid: true as const, email_address: verdict.address };
    if (verdict.code === "MISSING_FIELDS") throw missing(verdict);
    return invalid(verdict);
  },
});

/** The rules name `email_address` too, which this route does not have. */
function missing({ details }: AddressFailure): ServiceError {
  const fields = (details.fields as string[]).filter((field) => field !== "email_address");
  return new ServiceError("MISSING_FIELDS", `The field ${fields[0]} is required.`, { fields });
}

function invalid({ code, message, details }: AddressFailure) {
  return { valid: false as const, code, message, details };
}
