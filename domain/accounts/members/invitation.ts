import { invalidField } from "../../core/errors.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { isMember, type Member, type MemberRef } from "../member.ts";
import { newOneTimeToken, sha256Hex } from "../secrets.ts";
import type { User } from "../user.ts";

/** How long an invitation is open, ms. */
export const invitationMs = 7 * 86_400_000;

/** A token with which an invited person accepts. */
interface InvitationToken extends MemberRef {
  /** Only a mail to the address had it, so whoever has it reads that mail. */
  isMailed: boolean;
}

/** Adds a token to an invitation that is open until `invitedUntil`, and returns the link with it. */
export function newInvitationLink(
  tx: Pick<Tx, "set">,
  { ids, clock, settings }: Pick<Service, "ids" | "clock" | "settings">,
  { userId, memberId, invitedUntil = 0 }: Member,
  { isMailed }: { isMailed: boolean },
): string {
  const token = newOneTimeToken(ids);
  const row: InvitationToken = { userId, memberId, isMailed };
  tx.set(keys.memberInvitation(sha256Hex(token)), row, {
    expireInMs: Math.max(1, invitedUntil - clock.now()),
  });
  return `${settings.BASE_URL}/app/join?token=${token}`;
}

/** The invited person of a token. Throws VALIDATION_ERROR if it is unknown or used, or the invitation is not open. */
export async function readInvitation(
  reader: Pick<Tx, "get">,
  { clock }: Pick<Service, "clock">,
  token: string,
): Promise<{ invited: Member; isMailed: boolean; key: Deno.KvKey }> {
  const key = keys.memberInvitation(sha256Hex(token));
  const row = await reader.get<InvitationToken>(key);
  const invited = row && await readInvited(reader, clock.now(), row);
  if (invited) return { invited, isMailed: row.isMailed, key };
  throw invalidField(
    "token",
    "This invitation is unknown, used, withdrawn or older than 7 days: ask the person who invited you for a new one",
  );
}

/** The person, if the invitation is open; else null. */
export async function readInvited(
  reader: Pick<Tx, "get">,
  now: number,
  ref: MemberRef,
): Promise<Member | null> {
  const [user, member] = await Promise.all([
    reader.get<User>(keys.user(ref.userId)),
    reader.get<Member>(keys.member(ref.userId, ref.memberId)),
  ]);
  const isThere = user && member && isMember(user, ref);
  const isOpen = member?.status === "invited" && (member.invitedUntil ?? 0) > now;
  return isThere && isOpen ? member : null;
}
