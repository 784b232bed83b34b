import { z } from "zod";
import { isoTime, timestampField } from "../../core/clock.ts";
import { openOperation } from "../../core/operation.ts";
import { planField } from "../../core/plans.ts";
import { newPassword } from "../secrets.ts";
import { accountFields, writeAccount } from "./new_account.ts";

/** `POST /operator/accounts`: works whatever REGISTRATION is. */
export const createAccount = openOperation({
  name: "create_account",
  title: "Create an account",
  description:
    "Creates an account whose email counts as confirmed. Without a password the answer has a new one, shown only here.",
  scope: null,
  input: z.object({
    email: accountFields.email,
    password: accountFields.password.nullish(),
    name: accountFields.name,
    plan: planField.default("free"),
  }),
  output: z.object({
    userId: z.string(),
    email: z.string(),
    name: z.string(),
    plan: planField,
    createdAt: timestampField,
    password: z.string().optional().describe("Only if the request had none"),
  }).meta({ id: "CreatedAccount" }),
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  async run(service, { clientAddress }, { email, password, name, plan }) {
    const made = password ?? newPassword(service.ids);
    const account = { email, name, plan, password: made, isConfirmed: true };
    const owner = await writeAccount(service, clientAddress, account);
    return {
      userId: owner.userId,
      email: owner.email,
      name: owner.name,
      plan,
      createdAt: isoTime(owner.createdAt),
      ...(password ? {} : { password: made }),
    };
  },
});
