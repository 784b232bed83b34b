import { timeOfId } from "../core/ids.ts";
import type { AuditFacts } from "../core/operation.ts";

/** One call of an account, as the audit keeps it. */
export interface AuditEntry {
  /** UUIDv7 of when the call began: rows are shown in the order of their ids. */
  auditId: string;
  /** When the call began, ms since 1970. */
  at: number;
  actor: Actor;
  surface: "rest" | "mcp" | "smtp";
  /** The name of the operation. */
  action: string;
  mailboxId: string | null;
  emailId: string | null;
  /** How many emails the answer held; null for a change that concerns no email. */
  count: number | null;
}

export type Actor = { keyId: string } | { grantId: string } | {
  sessionId: string;
  /** Absent in rows of schema version 3. */
  memberId?: string;
};

/** Entries of one account under one key: the id of the newest of them. */
export type StoredEntries = string;

export function entryWith(
  begun: Pick<AuditEntry, "auditId" | "at" | "actor" | "surface" | "action">,
  { mailboxId = null, emailId = null, count = null }: AuditFacts,
): AuditEntry {
  return { ...begun, mailboxId, emailId, count };
}

/** By position, because names would be half of the bytes. One text, because the database takes it fastest. */
export function writeEntries(entries: readonly AuditEntry[]): StoredEntries {
  return JSON.stringify(entries.map((each) => {
    const { auditId, at, actor, surface, action, mailboxId, emailId, count } = each;
    const [kind, id] = "keyId" in actor
      ? ["k", actor.keyId]
      : "grantId" in actor
      ? ["g", actor.grantId]
      : ["s", actor.sessionId];
    const row = [auditId, at, kind, id, surface, action, mailboxId, emailId, count];
    return "sessionId" in actor && actor.memberId ? [...row, actor.memberId] : row;
  }));
}

const actorOf = {
  k: (keyId: string): Actor => ({ keyId }),
  g: (grantId: string): Actor => ({ grantId }),
  s: (sessionId: string, memberId?: string): Actor => ({
    sessionId,
    ...(memberId ? { memberId } : {}),
  }),
};

/** Oldest first. */
export function readEntries(stored: StoredEntries): AuditEntry[] {
  return (JSON.parse(stored) as [
    string,
    number,
    keyof typeof actorOf,
    string,
    AuditEntry["surface"],
    string,
    string | null,
    string | null,
    number | null,
    string?,
  ][]).map(([auditId, at, kind, id, surface, action, mailboxId, emailId, count, memberId]) => {
    const actor = actorOf[kind](id, memberId);
    return { auditId, at, actor, surface, action, mailboxId, emailId, count };
  });
}

/**
 * Entries under one key are at most this far apart, ms: a reader that wants entries before a time begins this much
 * later.
 */
export const maxSpanMs = 5_000;
/** An entry has about 200 characters. A value of Deno KV has 65,536 bytes. */
const maxEntriesOfRow = 100;

/** Groups the entries of one account, given in any order, for storing: oldest first, each group of at most 5 s. */
export function rowsOf(entries: readonly AuditEntry[]): AuditEntry[][] {
  const rows: AuditEntry[][] = [];
  for (const entry of entries.toSorted((a, b) => a.auditId < b.auditId ? -1 : 1)) {
    const row = rows.at(-1);
    const fits = row && row.length < maxEntriesOfRow &&
      timeOfId(entry.auditId) - timeOfId(row[0].auditId) <= maxSpanMs;
    if (fits) row.push(entry);
    else rows.push([entry]);
  }
  return rows;
}
