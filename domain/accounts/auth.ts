import { z } from "zod";
import { ServiceError } from "../core/errors.ts";
import { openOperation, operation } from "../core/operation.ts";
import type { Tx } from "../store/database.ts";
import {
  accessSeconds,
  beginSession,
  endSession,
  endSessions,
  refreshSession,
} from "./sessions.ts";
import { findMemberByEmail, personOf } from "./member.ts";

/** What begins with a login. */
export const sessionOutput = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresIn: z.number().int().describe("Seconds"),
  user: z.object({ userId: z.string(), name: z.string() }),
}).meta({ id: "Session" });

export const login = openOperation({
  name: "login",
  title: "Log in",
  description: "Begins a session: returns an access token and a refresh token, and sets a cookie.",
  scope: null,
  input: z.object({ email: z.string().max(320), password: z.string().max(1_024) }),
  output: sessionOutput,
  // NOT_FOUND with PASSWORD_LOGIN=off.
  errors: ["VALIDATION_ERROR", "UNAUTHORIZED", "RATE_LIMIT_EXCEEDED", "NOT_FOUND"],
  async run(service, { clientAddress }, input) {
    // Read while the guard reads its counts.
    const finding = findMemberByEmail(service, input.email);
    finding.catch(() => {});
    const right = await service.loginGuard.attempt(
      input.email,
      clientAddress,
      async () => service.passwords.verify(input.password, (await finding)?.passwordHash ?? null),
    );
    const member = await finding;
    if (!right || !member?.passwordHash) {
      throw new ServiceError("UNAUTHORIZED", "The email or the password is wrong.");
    }
    const tokens = await beginSession(service, member, { verified: member.passwordHash });
    const { userId, name } = member;
    return { ...tokens, expiresIn: accessSeconds, user: { userId, name } };
  },
});

export const refresh = openOperation({
  name: "refresh",
  title: "Refresh",
  description: "Returns a new access token for a refresh token.",
  scope: null,
  input: z.object({ refreshToken: z.string().max(200) }),
  output: z.object({
    accessToken: z.string(),
    expiresIn: z.number().int().describe("Seconds"),
  }).meta({ id: "AccessToken" }),
  errors: ["VALIDATION_ERROR", "UNAUTHORIZED"],
  async run(service, _guest, input) {
    const accessToken = await refreshSession(service, input.refreshToken);
    if (!accessToken) {
      throw new ServiceError("UNAUTHORIZED", "The refresh token is not valid or has expired.");
    }
    return { accessToken, expiresIn: accessSeconds };
  },
});

export const logout = operation({
  name: "logout",
  title: "Log out",
  description: "Ends the session of the token or cookie; all its tokens become invalid.",
  scope: null,
  audit: "change",
  input: z.object({}),
  output: z.object({ message: z.string() }),
  errors: [],
  async run(service, caller, _input, call) {
    const { sessionId } = caller;
    if (sessionId) {
      await endSession(service, personOf(caller), sessionId, (tx) => call.audit({}, tx));
    }
    return { message: "Logged out." };
  },
});

export const endOtherSessions = operation({
  name: "end_other_sessions",
  title: "End all other sessions",
  description:
    "Ends every other session of the person, with its tokens and cookie. API keys stay valid.",
  scope: null,
  audit: "change",
  input: z.object({}),
  output: z.object({ ended: z.number().int().describe("How many sessions ended") }),
  errors: [],
  async run(service, caller, _input, call) {
    const inCommit = (tx: Tx) => call.audit({}, tx);
    const { sessionId: except } = caller;
    return { ended: await endSessions(service, personOf(caller), { except, inCommit }) };
  },
});
