import { z } from "zod";
import { openOperation } from "../../core/operation.ts";
import * as keys from "../../store/keys.ts";
import { confirmAccount } from "../registration/email_verification.ts";
import { sha256Hex } from "../secrets.ts";
import { writePassword } from "../set_password.ts";
import { endGrantsOf } from "../user.ts";
import { newPasswordField, refuseCommon } from "./new_password.ts";
import { openReset } from "./reset_links.ts";

/** `POST /api/auth/password/reset`: the token came by mail or from the operator. */
export const resetPassword = openOperation({
  name: "reset_password",
  title: "Set a new password with a link",
  description:
    "Sets a new password for the person of a link that was mailed. Every session of the person and every app that they allowed ends; API keys stay. The email counts as confirmed.",
  scope: null,
  input: z.object({ token: z.string().max(200), new_password: newPasswordField }),
  output: z.object({ ended: z.number().int().describe("How many sessions ended") })
    .meta({ id: "ResetPassword" }),
  // NOT_FOUND with PASSWORD_LOGIN=off.
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
  async run(service, { clientAddress }, { token, new_password }) {
    const { database, loginGuard, passwords, credentials, jobs, log } = service;
    // Refused before the password is hashed.
    await openReset(database, service, token);
    await refuseCommon(new_password, "new_password");
    const passwordHash = await loginGuard.inTurn(clientAddress, () => passwords.hash(new_password));
    const { userId, memberId, ended } = await database.transact(async (tx) => {
      const { key, member } = await openReset(tx, service, token);
      // Another address that waits for its link may be a thief's.
      const { newEmail: _, ...person } = member;
      const { userId, memberId, role, email } = person;
      tx.delete(key);
      const ended = await writePassword(tx, service, {
        ...person,
        passwordHash,
        isConfirmed: true,
      });
      await endGrantsOf(tx, member);
      jobs.add(tx, "end_grants", { userId, memberId });
      if (role === "owner") await confirmAccount(tx, userId);
      // The failures that made the person ask for the link.
      tx.delete(keys.loginFailures("account", sha256Hex(email.toLowerCase())));
      return { userId, memberId, ended };
    });
    credentials.forget(userId);
    log.info("account.password_reset", { user_id: userId, member_id: memberId, sessions: ended });
    return { ended };
  },
});
