import type { SMTPServerSession } from "smtp-server";
import type { Credential } from "../../../domain/accounts/credentials.ts";
import type { LoginGuard } from "../../../domain/accounts/login_guard.ts";
import type { Caller } from "../../../domain/core/caller.ts";
import { limitSubject } from "../../../domain/core/client_address.ts";
import { ServiceError } from "../../../domain/core/errors.ts";
import { requireAllowed } from "../../../domain/core/operation.ts";
import type { Service } from "../../../domain/core/service.ts";
import { normaliseAddress } from "../../../domain/mailboxes/address.ts";
import type { Mailbox } from "../../../domain/mailboxes/mailbox.ts";
import { readMailbox } from "../../../domain/mailboxes/visible_mailboxes.ts";
import { sendEmail } from "../../../domain/mail/send/send_email.ts";
import { kindOf } from "../../http/access.ts";
import { SmtpReply } from "./smtp_server.ts";

/** Who has logged in on a connection. */
export interface SignedIn {
  credential: Credential;
  userId: string;
  /** When the key or token expires, ms since 1970. */
  expiresAt?: number;
  /** The address of its mailbox. */
  address: string;
  mailboxId: string;
}

/** Longer than a key, a token, and the longest address. */
const maxChars = 512;

/**
 * The mailbox with this address, if the password is an API key or the token of an app that may send from it; else throws the
 * reply. Failures are counted for the address of the mailbox and for that of the client.
 */
export async function signIn(
  service: Service,
  guard: LoginGuard,
  { username, password }: { username?: string; password?: string | null },
  { remoteAddress }: SMTPServerSession,
): Promise<SignedIn> {
  const [name, secret] = [username ?? "", password ?? ""];
  const address = name.length > maxChars ? null : normaliseAddress(name)?.address ?? null;
  const isShort = secret.length <= maxChars;
  const credential = { kind: kindOf(secret), secret };
  let found: SignedIn | null = null;
  try {
    await guard.attempt(address ?? "", limitSubject(remoteAddress), async () => {
      found = address && isShort ? await mailboxOf(service, credential, address) : null;
      return found !== null;
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new SmtpReply(454, "4.7.0 Too many failed logins; try again later");
  }
  if (found) return found;
  throw new SmtpReply(
    535,
    "5.7.8 Log in with a mailbox's address and an API key with emails:send that sees this mailbox",
  );
}

async function mailboxOf(
  service: Service,
  credential: Credential,
  address: string,
): Promise<SignedIn | null> {
  const caller = await callerFor(service, credential);
  if (!caller) return null;
  const mailboxId = await service.mailboxNames.idOf(caller, address);
  const { userId, expiresAt } = caller;
  return mailboxId === address ? null : { credential, userId, expiresAt, address, mailboxId };
}

/** Whom the credential stands for; null if it has ended, or may not send. */
async function callerFor(
  service: Service,
  credential: Credential,
  fresh = false,
): Promise<Caller | null> {
  if (credential.kind === "access") return null;
  if (credential.kind === "grant" && service.settings.MCP_OAUTH !== "on") return null;
  const caller = await service.credentials.callerOf(credential, fresh);
  try {
    if (caller) requireAllowed(caller, sendEmail);
    return caller;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/**
 * Caller and mailbox as they are now; `fresh`: not from memory. Throws 421, which ends the connection, if the key has ended or
 * the mailbox is another.
 */
export async function confirmed(
  service: Service,
  signedIn: SignedIn | undefined,
  { fresh = false } = {},
): Promise<{ caller: Caller; mailbox: Mailbox }> {
  if (!signedIn) throw ended;
  const { credential, address, mailboxId } = signedIn;
  const caller = await callerFor(service, credential, fresh);
  if (!caller) throw ended;
  const mailbox = await readMailbox(service.database, caller, mailboxId).catch((error) => {
    if (error instanceof ServiceError && error.code === "NOT_FOUND") throw ended;
    throw error;
  });
  if (mailbox.address !== address) throw ended;
  return { caller, mailbox };
}

export const ended = new SmtpReply(421, "4.7.0 The key or the mailbox has ended; log in again");
