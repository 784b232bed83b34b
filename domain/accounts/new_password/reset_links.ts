import { invalidField } from "../../core/errors.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { type Member, type MemberRef, readMember } from "../member.ts";
import { newOneTimeToken, sha256Hex } from "../secrets.ts";

/** A link with which a person sets a new password. */
interface Reset extends MemberRef {
  /** Ms since 1970. */
  expiresAt: number;
  /** SHA-256 of the email and the hash of the password: the link is dead once either is another. */
  madeFor: string;
}

const validMs = 30 * 60_000;

/** Writes a new token, valid for 30 minutes, and returns the link with it. Only its SHA-256 is stored. */
export async function newResetLink(
  { database, ids, clock, settings }: Service,
  person: MemberRef,
): Promise<{ link: string; expiresAt: number }> {
  const token = newOneTimeToken(ids);
  const expiresAt = clock.now() + validMs;
  await database.transact(async (tx) => {
    const { userId, memberId } = person;
    const madeFor = stateOf(await readMember(tx, person));
    const reset: Reset = { userId, memberId, expiresAt, madeFor };
    tx.set(keys.passwordReset(sha256Hex(token)), reset, { expireInMs: validMs });
  });
  return { link: `${settings.BASE_URL}/app/reset?token=${token}`, expiresAt };
}

/** The person of a link and the row of its token. Throws VALIDATION_ERROR if the link does not work any more. */
export async function openReset(
  tx: Pick<Tx, "get">,
  { clock }: Pick<Service, "clock">,
  token: string,
): Promise<{ key: Deno.KvKey; member: Member }> {
  const key = keys.passwordReset(sha256Hex(token));
  const reset = await tx.get<Reset>(key);
  const member = reset && reset.expiresAt > clock.now()
    ? await tx.get<Member>(keys.member(reset.userId, reset.memberId))
    : null;
  if (member?.status === "active" && reset?.madeFor === stateOf(member)) return { key, member };
  throw invalidField(
    "token",
    "has been used, is older than 30 minutes or is not complete; " +
      "ask for another link with “Forgotten your password?” on the sign-in page",
  );
}

function stateOf({ email, passwordHash }: Member): string {
  return sha256Hex(`${email.toLowerCase()} ${passwordHash}`);
}
