import assert from "node:assert/strict";
import type { TestAccount, TestService } from "../../service.ts";

/** One way to call the service: a family of routes with a credential that it takes. */
export interface Family {
  title: string;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
}

/** Every family and credential by which an account holder reaches mailboxes (docs/specification.md "Authentication"). */
export function familiesOf(test: TestService, owner: TestAccount): Family[] {
  const cookie = { cookie: owner.cookie, origin: test.service.settings.BASE_URL };
  return [
    { title: "/v1/api with a key", base: "/v1/api", headers: bearer(owner.key) },
    { title: "/v1/api with a token", base: "/v1/api", headers: bearer(owner.accessToken) },
    { title: "/api with a token", base: "/api", headers: bearer(owner.accessToken) },
    { title: "/api with the cookie", base: "/api", headers: cookie },
  ].map(({ title, base, headers }) => ({
    title,
    call: (method, path, body) => call(test, method, `${base}${path}`, headers, body),
  }));
}

/** Only the session's family, for routes that v1 does not have. */
export function sessionOf(test: TestService, owner: TestAccount): Family {
  return familiesOf(test, owner)[3];
}

/** A failure body without its message, which is for people. */
export function failure(
  answer: { status: number; body: unknown },
): { status: number; code: string; details: unknown } {
  const body = answer.body as {
    success: boolean;
    error: { code: string; message: string; details?: unknown };
  };
  assert.equal(body.success, false, JSON.stringify(body));
  assert.deepEqual(Object.keys(body), ["success", "error"]);
  assert.ok(typeof body.error.message === "string" && body.error.message.length > 0);
  const { code, message: _, details, ...rest } = body.error;
  assert.deepEqual(rest, {});
  return { status: answer.status, code, details };
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function call(
  test: TestService,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<{ status: number; body: unknown }> {
  const answer = await test.request(path, { method, headers, json: body });
  return { status: answer.status, body: await answer.json() };
}
