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
    await service.database.transact((tx) => {
      tx.set(keys.invitation(sha256Hex(token)), invitation, { expireInMs: validMs });
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
