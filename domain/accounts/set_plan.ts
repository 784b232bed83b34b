import { z } from "zod";
import { notFound } from "../core/errors.ts";
import { openOperation } from "../core/operation.ts";
import { planField } from "../core/plans.ts";
import * as keys from "../store/keys.ts";
import { findMemberByEmail } from "./member.ts";
import { readUser, type User } from "./user.ts";

/** The operator's change of a plan without a payment: docs/specification.md "Operator". */
export const setPlan = openOperation({
  name: "set_plan",
  title: "Set an account's plan",
  description: "Changes the plan of the account of the person with this email.",
  scope: null,
  input: z.object({ email: z.string().max(320), plan: planField }),
  output: z.object({ userId: z.string(), email: z.string(), plan: planField }).meta({
    id: "AccountPlan",
  }),
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
  async run(service, _guest, { email, plan }) {
    const found = await findMemberByEmail(service, email);
    if (!found) throw notFound("account");
    await service.database.transact(async (tx) => {
      const user = await readUser(tx, found.userId);
      // Payment events have times in whole seconds: a later event of the same second must win.
      const planSetAt = Math.floor(service.clock.now() / 1_000) * 1_000;
      const subscription = { status: "active" as const, period: null, cancelAtPeriodEnd: false };
      tx.set(keys.user(user.userId), { ...user, plan, planSetAt, subscription } satisfies User);
    });
    service.credentials.forget(found.userId);
    return { userId: found.userId, email: found.email, plan };
  },
});
