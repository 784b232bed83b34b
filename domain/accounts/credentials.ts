import { growingCache } from "../core/work/growing_cache.ts";
import type { Clock } from "../core/clock.ts";
import { LateWrite } from "../core/work/late_write.ts";
import { describeError, type Log } from "../core/log.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { issuersExist } from "./issuer_chain.ts";
import { isWellFormedApiKey, sha256Hex } from "./secrets.ts";
import { findSession } from "./sessions.ts";
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
  private readonly used = new Map<string, { userId: string; at: number }>();
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
    const issuer = issuerIdOf(found.caller);
    if (issuer !== undefined) this.touch(found.caller.userId, issuer, now);
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

  /** Requests do not wait for this write: the stored `lastUsed` is at most 5 s late. */
  private touch(userId: string, issuer: string, at: number): void {
    this.used.set(issuer, { userId, at });
    this.late.ask();
  }

  private async writeUses(): Promise<void> {
    for (const some of this.service.database.forCommits([...this.used], usesACommit, 1)) {
      try {
        await this.service.database.transact(async (tx) => {
          for (const [issuer, { userId, at }] of some) {
            const row = await tx.get<ApiKey | Grant>(keys.issuer(userId, issuer));
            if (row) tx.set(keys.issuer(userId, issuer), { ...row, lastUsedAt: at });
          }
        });
      } catch (error) {
        this.service.log.warn("keys.last_used_late", {
          keys: some.length,
          error: describeError(error),
        });
        // They stay, and are written later: at most one for each key and grant.
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
    const { database } = this.service;
    const userOf = (userId: string) => database.get<User>(keys.user(userId));
    const [session, expected] = await Promise.all([
      findSession(this.service, kind, secret, before),
      before && userOf(before.userId),
    ]);
    if (!session) return null;
    const user = session.userId === before?.userId ? expected : await userOf(session.userId);
    if (!user) return null;
    const caller: Caller = { userId: user.userId, plan: user.plan, sessionId: session.sessionId };
    const { expiresAt } = session;
    return { readAt: now, caller: { ...caller, expiresAt }, expiresAt };
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
    if (!await issuersExist(database, ref.userId, key.makers)) return null;
    return { readAt: now, caller: callerOfKey(user, key), expiresAt: key.expiresAt };
  }

  private async readGrant(hash: string, now: number, before?: Caller): Promise<Known | null> {
    const { database } = this.service;
    const rowsOf = ({ userId, grantId = "" }: { userId: string; grantId?: string }) =>
      Promise.all([
        database.get<Grant>(keys.grant(userId, grantId)),
        database.get<User>(keys.user(userId)),
      ]);
    const [token, expected] = await Promise.all([
      database.get<AccessToken>(keys.grantByAccess(hash)),
      before && rowsOf(before),
    ]);
    if (!token) return null;
    const isSame = token.userId === before?.userId && token.grantId === before.grantId;
    const [grant, user] = expected && isSame ? expected : await rowsOf(token);
    if (!grant || !user) return null;
    const expiresAt = Math.min(token.expiresAt, grant.expiresAt);
    const { scopes = grant.scopes } = token;
    return { readAt: now, caller: { ...callerOfGrant(user, grant), scopes, expiresAt }, expiresAt };
  }
}

/** The caller that a key is. */
export function callerOfKey({ userId, plan }: User, key: ApiKey): Caller {
  return {
    userId,
    plan,
    keyId: key.keyId,
    ...(key.scopes ? { scopes: key.scopes } : {}),
    ...(key.mailboxIds ? { mailboxIds: key.mailboxIds } : {}),
    ...(key.expiresAt === null ? {} : { expiresAt: key.expiresAt }),
  };
}

/** The caller that an app is, whatever its token. */
export function callerOfGrant({ userId, plan }: User, grant: Grant): Caller {
  const { grantId, scopes, mailboxIds, expiresAt } = grant;
  return { userId, plan, grantId, scopes, ...(mailboxIds ? { mailboxIds } : {}), expiresAt };
}

type Known = { readAt: number; caller: Caller; expiresAt: number | null };

/** `lastUsed` may be 5 s late: 4 s of waiting, then the commit. */
const lastUsedDelayMs = 4_000;
/** Each is a check and a write. */
const usesACommit = 50;
