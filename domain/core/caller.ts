import { z } from "zod";
import type { Plan } from "./plans.ts";
import type { Role } from "./roles/role.ts";

/** The scopes to which a key can be limited; docs/specification.md "Scopes". */
export const scopes = [
  "emails:read",
  "emails:send",
  "emails:write",
  "mailboxes:read",
  "mailboxes:write",
  "webhooks:write",
  "keys:write",
  "search",
  "emails:approve",
  "policy:write",
  "audit:read",
] as const;

export type Scope = typeof scopes[number];

/** What no person can allow an app to do: it would let the app remove the limits that were set for it. */
const neverGranted: readonly Scope[] = ["emails:approve", "policy:write", "keys:write"];
export const grantableScopes: readonly Scope[] = scopes.filter((each) =>
  !neverGranted.includes(each)
);

/** A key has these scopes only if it names them: a key without scopes lacks them. A session has them. */
const namedOnly: readonly Scope[] = ["emails:approve", "policy:write"];

export const scopeField = z.enum(scopes).meta({ id: "Scope", description: "What a key may do" });

/** The requests a minute that a key and the keys it makes have together. */
export interface KeyLimit {
  keyId: string;
  limit: number;
}

/** Who makes a request. Routes have authenticated the caller; the domain trusts it. */
export interface Caller {
  userId: string;
  plan: Plan;
  /** Absent: no limit, except for the scopes that a key must name; see `hasScope`. */
  scopes?: readonly Scope[];
  /** Absent: every mailbox of the account. */
  mailboxIds?: readonly string[];
  /** When the credential ends, ms since 1970. Absent: it does not end by itself. */
  expiresAt?: number;
  /** Present if the request has an API key. */
  keyId?: string;
  /** Requests a minute of the key and of the keys that made it, of those that have a limit. Absent: none has. */
  keyLimits?: readonly KeyLimit[];
  /** Present if the request has the token of an app that a person allowed; then `scopes` is too. */
  grantId?: string;
  /** All scopes that the person allowed, if the app asked for a token that may do less. */
  grantedScopes?: readonly Scope[];
  /** Present if the request has a session token or cookie. */
  sessionId?: string;
  /** The person: of a session or grant its own, of a key the one who made it. Absent in commands. */
  memberId?: string;
  /** What the person may do; present with a session or a grant. */
  role?: Role;
}

/** The id of the credential with which what it makes ends; undefined for a session, with which nothing ends. */
export function issuerIdOf(
  { keyId, grantId }: Pick<Caller, "keyId" | "grantId">,
): string | undefined {
  return keyId ?? grantId;
}

/** A caller without a credential. */
export interface Guest {
  /** The client's address, for limits; "" if it is not known. */
  clientAddress: string;
}

/** False if the caller's key is limited to other mailboxes. */
export function seesMailbox(caller: Caller, mailboxId: string): boolean {
  return !caller.mailboxIds || caller.mailboxIds.includes(mailboxId);
}

/** Whether the caller may do what needs the scope. */
export function hasScope({ scopes, keyId }: Caller, scope: Scope): boolean {
  return scopes ? scopes.includes(scope) : keyId === undefined || !namedOnly.includes(scope);
}
