import { z } from "zod";
import { isoTime, timestampField } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { openOperation } from "../../core/operation.ts";
import { openInvitation, useInvitation } from "./invitations.ts";
import { accountFields, writeAccount } from "./new_account.ts";

/** `POST /api/auth/register`. REGISTRATION decides who may. */
export const register = openOperation({
  name: "register",
  title: "Register",
  description:
    "Creates an account on the free plan. The operator can close the registration or require an invitation, and can require that the email address is confirmed by a mailed link.",
  scope: null,
  input: z.object({
    ...accountFields,
    invitation: z.string().max(200).optional().describe(
      "The token of the operator's invitation, if the service requires one",
    ),
  }),
  output: z.object({ userId: z.string(), name: z.string(), createdAt: timestampField })
    .meta({ id: "User" }),
  // NOT_FOUND with PASSWORD_LOGIN=off.
  errors: ["VALIDATION_ERROR", "CONFLICT", "FORBIDDEN", "NOT_FOUND"],
  async run(service, { clientAddress }, { invitation = "", ...input }) {
    const mode = service.settings.REGISTRATION;
    if (mode === "closed") {
      throw new ServiceError("FORBIDDEN", "The operator creates the accounts of this service.");
    }
    // Refused before the password is hashed, and before it is known whether the email is taken.
    const invited = () => openInvitation(service.database, service, invitation, input.email);
    if (mode === "invite") await invited();
    const owner = await writeAccount(
      service,
      clientAddress,
      { ...input, plan: "free", isConfirmed: false },
      async (tx, { userId, memberId }) => {
        if (service.settings.EMAIL_VERIFICATION === "required") {
          service.jobs.add(tx, "send_verification", { userId, memberId });
        }
        if (mode === "invite") {
          useInvitation(
            tx,
            await openInvitation(tx, service, invitation, input.email),
            input.email,
          );
        }
      },
    );
    return { userId: owner.userId, name: owner.name, createdAt: isoTime(owner.createdAt) };
  },
});
