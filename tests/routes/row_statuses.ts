import assert from "node:assert/strict";
import { type ErrorCode, errorMessages, ServiceError } from "../../domain/core/errors.ts";
import { scopesOf } from "../../domain/core/operation.ts";
import { served } from "../../routes/app.ts";
import { statusOf } from "../../routes/http/failures.ts";
import { readsBody, type RestRoute } from "../../routes/http/rest.ts";
import { dryRunOutput } from "../../domain/mail/send/drafts/send_output.ts";
import { exampleOf, exampleOfSchema } from "../../routes/reference/examples.ts";
import {
  account,
  operatorToken,
  type TestAccount,
  type TestService,
  testService,
} from "../service.ts";
import { bounded } from "../eventually.ts";

/**
 * Gets each documented answer once from every row of the route tables, and asserts it. The operations themselves are
 * replaced: this tests how a result or an error becomes an answer.
 */
export async function answerRows(): Promise<void> {
  await using test = await testService({ plans: { pro: { requestsPerMinute: 0 } } });
  await using strict = await testService({
    plans: { pro: { requestsPerMinute: 0 } },
    env: { ANONYMOUS_REQUESTS_PER_MINUTE: "1" },
  });
  await using closed = await testService({ env: { OPERATOR_TOKEN: "" } });
  const owner = await account(test), limited = await account(strict, "pro");
  for (const route of rows) {
    const { name, errors } = route.operation;
    const token = tokenFor(route, owner);
    const done = await ending(
      route,
      () => exampleOf(route.operation).output,
      () => send(test, route, token),
    );
    assert.equal(done.status, route.status ?? 200, name);
    if (route.dryRun) {
      const rehearsed = await ending(
        route,
        () => exampleOfSchema(dryRunOutput, "output"),
        () => send(test, route, token),
      );
      assert.equal(rehearsed.status, 200, name);
    }
    const codes: ErrorCode[] = ["INTERNAL_ERROR", "SERVICE_UNAVAILABLE", ...errors];
    for (const code of codes) {
      if (route.path === "/v1/api/health" && !errors.includes(code) && code !== "INTERNAL_ERROR") {
        continue;
      }
      const failed = await ending(route, () => {
        // An unforeseen exception: its text must not reach the caller.
        if (code === "INTERNAL_ERROR") throw new TypeError("secret");
        throw new ServiceError(code, undefined, {}, code === "RATE_LIMIT_EXCEEDED" ? 1 : undefined);
      }, () => send(test, route, token));
      assert.equal(failed.status, statusOf[code], `${name} ${code}`);
      assert.deepEqual(await failed.json(), {
        success: false,
        error: { code, message: errorMessages[code], ...detailsOf(route, code) },
      });
    }
    if (token) {
      const stranger = await send(test, route, "nonsense");
      assert.equal(stranger.status, 401, name);
      assert.equal(stranger.headers.get("www-authenticate"), 'Bearer realm="letterbox"');
    }
    if (served.operator.includes(route)) {
      assert.equal((await send(closed, route, token)).status, 404);
      // Earlier rows may have used up the anonymous window.
      await send(strict, route, "nonsense");
      assert.equal((await send(strict, route, "nonsense")).status, 429, name);
    } else if (route.path !== "/v1/api/health") {
      const another = tokenFor(route, limited);
      if (!another) await send(strict, route, another);
      const full = await send(strict, route, another);
      assert.equal(full.status, 429, name);
      assert.ok(Number(full.headers.get("retry-after")) >= 1);
    }
    const [scope] = scopesOf(route.operation);
    if (token && scope && route.path.startsWith("/v1/")) {
      const other = scope === "search" ? "keys:write" : "search";
      const key = await test.request("/v1/api/keys", {
        token: owner.accessToken,
        json: { name: "limited", scopes: [other] },
      });
      const refused = await send(test, route, (await key.json()).data.apiKey);
      assert.equal(refused.status, 403, name);
      const { error } = await refused.json();
      assert.deepEqual(error.details, { required_scope: scope });
    }
    if (token && route.path.startsWith("/api/") && route.method !== "GET") {
      const elsewhere = await send(test, route, undefined, {
        headers: {
          "cookie": owner.cookie,
          "origin": "https://evil.example",
          "content-type": "application/json",
        },
      });
      assert.equal(elsewhere.status, 403, name);
    }
    if (readsBody(route)) {
      const headers = { "content-type": "application/json", "content-length": "999999999" };
      const large = await send(test, route, token, { headers, body: "{}" });
      assert.equal(large.status, 413, name);
      const { body, isRead } = endless();
      const slow = send(test, route, token, {
        headers: { "content-type": "application/json" },
        body,
      });
      await isRead();
      await test.advance(60_000);
      assert.equal((await slow).status, 408, name);
      const broken = await send(test, route, token, {
        headers: { "content-type": "application/json" },
        body: "{",
      });
      assert.equal(broken.status, 400, name);
    }
    const path = route.path.replace(/:\w+/g, "x");
    if (route.family !== "health") {
      const body = route.input === "json" ? "{}" : undefined;
      const headers = body ? { "content-type": "application/json" } : undefined;
      const unknown = await test.request(`${path}?no_such_parameter=1`, {
        ...{ method: route.method, token, headers, body },
      });
      assert.equal(unknown.status, 400, name);
      assert.equal((await unknown.json()).error.code, "VALIDATION_ERROR", name);
    }
    if (route.input === "query") {
      const twice = await test.request(`${path}?a=1&a=2`, { method: route.method, token });
      assert.equal(twice.status, 400, name);
    }
  }
}

const rows = [...served.open, ...served.account, ...served.operator];

function tokenFor(route: RestRoute, owner: TestAccount): string | undefined {
  if (served.open.includes(route)) return undefined;
  if (served.operator.includes(route)) return operatorToken;
  const isForPeople = scopesOf(route.operation).some((scope) =>
    scope === "emails:approve" || scope === "policy:write"
  );
  return route.path.startsWith("/api/") || isForPeople ? owner.accessToken : owner.key;
}

/** The example of the reference as a request. */
async function send(test: TestService, route: RestRoute, token?: string, more: RequestInit = {}) {
  const fields: Record<string, unknown> = { ...exampleOf(route.operation).input };
  const path = route.path.replace(/:(\w+)/g, (_, name) => {
    const field = route.params?.[name] ?? name;
    const value = String(fields[field]);
    delete fields[field];
    return encodeURIComponent(value);
  });
  const query = route.input === "query"
    ? `?${new URLSearchParams(
      Object.entries(fields).map(([name, value]) => [name, String(value)]),
    )}`
    : "";
  return await test.request(path + query, {
    method: route.method,
    token,
    ...(route.input === "json"
      ? { headers: { "content-type": "application/json" }, body: JSON.stringify(fields) }
      : {}),
    ...more,
  });
}

/** A body that never sends a byte; `isRead` resolves once the service waits for it. */
export function endless() {
  const reads = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    { pull: () => reads.resolve() },
    { highWaterMark: 0 },
  );
  return { body, isRead: () => bounded("the body is read", reads.promise) };
}

/** Replaces the operation's result while `then` runs. */
async function ending<T>(route: RestRoute, run: () => unknown, then: () => Promise<T>): Promise<T> {
  const original = route.operation.run;
  route.operation.run = async () => await run();
  try {
    return await then();
  } finally {
    route.operation.run = original;
  }
}

function detailsOf(route: RestRoute, code: ErrorCode) {
  const onDashboard = code === "VALIDATION_ERROR" && route.path.startsWith("/api/");
  return onDashboard ? { details: { field_errors: {} } } : {};
}
