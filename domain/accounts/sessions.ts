import { isRecent } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { newAccessToken, newRefreshToken, sha256Hex } from "./secrets.ts";
import { type Member, type MemberRef, personOf } from "./member.ts";
import type { User } from "./user.ts";

/** A login of a person. Its tokens are stored hashed. When it ends, all of them and the cookie become invalid. */
export interface Session {
  sessionId: string;
  userId: string;
  /** Absent in rows of schema version 3: see `personOf`. */
  memberId?: string;
  createdAt: number;
  expiresAt: number;
}
interface TokenRow {
  userId: string;
  sessionId: string;
  expiresAt: number;
}

/** A session in the list of its person. */
type ListedSession = Pick<Session, "sessionId" | "expiresAt">;

type SessionParts = Pick<Service, "database" | "clock" | "credentials">;

/** For so long a sign-in proves who somebody is who has no password. */
const recentMs = 600_000;
/** A person has at most this many live sessions. */
const maxSessions = 20;

export const accessSeconds = 3_600;
export const refreshSeconds = 30 * 86_400;

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/**
 * Begins a session. The refresh token is also the value of the browser's cookie; both live 30 days. The oldest sessions
 * end if the person has more than 20. `verified` is the hash of the password that was verified: throws UNAUTHORIZED if
 * the person is gone or has another password since, so that a login cannot outlive either.
 */
export async function beginSession(
  service: Service,
  { userId, memberId }: MemberRef,
  { verified }: { verified?: string } = {},
): Promise<Tokens> {
  const { database, clock, ids } = service;
  const now = clock.now();
  const sessionId = ids.timed(now);
  const tokens: Tokens = {
    accessToken: newAccessToken(ids),
    refreshToken: newRefreshToken(ids),
  };
  const expiresAt = now + refreshSeconds * 1_000;
  const ended = await database.transact(async (tx) => {
    const [user, member] = await Promise.all([
      tx.get<User>(keys.user(userId)),
      tx.get<Member>(keys.member(userId, memberId)),
    ]);
    const isSame = verified === undefined || verified === member?.passwordHash;
    if (!user || !isSame || member?.status !== "active") {
      throw new ServiceError("UNAUTHORIZED", "The email or the password is wrong.");
    }
    const ended = await enlist(tx, { userId, memberId }, { sessionId, expiresAt }, now);
    const expireInMs = refreshSeconds * 1_000;
    tx.set(
      keys.session(userId, sessionId),
      { sessionId, userId, memberId, createdAt: now, expiresAt } satisfies Session,
      { expireInMs },
    );
    tx.set(
      keys.sessionByRefresh(sha256Hex(tokens.refreshToken)),
      { userId, sessionId, expiresAt } satisfies TokenRow,
      { expireInMs },
    );
    const access: TokenRow = { userId, sessionId, expiresAt: now + accessSeconds * 1_000 };
    tx.set(keys.sessionByAccess(sha256Hex(tokens.accessToken)), access, {
      expireInMs: accessSeconds * 1_000,
    });
    return ended;
  });
  if (ended.length > 0) service.credentials.forget(userId);
  return tokens;
}

/** Adds a session to the list of its person. The expired ones, and the oldest beyond the limit, end: returns them. */
async function enlist(
  tx: Tx,
  { userId, memberId }: MemberRef,
  session: ListedSession,
  now: number,
): Promise<ListedSession[]> {
  const listed = await tx.get<ListedSession[]>(keys.sessionList(userId, memberId)) ?? [];
  const live = [...listed.filter(({ expiresAt }) => expiresAt > now), session].slice(-maxSessions);
  const ended = listed.filter((each) => !live.includes(each));
  tx.set(keys.sessionList(userId, memberId), live, { expireInMs: refreshSeconds * 1_000 });
  for (const { sessionId } of ended) tx.delete(keys.session(userId, sessionId));
  // This ends the event streams of the ended sessions, on other instances too.
  if (ended.length > 0) tx.append(userId, null);
  return ended;
}

/** A new access token for the session of a refresh token; null if that is unknown, ended or expired. */
export async function refreshSession(
  service: Service,
  refreshToken: string,
): Promise<string | null> {
  const session = await findSession(service, "refresh", refreshToken);
  if (!session) return null;
  const { userId, sessionId } = session;
  const accessToken = newAccessToken(service.ids);
  const expiresAt = Math.min(service.clock.now() + accessSeconds * 1_000, session.expiresAt);
  const row: TokenRow = { userId, sessionId, expiresAt };
  return await service.database.transact(async (tx) => {
    // A concurrent logout, or the end of the person or the account, wins: the new token would not work.
    const rows = await Promise.all([
      tx.get(keys.session(userId, sessionId)),
      tx.get(keys.member(userId, personOf(session).memberId)),
      tx.get(keys.user(userId)),
    ]);
    if (rows.includes(null)) return null;
    tx.set(keys.sessionByAccess(sha256Hex(accessToken)), row, {
      expireInMs: accessSeconds * 1_000,
    });
    return accessToken;
  });
}

/**
 * The live session of a token of this kind; null if the token is unknown or expired, or its session has ended.
 * `expiresAt` is the earlier of the token's and the session's. `before` is the session that the token probably belongs to;
 * it is read at the same time.
 */
export async function findSession(
  service: Pick<Service, "database" | "clock">,
  kind: "access" | "refresh",
  token: string,
  before?: { userId: string; sessionId?: string },
): Promise<Session | null> {
  const { database } = service;
  const hash = sha256Hex(token);
  const sessionOf = ({ userId, sessionId = "" }: { userId: string; sessionId?: string }) =>
    database.get<Session>(keys.session(userId, sessionId));
  const [row, expected] = await Promise.all([
    database.get<TokenRow>(
      kind === "access" ? keys.sessionByAccess(hash) : keys.sessionByRefresh(hash),
    ),
    before && sessionOf(before),
  ]);
  const now = service.clock.now();
  if (!row || row.expiresAt <= now) return null;
  const session = row.sessionId === before?.sessionId ? expected : await sessionOf(row);
  if (!session || session.expiresAt <= now) return null;
  return { ...session, expiresAt: Math.min(session.expiresAt, row.expiresAt) };
}

/** Whether the session began in the last 10 minutes. */
export async function isRecentSignIn(
  { database, clock }: Pick<Service, "database" | "clock">,
  { userId, sessionId = "" }: { userId: string; sessionId?: string },
): Promise<boolean> {
  const session = await database.get<Session>(keys.session(userId, sessionId));
  return session !== null && isRecent(session.createdAt, clock.now(), recentMs);
}

/** `inCommit` writes in the commit that ends the session. */
export async function endSession(
  { database, credentials }: SessionParts,
  { userId, memberId }: MemberRef,
  sessionId: string,
  inCommit: (tx: Tx) => void,
): Promise<void> {
  await database.transact(async (tx) => {
    const listed = await tx.get<ListedSession[]>(keys.sessionList(userId, memberId)) ?? [];
    remove(tx, { userId, memberId }, [{ sessionId }], listed);
    inCommit(tx);
  });
  credentials.forget(userId);
}

/**
 * Ends all sessions of the person except the one with the id `except`. Returns how many ended. `inCommit` writes in the
 * commit that ends some.
 */
export async function endSessions(
  { database, credentials, clock }: SessionParts,
  person: MemberRef,
  { except, inCommit }: { except?: string; inCommit?: (tx: Tx) => void } = {},
): Promise<number> {
  const ended = await database.transact(async (tx) => {
    const ended = await endSessionsIn(tx, person, { now: clock.now(), except });
    if (ended > 0) inCommit?.(tx);
    return ended;
  });
  credentials.forget(person.userId);
  return ended;
}

/** The same in a commit, after which the caller must call `credentials.forget`. */
export async function endSessionsIn(
  tx: Tx,
  { userId, memberId }: MemberRef,
  { now, except }: { now: number; except?: string },
): Promise<number> {
  const listed = await tx.get<ListedSession[]>(keys.sessionList(userId, memberId)) ?? [];
  const ended = listed.filter(({ sessionId }) => sessionId !== except);
  if (ended.length > 0) remove(tx, { userId, memberId }, ended, listed);
  return ended.filter(({ expiresAt }) => expiresAt > now).length;
}

function remove(
  tx: Tx,
  { userId, memberId }: MemberRef,
  ended: readonly Pick<ListedSession, "sessionId">[],
  listed: readonly ListedSession[],
): void {
  const ids = new Set(ended.map(({ sessionId }) => sessionId));
  for (const id of ids) tx.delete(keys.session(userId, id));
  const left = listed.filter(({ sessionId }) => !ids.has(sessionId));
  const row = keys.sessionList(userId, memberId);
  if (left.length === 0) tx.delete(row);
  else tx.set(row, left, { expireInMs: refreshSeconds * 1_000 });
  // This ends their event streams on other instances.
  tx.append(userId, null);
}
