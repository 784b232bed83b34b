import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { openOperation } from "../../core/operation.ts";
import * as keys from "../../store/keys.ts";
import { sessionOutput } from "../auth.ts";
import { findMemberByEmail, type Member, type MemberRef } from "../member.ts";
import { refuseCommon } from "../new_password/new_password.ts";
import { confirmAccount } from "../registration/email_verification.ts";
import { accountFields } from "../registration/new_account.ts";
import { accessSeconds, beginSession } from "../sessions.ts";
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
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  async run(service, { clientAddress }, { token, name, password }) {
    const { database } = service;
    const taken = new ServiceError(
      "CONFLICT",
      "Somebody logs in with this email already: ask for an invitation of another address.",
    );
    const { invited: { email } } = await readInvitation(database, service, token);
    await refuseCommon(password, "password");
    if (await findMemberByEmail(service, email)) throw taken;
    const passwordHash = await service.loginGuard.inTurn(
      clientAddress,
      () => service.passwords.hash(password),
    );
    const member = await database.transact(async (tx) => {
      const { invited, isMailed, key } = await readInvitation(tx, service, token);
      const { invitedUntil: _, ...person } = invited;
      const { userId, memberId } = person;
      const byEmail = keys.memberByEmail(person.email.toLowerCase());
      if (await tx.get(byEmail)) throw taken;
      const member: Member = {
        ...{ ...person, name, passwordHash, status: "active" },
        ...{ isConfirmed: isMailed, createdAt: service.clock.now() },
      };
      if (isMailed && member.role === "owner") await confirmAccount(tx, userId);
      tx.delete(key);
      tx.set(byEmail, { userId, memberId } satisfies MemberRef);
      tx.set(keys.member(userId, memberId), member);
      return member;
    });
    const tokens = await beginSession(service, member, { verified: passwordHash });
    const { userId } = member;
    return { ...tokens, expiresIn: accessSeconds, user: { userId, name } };
  },
});
