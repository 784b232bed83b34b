import { z } from "zod";
import { isoTime, timestampField } from "../../core/clock.ts";
import { notFound, ServiceError } from "../../core/errors.ts";
import { openOperation } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";
import { findMemberByEmail, type Member, readMember } from "../member.ts";
import { confirmAccount } from "../registration/email_verification.ts";
import { newResetLink } from "./reset_links.ts";

const input = z.object({ email: z.string().max(320) });

/** `POST /operator/accounts/reset-password`. */
export const operatorReset = openOperation({
  name: "make_reset_link",
  title: "Make a link that sets a new password",
  description:
    "Makes the link that sets a new password for the person with this email, once within 30 minutes. It is mailed to nobody: give it to the person yourself.",
  scope: null,
  input,
  output: z.object({
    link: z.string().describe("Shown only here"),
    expires_at: timestampField,
  }).meta({ id: "ResetLink" }),
  errors: ["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"],
  async run(service, _guest, { email }) {
    if (service.settings.PASSWORD_LOGIN === "off") {
      throw new ServiceError(
        "CONFLICT",
        "The link would not work with PASSWORD_LOGIN=off: remove the setting, restart, and try again.",
      );
    }
    const { link, expiresAt } = await newResetLink(service, await personWith(service, email));
    return { link, expires_at: isoTime(expiresAt) };
  },
});

/** `POST /operator/accounts/confirm`. */
export const operatorConfirm = openOperation({
  name: "confirm_address",
  title: "Confirm a person's address",
  description:
    "Marks the email of a person as confirmed, as the link that was mailed does: for a person whom no mail reaches.",
  scope: null,
  input,
  output: z.object({ email: z.string(), confirmed: z.literal(true) })
    .meta({ id: "ConfirmedAddress" }),
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
  async run(service, _guest, { email }) {
    const found = await personWith(service, email);
    await service.database.transact(async (tx) => {
      const member = await readMember(tx, found);
      const { userId, memberId } = member;
      tx.set(keys.member(userId, memberId), { ...member, isConfirmed: true } satisfies Member);
      if (member.role === "owner") await confirmAccount(tx, userId);
    });
    return { email: found.email, confirmed: true as const };
  },
});

/** Throws NOT_FOUND. */
async function personWith(service: Service, email: string): Promise<Member> {
  const member = await findMemberByEmail(service, email);
  if (!member) throw notFound("account");
  return member;
}
