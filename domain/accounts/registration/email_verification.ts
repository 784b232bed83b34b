import { isRecent } from "../../core/clock.ts";
import { z } from "zod";
import { invalidField, rateLimited, ServiceError } from "../../core/errors.ts";
import { openOperation, operation } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { newOneTimeToken, sha256Hex } from "../secrets.ts";
import {
  freeEmail,
  isMember,
  type Member,
  type MemberRef,
  personOf,
  readMember,
} from "../member.ts";
import { readUser, type User } from "../user.ts";

/** A link that was mailed to a person. */
interface Confirmation {
  userId: string;
  /** Absent: see `personOf`. */
  memberId?: string;
  /** The address; absent: that of the person. */
  email?: string;
  /** Ms since 1970. */
  expiresAt: number;
}

const validMs = 86_400_000;
const hourMs = 3_600_000;
const mailsAnHour = 5;

/** `POST /api/auth/verify-email`: the token came by mail, so whoever has it reads the mail of the address. */
export const verifyEmail = openOperation({
  name: "verify_email",
  title: "Confirm the account's address",
  description: "Confirms the email address of an account by the token of the link that was mailed.",
  scope: null,
  input: z.object({ token: z.string().max(200) }),
  output: z.object({ verified: z.literal(true) }).meta({ id: "VerifiedEmail" }),
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  async run(service, _guest, { token }) {
    const key = keys.confirmation(sha256Hex(token));
    await service.database.transact(async (tx) => {
      const found = await tx.get<Confirmation>(key);
      const person = found && found.expiresAt > service.clock.now() ? personOf(found) : null;
      const user = person && await tx.get<User>(keys.user(person.userId));
      const row = user && isMember(user, person)
        ? keys.member(person.userId, person.memberId)
        : null;
      const member = row && await tx.get<Member>(row);
      const email = found?.email ?? member?.email;
      if (!member || email === undefined || ![member.email, member.newEmail].includes(email)) {
        throw invalidField("token", "is unknown, used or older than 24 hours");
      }
      tx.delete(key);
      const confirmed: Member = { ...member, email, isConfirmed: true };
      if (email === member.newEmail) {
        await moveEmail(tx, member, email);
        delete confirmed.newEmail;
      }
      tx.set(row, confirmed);
      if (member.role === "owner") await confirmAccount(tx, member.userId);
    });
    return { verified: true as const };
  },
});

/** `POST /api/auth/resend-verification`. */
export const resendVerification = operation({
  name: "resend_verification",
  title: "Mail the link again",
  description:
    "Mails another link that confirms your email address, at most 5 times an hour. Earlier links stay valid.",
  scope: null,
  audit: "none",
  input: z.object({}),
  output: z.object({ message: z.string() }),
  errors: ["RATE_LIMIT_EXCEEDED"],
  async run(service, caller) {
    const message = await service.database.transact(async (tx) => {
      const member = await readMember(tx, personOf(caller));
      if (addressToConfirm(member) === null) return "The address is confirmed already.";
      await askToConfirm(tx, service, member);
      return "The link is on its way.";
    });
    return { message };
  },
});

/** The address to which a link is to be mailed; null if there is nothing to confirm. */
export function addressToConfirm({ newEmail, isConfirmed, email }: Member): string | null {
  return newEmail ?? (isConfirmed ? null : email);
}

/** Mails a link, at most 5 times an hour. Throws RATE_LIMIT_EXCEEDED. */
export async function askToConfirm(
  tx: Tx,
  { jobs, clock }: Pick<Service, "jobs" | "clock">,
  { userId, memberId }: MemberRef,
): Promise<void> {
  const now = clock.now();
  const key = keys.confirmationsAsked(userId, memberId);
  const asked = (await tx.get<number[]>(key) ?? []).filter((at) => isRecent(at, now, hourMs));
  if (asked.length >= mailsAnHour) {
    const retryAfter = Math.max(1, Math.ceil((asked[0] + hourMs - now) / 1_000));
    const message = `Links are mailed at most ${mailsAnHour} times an hour.`;
    throw rateLimited(mailsAnHour, "hour", retryAfter, message);
  }
  tx.set(key, [...asked, now], { expireInMs: hourMs });
  jobs.add(tx, "send_verification", { userId, memberId });
}

/** The person logs in with the confirmed address from now on. Throws CONFLICT if somebody else does. */
async function moveEmail(tx: Tx, { userId, memberId, email }: Member, to: string): Promise<void> {
  const byEmail = keys.memberByEmail(to.toLowerCase());
  if (await tx.get(byEmail)) {
    throw new ServiceError("CONFLICT", "Somebody else logs in with this address meanwhile.");
  }
  freeEmail(tx, email);
  tx.set(byEmail, { userId, memberId } satisfies MemberRef);
}

/** An owner has confirmed an address: mail of the account may go to others. */
export async function confirmAccount(tx: Tx, userId: string): Promise<void> {
  const { emailUnverified, ...user } = await readUser(tx, userId);
  if (emailUnverified) tx.set(keys.user(userId), user satisfies User);
}

/** Writes a new token, valid for 24 hours, and returns the link with it. Only its SHA-256 is stored. */
export async function newConfirmationLink(
  service: Service,
  { userId, memberId }: MemberRef,
  email: string,
): Promise<string> {
  const token = newOneTimeToken(service.ids);
  const expiresAt = service.clock.now() + validMs;
  const confirmation: Confirmation = { userId, memberId, email, expiresAt };
  await service.database.transact((tx) => {
    tx.set(keys.confirmation(sha256Hex(token)), confirmation, { expireInMs: validMs });
  });
  return `${service.settings.BASE_URL}/verify-email?token=${token}`;
}
