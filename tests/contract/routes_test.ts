import assert from "node:assert/strict";
import { account, inboundToken, mailbox, testService } from "../service.ts";
import { apiRoutes, type Asked, routes, tokenFor } from "./served_routes.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const endOfMinute = String(Date.parse("2026-11-20T10:01:00.000Z") / 1000);
const inApi = (path: string) => /^\/(v1|api)\//.test(path);

/** The three headers of docs/specification.md "Rate limits", which are on every answer of the API. */
function assertLimits(answer: Response, what: string): void {
  for (const name of ["limit", "remaining"]) {
    assert.match(answer.headers.get(`x-ratelimit-${name}`) ?? "", /^\d+$/, `${what}: ${name}`);
  }
  assert.equal(answer.headers.get("x-ratelimit-reset"), endOfMinute, what);
}

/** Checks a failure body: the fields of docs/specification.md "Errors" and no others. */
async function failureOf(answer: Response) {
  const { success, error, ...others } = await answer.json();
  const { code, message, details, ...more } = error;
  assert.deepEqual([success, others, more], [false, {}, {}]);
  assert.ok(typeof message === "string" && message.length > 0);
  assert.ok(details === undefined || Object.keys(details).length > 0, "empty details are omitted");
  return { status: answer.status, code, details };
}

// SPEC: general.paths
Deno.test("agents are served only under /v1/api and /v1/mcp, dashboards only under /api", () => {
  const bases = routes.filter(({ access }) => access === "account").map(({ path }) => path);
  assert.deepEqual(bases.filter((path) => !/^\/(v1\/(api\/|mcp$)|api\/)/.test(path)), []);
  for (const path of ["/v1/api/emails", "/v1/mcp", "/api/domains", "/api/billing/usage"]) {
    assert.ok(bases.includes(path), path);
  }
});

// SPEC: access.unauthorized, error.unauthorized, emails.raw_401, mcp.unauthorized, limit.headers
Deno.test("every account route is 401 without a valid credential, with a Bearer challenge", async () => {
  await using test = await testService();
  const { key, refreshToken } = await account(test);
  const guarded = apiRoutes.filter(({ access }) => access === "account");
  assert.ok(guarded.length > 30);
  for (const { method, path } of guarded) {
    const wrong = [undefined, "lbx_nobody_nobody", "nonsense", refreshToken];
    if (path.startsWith("/api/")) wrong.push(key);
    for (const token of wrong) {
      const what = `${method} ${path} with ${token}`;
      const answer = await test.request(path, { method, token });
      assertLimits(answer, what);
      assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer\b/, what);
      assert.deepEqual(
        [answer.status, await answer.json()],
        [401, {
          success: false,
          error: { code: "UNAUTHORIZED", message: "Credentials are missing or not valid." },
        }],
        what,
      );
    }
  }
});

// SPEC: http.method, mcp.methods, limit.headers
Deno.test("a wrong method on any known path is 405 with Allow", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const path of new Set(routes.map(({ path }) => path))) {
    const here = routes.filter(({ pattern }) => pattern.test(path));
    const allowed = [...new Set(here.map(({ method }) => method))];
    for (const method of methods.filter((each) => !allowed.includes(each))) {
      const what = `${method} ${path}`;
      const answer = await test.request(path, { method, token: tokenFor(here[0], owner) });
      assert.deepEqual(await failureOf(answer), {
        status: 405,
        code: "METHOD_NOT_ALLOWED",
        details: undefined,
      }, what);
      const allow = answer.headers.get("allow")?.split(", ").sort();
      const expected = allowed.includes("GET") ? [...allowed, "HEAD"] : allowed;
      assert.deepEqual(allow, expected.toSorted(), what);
      if (inApi(path)) assertLimits(answer, what);
    }
  }
});

// SPEC: http.unknown_path, error.not_found, error.body, limit.headers
Deno.test("an unknown path is 404 NOT_FOUND in every family, with a credential and without", async () => {
  await using test = await testService();
  const { key, accessToken } = await account(test);
  const paths: [string, string | undefined][] = [
    ["/", undefined],
    ["/nowhere", undefined],
    ["/v1", key],
    ["/v1/api", key],
    ["/v1/api/emails/a/b/c", key],
    ["/v1/api/domains", key],
    ["/v1/api/nowhere", undefined],
    ["/v2/api/emails", key],
    ["/api/nowhere", accessToken],
    ["/api/emails/a/b/c", accessToken],
    ["/inbound/nowhere", inboundToken],
  ];
  for (const [path, token] of paths) {
    const answer = await test.request(path, { token });
    if (inApi(path)) assertLimits(answer, path);
    assert.deepEqual([answer.status, await answer.json()], [404, {
      success: false,
      error: { code: "NOT_FOUND", message: "There is no such route." },
    }], path);
  }
});

const jsonRoutes = routes.filter(({ json }) => json);
const post = (route: Asked, body: BodyInit | undefined, headers: Record<string, string> = {}) => ({
  method: route.method,
  body,
  headers,
});

// SPEC: error.bad_request, http.media_type, limit.headers
Deno.test("every JSON route is 400 BAD_REQUEST without the body that it needs, and for one that is not JSON, not an object, or of another type", async () => {
  await using test = await testService();
  const owner = await account(test);
  assert.ok(jsonRoutes.length > 15);
  const type = "application/json";
  const bodies: [string | undefined, Record<string, string>][] = [
    [undefined, {}],
    [undefined, { "content-type": type }],
    [" ", { "content-type": type }],
    ["{", { "content-type": type }],
    ["[]", { "content-type": type }],
    ['"text"', { "content-type": type }],
    ["null", { "content-type": type }],
    ["{}", { "content-type": "text/plain" }],
    ["{}", { "content-type": "application/x-www-form-urlencoded" }],
    ["{}", {}],
  ];
  for (const route of jsonRoutes) {
    for (const [body, headers] of bodies) {
      if (route.json?.optional && (body ?? "").trim() === "") continue;
      const what = `${route.method} ${route.path} ${JSON.stringify(headers)} ${body}`;
      const token = tokenFor(route, owner);
      const answer = await test.request(route.path, { ...post(route, body, headers), token });
      if (inApi(route.path)) assertLimits(answer, what);
      assert.deepEqual(await failureOf(answer), {
        status: 400,
        code: "BAD_REQUEST",
        details: undefined,
      }, what);
    }
  }
});

Deno.test("a route whose fields are all optional takes a request without a body as `{}`", async () => {
  await using test = await testService();
  const owner = await account(test);
  // The one with a field that is required names it: see the tests of deletion.
  const optional = jsonRoutes.filter(({ json, path, method }) =>
    json?.optional && path.startsWith("/v1/") && method !== "DELETE"
  );
  assert.deepEqual(optional.map(({ method, path }) => `${method} ${path}`).sort(), [
    "POST /v1/api/claims/nobody-has-it/extend",
    "POST /v1/api/claims/nobody-has-it/nack",
    "POST /v1/api/drafts/nobody-has-it/reject",
    "POST /v1/api/drafts/nobody-has-it/send",
    "POST /v1/api/mailboxes/nobody-has-it/claims",
    "POST /v1/api/uploads",
  ]);
  for (const route of optional) {
    for (const [body, headers] of [[undefined, {}], ["", { "content-type": "application/json" }]]) {
      const token = route.path.endsWith("/reject") ? owner.accessToken : owner.key;
      const answer = await test.request(route.path, {
        ...post(route, body as string | undefined, headers as Record<string, string>),
        token,
      });
      if (route.path === "/v1/api/uploads") {
        assert.equal(answer.status, 201);
        await answer.body?.cancel();
        continue;
      }
      assert.deepEqual(await failureOf(answer), {
        status: 404,
        code: "NOT_FOUND",
        details: undefined,
      }, route.path);
    }
  }
});

/** The JSON routes that ignore unknown fields, as docs/specification.md lists them. */
const ignoring =
  /^\/api\/(auth\/(register|login|refresh)$|domains|billing)|^\/(v1\/)?api\/(keys|webhooks)|^\/(v1\/)?api\/mailboxes(\/[^/]+)?$|^\/operator\/accounts\/plan$/;

Deno.test("an unknown field of a body is 400 and named, on every JSON route except those that ignore it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const strict = jsonRoutes.filter(({ path }) => !ignoring.test(path));
  assert.ok(strict.length > 25);
  for (const route of strict) {
    const token = route.path.endsWith("/policy") || /\/(approve|reject)$/.test(route.path)
      ? owner.accessToken
      : tokenFor(route, owner);
    const what = `${route.method} ${route.path}`;
    const answer = await test.request(route.path, {
      method: route.method,
      json: { nobody_has_this: 1 },
      token,
    });
    const { code, details = {} } = (await answer.json()).error;
    const fields = route.family === "dashboard" ? details.field_errors : details;
    assert.deepEqual([answer.status, code], [400, "VALIDATION_ERROR"], what);
    assert.match(String(fields.nobody_has_this), /^is not a parameter/, what);
  }
});

/** A body of this many bytes, made piece by piece. */
function streamOf(size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const piece = new Uint8Array(2 ** 16).fill(0x20);
  let left = size;
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      const next = piece.subarray(0, Math.min(left, piece.length));
      left -= next.length;
      controller.enqueue(next);
    },
  });
}

// SPEC: http.too_large, limit.headers
Deno.test("a JSON body over 1 MiB is 413, over 40 MiB on send, reply, forward, drafts and MCP; at the limit it is read", async () => {
  await using test = await testService();
  const owner = await account(test);
  const large = jsonRoutes.filter(({ json }) => json?.maxBytes === 40 * 2 ** 20);
  assert.deepEqual(large.map(({ path }) => path), [
    "/v1/api/emails/send",
    "/v1/api/emails/nobody-has-it/reply",
    "/v1/api/emails/nobody-has-it/forward",
    "/v1/api/drafts",
    "/v1/api/drafts/nobody-has-it",
    "/api/emails/send",
    "/api/emails/nobody-has-it/reply",
    "/api/emails/nobody-has-it/forward",
    "/api/drafts",
    "/api/drafts/nobody-has-it",
  ]);
  const [mcp] = routes.filter(({ path }) => path === "/v1/mcp");
  const json = { "content-type": "application/json" };
  for (const route of [...jsonRoutes, { ...mcp, json: { maxBytes: 40 * 2 ** 20 } }]) {
    const { maxBytes, optional } = route.json!;
    const token = tokenFor(route, owner);
    const announced = { ...json, "content-length": String(maxBytes + 1) };
    const attempts = [post(route, "{}", announced)];
    // Bodies without a declared length are counted; one large one is enough.
    if (maxBytes < 40 * 2 ** 20 || route.path.endsWith("/send")) {
      attempts.push(post(route, streamOf(maxBytes + 1), json));
    }
    for (const attempt of attempts) {
      const answer = await test.request(route.path, { ...attempt, token });
      if (inApi(route.path)) assertLimits(answer, route.path);
      assert.deepEqual(await failureOf(answer), {
        status: 413,
        code: "PAYLOAD_TOO_LARGE",
        details: { limit: maxBytes },
      }, `${route.method} ${route.path}`);
    }
    if (maxBytes === 40 * 2 ** 20) continue;
    const full = await test.request(route.path, {
      ...post(route, streamOf(maxBytes), json),
      token,
    });
    // It is blank, so it counts as absent.
    if (optional) {
      assert.notEqual(full.status, 413, route.path);
      await full.body?.cancel();
      continue;
    }
    assert.deepEqual(await failureOf(full), {
      status: 400,
      code: "BAD_REQUEST",
      details: undefined,
    }, route.path);
  }
});

// SPEC: error.internal, error.body, limit.headers
Deno.test("an unforeseen exception is 500 INTERNAL_ERROR on every route; its text is in the log, not in the answer", async () => {
  // The exception is planted in one process.
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  for (const token of [owner.key, owner.accessToken]) {
    await test.request(token === owner.key ? "/v1/api/keys" : "/api/keys", { token });
  }
  const { database } = test.service;
  const broken = () => {
    throw new TypeError("the secret of the inside");
  };
  const parts = ["get", "getMany", "list", "collect", "transact"] as const;
  const whole = parts.map((part) => database[part]);
  for (const part of parts) Object.assign(database, { [part]: broken });
  const body = JSON.stringify({
    ...{ query: "x", name: "x", url: "https://example.org/", events: ["email.received"] },
    ...{ local_part: "agent-one", domain: "agents.test", confirm_email_address: "x" },
  });
  const failed: string[] = [];
  const rest = apiRoutes.filter(({ access, path }) => access === "account" && path !== "/v1/mcp");
  for (const route of rest) {
    const what = `${route.method} ${route.path}`;
    const answer = await test.request(route.path, {
      ...post(route, route.json ? body : undefined, { "content-type": "application/json" }),
      token: tokenFor(route, owner),
    });
    assertLimits(answer, what);
    const text = await answer.text();
    assert.doesNotMatch(text, /secret|inside|TypeError|\bat .*\.ts/, what);
    if (answer.status !== 500) continue;
    failed.push(what);
    assert.deepEqual(JSON.parse(text), {
      success: false,
      error: { code: "INTERNAL_ERROR", message: "The service failed to handle the request." },
    }, what);
  }
  parts.forEach((part, n) => Object.assign(database, { [part]: whole[n] }));
  assert.ok(failed.length >= 25, failed.join("\n"));
  const logged = test.log.filter(({ event }) => event === "request.failed");
  assert.equal(logged.length, failed.length);
  assert.match(JSON.stringify(logged[0]), /the secret of the inside/);
});

// SPEC: error.unavailable, limit.headers
Deno.test("while the database does not answer every request is 503 with Retry-After", async () => {
  await using test = await testService();
  const { key, accessToken } = await account(test);
  const { getMany, list } = Deno.Kv.prototype;
  const away = () => Promise.reject(new Error("database is locked"));
  const { kv } = test;
  // Another process, with empty caches.
  await using fresh = await testService({ kv, parts: { clock: test.clock } });
  Object.assign(Deno.Kv.prototype, {
    getMany: away,
    list: () => ({ [Symbol.asyncIterator]: () => ({ next: away }) }),
  });
  try {
    for (const [path, token] of [["/v1/api/emails", key], ["/api/keys", accessToken]]) {
      const answer = await fresh.request(path, { token });
      assertLimits(answer, path);
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
      assert.deepEqual([answer.status, await answer.json()], [503, {
        success: false,
        error: { code: "SERVICE_UNAVAILABLE", message: "The database is not available." },
      }]);
    }
  } finally {
    Object.assign(Deno.Kv.prototype, { getMany, list });
  }
  assert.equal((await fresh.request("/v1/api/emails", { token: key })).status, 200);
});

// SPEC: http.id_length
Deno.test("no id in a path is a 5xx, whatever its length and letters", async () => {
  await using test = await testService();
  const owner = await account(test);
  const withId = apiRoutes.filter(({ path }) => path.includes("nobody-has-it"));
  assert.ok(withId.length > 15);
  const body = JSON.stringify({ body_text: "x", active: true, confirm_email_address: "x" });
  for (const id of ["x".repeat(5_000), "\u4e2d".repeat(700), "%00", "%ff", "a%2Fb", "__proto__"]) {
    for (const route of withId) {
      const answer = await test.request(route.path.replaceAll("nobody-has-it", id), {
        ...post(route, route.method === "GET" ? undefined : body, {
          "content-type": route.path.endsWith("/import") ? "message/rfc822" : "application/json",
        }),
        // A session has the scopes that a key must name.
        token: route.access === "account" ? owner.accessToken : tokenFor(route, owner),
      });
      const what = `${route.method} ${route.path} ${id.slice(0, 9)}: ${answer.status}`;
      assert.ok(answer.status === 404 || answer.status === 400, what);
      await answer.body?.cancel();
    }
  }
});

Deno.test("a foreign address and no address of a mailbox are the same 404; a Message-ID instead of an id says what to give", async () => {
  await using test = await testService();
  const [owner, other] = [await account(test), await account(test)];
  const own = (await mailbox(test, owner)).email_address;
  const foreign = (await mailbox(test, other)).email_address;
  const errorOf = async (path: string, method = "GET", json?: object) => {
    const answer = await test.request(path, { token: owner.key, method, json });
    assert.equal(answer.status, 404, path);
    return (await answer.json()).error;
  };
  const wanted = (what: string, not: string) => ({
    code: "NOT_FOUND",
    message: `There is no such ${what}. Give its ${what}_id as lists have it, not ${not}.`,
  });
  for (const address of [foreign, "nobody@agents.localhost"]) {
    for (
      const [path, json] of [
        [`/v1/api/emails?mailbox_id=${address}`],
        [`/v1/api/emails/wait?mailbox_id=${address}`],
        [`/v1/api/mailboxes/${address}/policy`],
        ["/v1/api/search", { query: "x", mailbox_id: address }],
        ["/v1/api/emails/send", { mailbox_id: address, to: own, subject: "x", body_text: "x" }],
        ["/v1/api/webhooks", {
          url: "https://hooks.example/",
          events: ["email.received"],
          mailbox_ids: [address],
        }],
        ["/v1/api/keys", { name: "one", mailboxIds: [address] }],
      ] as [string, object?][]
    ) {
      assert.deepEqual(
        await errorOf(path, json ? "POST" : "GET", json),
        { code: "NOT_FOUND", message: "There is no such mailbox." },
        path,
      );
    }
  }
  for (const path of ["", "/raw", "/verification"]) {
    assert.deepEqual(
      await errorOf(`/v1/api/emails/${encodeURIComponent("<1@one.example>")}${path}`),
      wanted("email", "a Message-ID"),
      path,
    );
  }
});
