import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { operation } from "../../core/operation.ts";
import { personOf, readMember } from "../member.ts";
import { writePassword } from "../set_password.ts";
import { newPasswordField, refuseCommon } from "./new_password.ts";

/** `POST /api/auth/password`. */
export const changePassword = operation({
  name: "change_password",
  title: "Change your password",
  description:
    "Sets another password for you. Every other session of yours ends; API keys and apps stay. Wrong passwords count as failed logins.",
  scope: null,
  audit: "change",
  input: z.object({
    current_password: z.string().max(1_024),
    new_password: newPasswordField,
  }),
  output: z.object({ ended: z.number().int().describe("How many other sessions ended") })
    .meta({ id: "ChangedPassword" }),
  // NOT_FOUND with PASSWORD_LOGIN=off.
  errors: ["VALIDATION_ERROR", "CONFLICT", "NOT_FOUND"],
  async run(service, caller, { current_password, new_password }, call) {
    await refuseCommon(new_password, "new_password");
    const { database, passwords } = service;
    const { sessionId = "" } = caller;
    const { email, passwordHash: before } = await readMember(database, personOf(caller));
    if (before === null) {
      throw new ServiceError(
        "UNAUTHORIZED",
        "You have no password yet: “Forgotten your password?” on the sign-in page sets one.",
      );
    }
    let passwordHash = "";
    // Those of one session count together.
    const right = await service.loginGuard.attempt(email, `session ${sessionId}`, async () => {
      if (!await passwords.verify(current_password, before)) return false;
      passwordHash = await passwords.hash(new_password);
      return true;
    }, { hasSession: true });
    if (!right) throw new ServiceError("UNAUTHORIZED", "The current password is wrong.");
    const ended = await database.transact(async (tx) => {
      const member = await readMember(tx, personOf(caller));
      if (member.passwordHash !== before) {
        throw new ServiceError("CONFLICT", "The password was changed meanwhile.");
      }
      call.audit({}, tx);
      return await writePassword(tx, service, { ...member, passwordHash }, sessionId);
    });
    service.credentials.forget(caller.userId);
    return { ended };
  },
});
