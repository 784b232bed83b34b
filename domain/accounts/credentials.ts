import { growingCache } from "../core/work/growing_cache.ts";
import type { Clock } from "../core/clock.ts";
import { LateWrite } from "../core/work/late_write.ts";
import { describeError, type Log } from "../core/log.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { isAlive } from "./issuer_chain.ts";
import { isMember, type Member, type MemberRef, personOf } from "./member.ts";
import { isWellFormedApiKey, sha256Hex } from "./secrets.ts";
import { findSession, type Session } from "./sessions.ts";
import type { User } from "./user.ts";
import { type Caller, issuerIdOf } from "../core/caller.ts";
import type { AccessToken, Grant } from "../apps/grant.ts";
import type { ApiKey, ApiKeyRef } from "./api_key.ts";

/** A secret that a client sends. A browser's cookie holds the refresh token. */
export type Credential = { kind: "key" | "access" | "refresh" | "grant"; secret: string };

/**
 * Finds the caller of a credential. Rows are cached for 5 s, or 1 s if several processes share the store, so that a
 * busy caller costs no reads. A change of the account in this process clears them at once: the next request with a
 * revoked key is refused. Expiry is checked at each call (docs/decisions.md "Access decisions").
 */
export class Credentials {
  private readonly known = growingCache<string, Known>(20_000);
  /** By the id of the key, grant or person. */
  private readonly used = new Map<string, { row: Deno.KvKey; at: number }>();
  private changes = 0;
  private readonly late: LateWrite;

  constructor(private readonly service: { database: Database; clock: Clock; log: Log }) {
    this.late = new LateWrite(service.clock, lastUsedDelayMs, () => this.writeUses());
  }

  /** The caller; null if the credential is malformed, unknown, revoked, ended or expired. `fresh`: not from memory. */
  async callerOf(credential: Credential, fresh = false): Promise<Caller | null> {
    const now = this.service.clock.now();
    const hash = sha256Hex(credential.secret);
    const name = `${credential.kind} ${hash}`;
    let found = fresh ? undefined : this.known.get(name);
    if (!found || Math.abs(now - found.readAt) > this.cachedMs) {
      const changes = this.changes;
      const read = await this.read(credential, hash, now, this.known.get(name)?.caller);
      if (!read) return null;
      found = read;
      // A change during the read may have missed this row.
      if (changes === this.changes) this.known.set(name, found);
    }
    if (found.expiresAt !== null && found.expiresAt <= now) return null;
    this.touch(found, now);
    return found.caller;
  }

  /** Must be called after every commit that changes an account's plan, or ends keys, sessions or grants of it. */
  forget(userId: string): void {
    this.changes++;
    for (const [name, { caller }] of this.known.entries()) {
      if (caller.userId === userId) this.known.delete(name);
    }
    // An open stream asks again whether its credential is still valid.
    this.service.database.journal.wake(userId);
  }

  /** The last use if it is not written yet, in ms since 1970; null if the row is up to date. */
  unwrittenUse(issuer: string): number | null {
    return this.used.get(issuer)?.at ?? null;
  }

  /** Writes all last uses that are not written yet. */
  flush(): Promise<void> {
    return this.late.flush();
  }

  /** Requests do not wait for this write: the stored `lastUsed` is at most 5 s late, of a person a minute. */
  private touch(known: Known, at: number): void {
    const { userId, memberId = userId } = known.caller;
    const issuer = issuerIdOf(known.caller);
    if (issuer !== undefined) this.used.set(issuer, { row: keys.issuer(userId, issuer), at });
    else {
      if (known.seenAt !== undefined && Math.abs(at - known.seenAt) < seenEveryMs) return;
      known.seenAt = at;
      this.used.set(memberId, { row: keys.member(userId, memberId), at });
    }
    this.late.ask();
  }

  private async writeUses(): Promise<void> {
    for (const some of this.service.database.forCommits([...this.used], usesACommit, 1)) {
      try {
        await this.service.database.transact(async (tx) => {
          for (const [, { row, at }] of some) {
            const known = await tx.get<ApiKey | Grant | Member>(row);
            if (known) tx.set(row, { ...known, lastUsedAt: at });
          }
        });
      } catch (error) {
        this.service.log.warn("keys.last_used_late", {
          keys: some.length,
          error: describeError(error),
        });
        // They stay, and are written later: at most one for each key, grant and person.
        this.late.ask();
        continue;
      }
      for (const [issuer, use] of some) {
        if (this.used.get(issuer) === use) this.used.delete(issuer);
      }
    }
  }

  private get cachedMs(): number {
    return this.service.database.exclusive ? 5_000 : 1_000;
  }

  /** `before`: the earlier answer for this credential. Its rows are read together with the credential's first row. */
  private async read(
    { kind, secret }: Credential,
    hash: string,
    now: number,
    before?: Caller,
  ): Promise<Known | null> {
    if (kind === "key") return await this.readKey(secret, hash, now, before);
    if (kind === "grant") return await this.readGrant(hash, now, before);
    const [session, expected] = await Promise.all([
      findSession(this.service, kind, secret, before),
      before && this.peopleRows(personOf(before)),
    ]);
    if (!session) return null;
    const isSame = session.sessionId === before?.sessionId;
    const [user, member] = expected && isSame ? expected : await this.peopleRows(personOf(session));
    if (!user || !member) return null;
    const caller = callerOfSession(user, member, session);
    const { expiresAt } = session;
    return { readAt: now, caller, expiresAt, seenAt: member.lastUsedAt ?? undefined };
  }

  private async peopleRows({ userId, memberId }: MemberRef) {
    const { database } = this.service;
    return await Promise.all([
      database.get<User>(keys.user(userId)),
      database.get<Member>(keys.member(userId, memberId)),
    ]);
  }

  private async readKey(
    secret: string,
    hash: string,
    now: number,
    before?: Caller,
  ): Promise<Known | null> {
    if (!isWellFormedApiKey(secret)) return null;
    const { database } = this.service;
    const rowsOf = ({ userId, keyId = "" }: Partial<ApiKeyRef> & { userId: string }) =>
      Promise.all([
        database.get<ApiKey>(keys.apiKey(userId, keyId)),
        database.get<User>(keys.user(userId)),
      ]);
    const [ref, expected] = await Promise.all([
      database.get<ApiKeyRef>(keys.apiKeyByHash(hash)),
      before && rowsOf(before),
    ]);
    if (!ref) return null;
    const isSame = ref.userId === before?.userId && ref.keyId === before.keyId;
    const [key, user] = expected && isSame ? expected : await rowsOf(ref);
    if (!key || !user) return null;
    if (!await isAlive(database, user, key)) return null;
    return { readAt: now, caller: callerOfKey(user, key), expiresAt: key.expiresAt };
  }

  private async readGrant(hash: string, now: number, before?: Caller): Promise<Known | null> {
    const { database } = this.service;
    const grantOf = ({ userId, grantId = "" }: { userId: string; grantId?: string }) =>
      database.get<Grant>(keys.grant(userId, grantId));
    const [token, ...expected] = await Promise.all([
      database.get<AccessToken>(keys.grantByAccess(hash)),
      before ? grantOf(before) : null,
      before ? this.peopleRows(personOf(before)) : null,
    ]);
    if (!token) return null;
    const isSame = token.userId === before?.userId && token.grantId === before.grantId;
    const grant = isSame ? expected[0] : await grantOf(token);
    if (!grant) return null;
    const [user, member] = isSame && expected[1]
      ? expected[1]
      : await this.peopleRows(personOf(grant));
    if (!user || !member || !isMember(user, grant)) return null;
    const expiresAt = Math.min(token.expiresAt, grant.expiresAt);
    const less = token.scopes && { scopes: token.scopes, grantedScopes: grant.scopes };
    const caller = { ...callerOfGrant(user, member, grant), ...less, expiresAt };
    return { readAt: now, caller, expiresAt };
  }
}

/** The caller that a session is. */
export function callerOfSession(
  { userId, plan }: User,
  { memberId, role }: Member,
  { sessionId, expiresAt }: Session,
): Caller {
  return { userId, plan, sessionId, memberId, role, expiresAt };
}

/** The caller that a key is. */
export function callerOfKey({ userId, plan }: User, key: ApiKey): Caller {
  return {
    userId,
    plan,
    keyId: key.keyId,
    memberId: personOf(key).memberId,
    ...(key.scopes ? { scopes: key.scopes } : {}),
    ...(key.mailboxIds ? { mailboxIds: key.mailboxIds } : {}),
    ...(key.keyLimits ? { keyLimits: key.keyLimits } : {}),
    ...(key.expiresAt === null ? {} : { expiresAt: key.expiresAt }),
  };
}

/** The caller that an app is, whatever its token. */
export function callerOfGrant(
  { userId, plan }: User,
  { memberId, role }: Member,
  { grantId, scopes, mailboxIds, expiresAt }: Grant,
): Caller {
  const limits = { scopes, ...(mailboxIds ? { mailboxIds } : {}), expiresAt };
  return { userId, plan, grantId, memberId, role, ...limits };
}

interface Known {
  readAt: number;
  caller: Caller;
  expiresAt: number | null;
  /** Of a session: when its person was last seen. */
  seenAt?: number;
}

/** `lastUsed` may be 5 s late: 4 s of waiting, then the commit. */
const lastUsedDelayMs = 4_000;
/** The dashboard asks every few seconds: a commit for each would be most of its writes. */
const seenEveryMs = 50_000;
/** Each is a check and a write. */
const usesACommit = 50;
