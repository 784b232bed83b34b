import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { openOperation } from "../../core/operation.ts";
import * as keys from "../../store/keys.ts";
import { sessionOutput } from "../auth.ts";
import { findMemberByEmail } from "../member.ts";
import { refuseCommon } from "../new_password/new_password.ts";
import { accountFields } from "../registration/new_account.ts";
import { accessSeconds, beginSession } from "../sessions.ts";
import { becomeMember } from "./become_member.ts";
import { readInvitation } from "./invitation.ts";

/** `POST /api/members/accept`: works whatever REGISTRATION is. */
export const acceptInvitation = openOperation({
  name: "accept_invitation",
  title: "Accept an invitation",
  description:
    "Makes the invited person a member of the account, who logs in with the email of the invitation and this password, and " +
    "begins a session. An email logs in to one account.",
  scope: null,
  input: z.object({
    token: z.string().max(200),
    name: accountFields.name,
    password: accountFields.password,
  }),
  output: sessionOutput,
  // NOT_FOUND with PASSWORD_LOGIN=off.
  errors: ["VALIDATION_ERROR", "CONFLICT", "NOT_FOUND"],
  async run(service, { clientAddress }, { token, name, password }) {
    const { database } = service;
    const taken = new ServiceError(
      "CONFLICT",
      "Somebody logs in with this email already: ask for an invitation of another address.",
    );
    const { invited: { email } } = await readInvitation(database, service, token);
    await refuseCommon(password, "password");
    if (await findMemberByEmail(service, email)) {
      // The same invitation may have been accepted since it was read.
      await readInvitation(database, service, token);
      throw taken;
    }
    const passwordHash = await service.loginGuard.inTurn(
      clientAddress,
      () => service.passwords.hash(password),
    );
    const member = await database.transact(async (tx) => {
      const { invited, isMailed, key } = await readInvitation(tx, service, token);
      if (await tx.get(keys.memberByEmail(invited.email.toLowerCase()))) throw taken;
      tx.delete(key);
      const accepted = { name, passwordHash, isConfirmed: isMailed };
      return await becomeMember(tx, service, invited, accepted);
    });
    const tokens = await beginSession(service, member, { verified: passwordHash });
    const { userId } = member;
    return { ...tokens, expiresIn: accessSeconds, user: { userId, name } };
  },
});
