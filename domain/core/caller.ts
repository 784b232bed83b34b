import { z } from "zod";
import type { Plan } from "./plans.ts";

/** What a key may be limited to (DECISIONS.md 9, Key scopes). */
export const scopes = [
  "emails:read",
  "emails:send",
  "mailboxes:read",
  "mailboxes:write",
  "webhooks:write",
  "keys:write",
  "search",
] as const;

export type Scope = typeof scopes[number];
export const scopeField = z.enum(scopes).meta({ id: "Scope", description: "What a key may do" });

/** Who asks: proved by routes/access.ts or workers, trusted here. */
export interface Caller {
  userId: string;
  plan: Plan;
  /** Absent: everything. */
  scopes?: readonly Scope[];
  /** Absent: every mailbox of the account. */
  mailboxIds?: readonly string[];
  /** Present where an API key was shown. */
  keyId?: string;
  /** Present where a session token or cookie was shown. */
  sessionId?: string;
}

/** Somebody without a credential. */
export interface Guest {
  /** The client's address, for limits; "" where it is not known. */
  clientAddress: string;
}

/** NOT_FOUND where the caller's key is limited to other mailboxes. */
export function seesMailbox(caller: Caller, mailboxId: string): boolean {
  return !caller.mailboxIds || caller.mailboxIds.includes(mailboxId);
}
