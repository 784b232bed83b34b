import { z } from "zod";
import { isoTime, timestampField } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { openOperation } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { newOneTimeToken, sha256Hex } from "../secrets.ts";
import { accountFields } from "./new_account.ts";

/** Lets the owner of one address register once. */
interface Invitation {
  /** Lower case. */
  email: string;
  /** Ms since 1970. */
  expiresAt: number;
}

/** Where the operator's newest invitation for an email is. */
interface EmailInvitation {
  /** SHA-256 of its token. */
  hash: string;
}

const validMs = 7 * 86_400_000;

/** `POST /operator/invitations`. */
export const invite = openOperation({
  name: "invite",
  title: "Invite somebody",
  description:
    "Makes a token with which the owner of this email can register once within 7 days if REGISTRATION is `invite`.",
  scope: null,
  input: z.object({ email: accountFields.email }),
  output: z.object({
    token: z.string().describe("For `invitation` of register; shown only here"),
    email: z.string(),
    expires_at: timestampField,
  }).meta({ id: "Invitation" }),
  errors: ["VALIDATION_ERROR"],
  async run(service, _guest, { email }) {
    const token = newOneTimeToken(service.ids);
    const expiresAt = service.clock.now() + validMs;
    const invitation: Invitation = { email: email.toLowerCase(), expiresAt };
    const hash = sha256Hex(token), expiry = { expireInMs: validMs };
    await service.database.transact((tx) => {
      tx.set(keys.invitation(hash), invitation, expiry);
      tx.set(
        byEmail(email),
        { hash } satisfies EmailInvitation,
        expiry,
      );
    });
    return { token, email, expires_at: isoTime(expiresAt) };
  },
});

/** The key of the invitation of this token. Throws FORBIDDEN if it is unknown, used, old or for another address. */
export async function openInvitation(
  tx: Pick<Tx, "get">,
  service: Service,
  token: string,
  email: string,
): Promise<Deno.KvKey> {
  const key = keys.invitation(sha256Hex(token));
  const invitation = await tx.get<Invitation>(key);
  const isOpen = invitation !== null && invitation.expiresAt > service.clock.now() &&
    invitation.email === email.toLowerCase();
  if (isOpen) return key;
  throw new ServiceError(
    "FORBIDDEN",
    "To register here, an invitation of the operator for this email is required.",
  );
}

/** The key of the operator's newest open invitation for an address that was proved otherwise; null if there is none. */
export async function invitationFor(
  tx: Pick<Tx, "get">,
  { clock }: Pick<Service, "clock">,
  email: string,
): Promise<Deno.KvKey | null> {
  const found = await tx.get<EmailInvitation>(byEmail(email));
  const key = found && keys.invitation(found.hash);
  const invitation = key && await tx.get<Invitation>(key);
  return invitation && invitation.expiresAt > clock.now() ? key : null;
}

/** An invitation is used up; others of the address admit by their token only. */
export function useInvitation(tx: Pick<Tx, "delete">, invitation: Deno.KvKey, email: string): void {
  tx.delete(invitation);
  tx.delete(byEmail(email));
}

const byEmail = (email: string) => keys.invitationByEmail(sha256Hex(email.toLowerCase()));
