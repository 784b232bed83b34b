import assert from "node:assert/strict";
import { registerClient } from "../../../domain/apps/registered_client.ts";
import { grantableScopes } from "../../../domain/core/caller.ts";
import { beginSession } from "../../../domain/accounts/sessions.ts";
import type { Role } from "../../../domain/core/roles/role.ts";
import * as keys from "../../../domain/store/keys.ts";
import { colleague } from "../../domain/accounts/members/colleague.ts";
import { ScriptedTarget } from "../../domain/webhooks/scripted_target.ts";
import { createApp } from "../../../routes/app.ts";
import { scopeSentences } from "../../../routes/oauth/scope_sentences.ts";
import { pageWords } from "../../../dashboard/parts/page_words.ts";
import { appsOf, challenge, exchange, register } from "./connect.ts";
import {
  account,
  FakeClock,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";

const redirectUri = "https://agent.example/callback";
const issuer = "http://localhost:8000";

/** A service with an account, a registered client, and a browser. */
async function opened(test: TestService, redirectUris = [redirectUri], name = "Agent") {
  const app = createApp(test.service);
  const owner = await account(test);
  const { clientId } = await registerClient(test.service, "192.0.2.1", { name, redirectUris });
  const pathWith = (changes: Record<string, string | null> = {}) => {
    const asked: Record<string, string | null> = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUris[0],
      code_challenge: "A".repeat(43),
      code_challenge_method: "S256",
      state: "s t&a=te",
      ...changes,
    };
    const given = Object.entries(asked).filter((each): each is [string, string] =>
      each[1] !== null
    );
    return `/oauth/authorize?${new URLSearchParams(given)}`;
  };
  const get = (path: string, who: TestAccount | null = owner) =>
    app.request(path, { headers: who ? { cookie: who.cookie } : {} });
  const post = (
    path: string,
    fields: [string, string][],
    { who = owner, origin = issuer }: { who?: TestAccount | null; origin?: string } = {},
  ) =>
    app.request(path, {
      method: "POST",
      headers: { origin, ...who ? { cookie: who.cookie } : {} },
      body: new URLSearchParams(fields),
    });
  return { test, app, owner, clientId, pathWith, get, post };
}

const allowed: [string, string][] = [
  ["scope", "emails:read"],
  ["mailboxes", "all"],
  ["decision", "allow"],
];

/** The parameters of the redirect with which a request was answered. */
function led(answer: Response, to = redirectUri): Record<string, string> {
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const url = new URL(answer.headers.get("location")!);
  const query = Object.fromEntries(url.searchParams);
  url.search = "";
  assert.equal(url.href, to);
  return query;
}

/** A page for people, and nowhere a redirect. Returns its HTML. */
async function shown(answer: Response, status: number): Promise<string> {
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get("location"), null);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const policy = answer.headers.get("content-security-policy")!;
  assert.match(policy, /^default-src 'none'; style-src 'sha256-/);
  assert.match(policy, /frame-ancestors 'none'/);
  const html = await answer.text();
  assert.match(html, /<html lang="en">/);
  assert.doesNotMatch(html, /<script/);
  return html;
}

/** How many codes and grants are stored. */
async function stored({ test }: { test: TestService }): Promise<number> {
  const [table] = keys.grantFamily("any");
  let count = 0;
  for await (const _ of test.kv.list({ prefix: [table] })) count++;
  return count;
}

/** Values of the boxes of a name, in order, with those that are ticked. */
function boxes(html: string, name: string): [value: string, isTicked: boolean][] {
  const pattern = new RegExp(`<input type="\\w+" name="${name}" value="([^"]*)"( checked)?>`, "g");
  return [...html.matchAll(pattern)].map(([, value, checked]) => [value, checked !== undefined]);
}

// SPEC: consent.page
Deno.test("the consent page shows the app, where it is sent to, the account, and what was asked and can be granted, ticked", async () => {
  await using test = await testService();
  const { owner, pathWith, get } = await opened(test);
  const box = await mailbox(test, owner);
  const scope =
    "search emails:approve emails:read nobody:knows policy:write keys:write offline_access";
  const html = await shown(await get(pathWith({ scope })), 200);
  for (const text of ["<bdi>Agent</bdi>", "<dd>agent.example</dd>", owner.email]) {
    assert.ok(html.includes(text), text);
  }
  assert.deepEqual(boxes(html, "scope"), [["emails:read", true], ["search", true]]);
  for (const each of ["emails:read", "search"] as const) {
    assert.ok(html.includes(scopeSentences[each]!), each);
  }
  assert.deepEqual(boxes(html, "mailboxes"), [["all", true], ["some", false]]);
  assert.deepEqual(boxes(html, "mailbox_id"), [[box.mailbox_id, false]]);
  assert.ok(html.includes(box.email_address));
  assert.match(html, /name="decision" value="deny">Deny</);
  assert.match(html, /name="decision" value="allow">Allow</);
  // Without scopes the app gets what the eight tools use.
  const usual = await shown(await get(pathWith()), 200);
  assert.deepEqual(boxes(usual, "scope").map(([value]) => value), [
    ...["emails:read", "emails:send", "mailboxes:read", "search"],
  ]);
});

// SPEC: consent.page, roles.grants
Deno.test("the page offers a person no scope beyond their role, and takes none", async () => {
  await using test = await testService();
  const { owner, pathWith, get, post } = await opened(test);
  const cookieOf = async (role: Role) => {
    const person = await colleague(test, owner, role);
    const { refreshToken } = await beginSession(test.service, person);
    return { ...owner, cookie: owner.cookie.replace(/=.*/, `=${refreshToken}`) };
  };
  const viewer = await cookieOf("viewer"), admin = await cookieOf("admin");
  const scope = "emails:read emails:send emails:write mailboxes:write search";
  const offered = async (who: TestAccount) =>
    boxes(await shown(await get(pathWith({ scope }), who), 200), "scope").map(([value]) => value);
  assert.deepEqual(await offered(viewer), ["emails:read", "search"]);
  assert.deepEqual((await offered(admin)).join(" ").split(" ").length, 5);
  const forged: [string, string][] = [["scope", "emails:send"], ...allowed];
  const { code } = led(await post(pathWith({ scope }), forged, { who: viewer }));
  const family = await test.kv.list<{ scopes: string[] }>({ prefix: [keys.grantFamily("any")[0]] })
    .next();
  assert.deepEqual([typeof code, family.value?.value.scopes], ["string", ["emails:read"]]);
  const none = led(await get(pathWith({ scope: "emails:send" }), viewer));
  assert.equal(none.error, "invalid_scope");
});

// SPEC: consent.page
Deno.test("each scope that can be granted has a sentence, the same as under Connected apps", () => {
  assert.deepEqual(Object.keys(scopeSentences).sort(), grantableScopes.toSorted());
  assert.deepEqual(scopeSentences, pageWords.apps.may);
  for (const never of ["emails:approve", "policy:write", "keys:write"]) {
    assert.ok(!(never in scopeSentences), never);
  }
});

// SPEC: consent.stranger
Deno.test("an app's name is text on the page, whatever it is", async () => {
  await using test = await testService();
  const name = `</bdi><script>alert(1)</script>"'&`;
  const { pathWith, get } = await opened(test, [redirectUri], name);
  for (const path of [pathWith(), pathWith({ redirect_uri: "https://other.example/<i>" })]) {
    const answer = await get(path);
    const html = await shown(answer, answer.status);
    assert.ok(
      html.includes("<bdi>&lt;/bdi&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;</bdi>"),
    );
    assert.ok(!html.includes("<i>"));
  }
});

// SPEC: consent.stranger
Deno.test("a name that turns the direction, breaks the line or hides text is one plain line on the page", async () => {
  await using test = await testService();
  const { pathWith, get } = await opened(test);
  const client_id = await register(test, {
    redirect_uris: [redirectUri],
    client_name: "Kin\u202e\u2066dly\n\u0007Bank\u200b\u{e0041}",
  });
  const html = await shown(await get(pathWith({ client_id })), 200);
  assert.match(html, /<bdi>Kin dly Bank<\/bdi>/);
});

// SPEC: consent.page
Deno.test("the policy of the page lets the form go on to the redirect, of any scheme", async () => {
  await using test = await testService();
  for (
    const [uri, sources] of [
      [redirectUri, "'self' https:"],
      ["http://127.0.0.1:4711/callback", "'self' http: https:"],
      ["http://[::1]/callback", "'self' http: https:"],
      ["cursor://anysphere.cursor-mcp/oauth/callback", "'self' cursor: https:"],
    ]
  ) {
    const { pathWith, get } = await opened(test, [uri]);
    const answer = await get(pathWith());
    await shown(answer, 200);
    const policy = answer.headers.get("content-security-policy")!;
    assert.equal(/form-action ([^;]*)/.exec(policy)![1], sources);
    // With "no-referrer" a browser sends `Origin: null` with the form.
    assert.equal(answer.headers.get("referrer-policy"), "same-origin");
    assert.equal(answer.headers.get("cross-origin-opener-policy"), null);
  }
});

// SPEC: consent.answer
Deno.test("Allow leads to the redirect with code, state and iss; Deny with access_denied", async () => {
  await using test = await testService();
  const one = await opened(test);
  const { pathWith, post } = one;
  const path = pathWith({ scope: "emails:read search" });
  const { code, ...rest } = led(await post(path, allowed));
  assert.deepEqual(rest, { state: "s t&a=te", iss: issuer });
  assert.match(code, /^\S{20,}$/);
  assert.equal(await stored(one), 1);
  const denied = led(await post(path, [["decision", "deny"]]));
  assert.equal(denied.error, "access_denied");
  assert.deepEqual([denied.state, denied.iss, denied.code], ["s t&a=te", issuer, undefined]);
  assert.equal(await stored(one), 1);
  const { state } = led(await post(pathWith({ state: null }), allowed));
  assert.equal(state, undefined);
});

// SPEC: consent.answer
Deno.test("the app gets exactly what was ticked", async () => {
  await using test = await testService();
  const { owner, clientId, pathWith, post } = await opened(test);
  const { mailbox_id } = await mailbox(test, owner);
  await mailbox(test, owner);
  const path = pathWith({ scope: "emails:read emails:send search", code_challenge: challenge });
  const { code } = led(
    await post(path, [
      ["scope", "search"],
      ["scope", "emails:read"],
      ["scope", "emails:approve"],
      ["scope", "emails:write"],
      ["mailboxes", "some"],
      ["mailbox_id", mailbox_id],
      ["mailbox_id", mailbox_id],
      ["decision", "allow"],
    ]),
  );
  assert.equal((await exchange(test, clientId, code, { redirect_uri: redirectUri })).status, 200);
  const [{ client_name, client_host, scopes, mailbox_ids }] = await appsOf(test, owner);
  assert.deepEqual([client_name, client_host], ["Agent", "agent.example"]);
  assert.deepEqual([scopes, mailbox_ids], [["emails:read", "search"], [mailbox_id]]);
});

// SPEC: consent.nothing
Deno.test("Allow with no scope or no mailbox shows the page again with what was ticked and a message, and writes nothing", async () => {
  await using test = await testService();
  const one = await opened(test);
  const { owner, pathWith, post } = one;
  const { mailbox_id } = await mailbox(test, owner);
  const path = pathWith({ scope: "emails:read search" });
  const cases: [fields: [string, string][], message: RegExp, ticked: boolean[]][] = [
    [[["mailboxes", "all"], ["decision", "allow"]], /Nothing is ticked/, [false, false]],
    // A scope that was not asked is none.
    [
      [["scope", "emails:send"], ["scope", "emails:approve"], ["mailboxes", "all"], [
        "decision",
        "allow",
      ]],
      /Nothing is ticked/,
      [false, false],
    ],
    [
      [["scope", "search"], ["mailboxes", "some"], ["decision", "allow"]],
      /No mailbox is ticked/,
      [false, true],
    ],
    [[["scope", "search"], ["decision", "allow"]], /No mailbox is ticked/, [false, true]],
    [[["scope", "search"], ["mailboxes", "all"]], /Choose Allow or Deny/, [false, true]],
    [[["scope", "search"], ["decision", "ALLOW"]], /Choose Allow or Deny/, [false, true]],
  ];
  for (const [fields, message, ticked] of cases) {
    const html = await shown(await post(path, fields), 400);
    assert.match(html, message);
    assert.match(html, /role="alert"/);
    assert.deepEqual(boxes(html, "scope").map(([, is]) => is), ticked);
  }
  const kept = await shown(
    await post(path, [["mailboxes", "some"], ["mailbox_id", mailbox_id], ["decision", "allow"]]),
    400,
  );
  assert.deepEqual(boxes(kept, "mailboxes"), [["all", false], ["some", true]]);
  assert.deepEqual(boxes(kept, "mailbox_id"), [[mailbox_id, true]]);
  assert.equal(await stored(one), 0);
});

// SPEC: consent.nothing
Deno.test("a mailbox of another account is as unknown as one that never was, and writes nothing", async () => {
  await using test = await testService();
  const one = await opened(test);
  const { owner, pathWith, post } = one;
  const { mailbox_id: own } = await mailbox(test, owner);
  const { mailbox_id: foreign } = await mailbox(test, await account(test));
  for (const mailboxId of [foreign, "never-was"]) {
    const fields: [string, string][] = [
      ["scope", "emails:read"],
      ["mailboxes", "some"],
      ["mailbox_id", own],
      ["mailbox_id", mailboxId],
      ["decision", "allow"],
    ];
    const html = await shown(await post(pathWith(), fields), 404);
    assert.match(html, /does not exist any more/);
    assert.ok(!html.includes(mailboxId));
  }
  assert.equal(await stored(one), 0);
});

// SPEC: consent.unknown
Deno.test("an unknown client or redirect is a page that says so, with and without a session, and never a redirect", async () => {
  await using test = await testService();
  const { owner, clientId, pathWith, get, post } = await opened(test);
  const twice = (name: string, value: string) =>
    `${pathWith()}&${new URLSearchParams({ [name]: value })}`;
  for (const who of [owner, null]) {
    for (
      const path of [
        "/oauth/authorize",
        pathWith({ client_id: null }),
        pathWith({ client_id: "nobody" }),
        pathWith({ client_id: "x".repeat(10_000) }),
        twice("client_id", clientId),
      ]
    ) {
      assert.match(await shown(await get(path, who), 400), /not known here/, path);
    }
    for (
      const redirect of [
        null,
        "https://evil.example/callback",
        `${redirectUri}/`,
        `${redirectUri}?more=1`,
        `${redirectUri}#fragment`,
        "https://agent.example:444/callback",
        "http://agent.example/callback",
        "javascript:alert(1)",
        "data:text/html,hi",
      ]
    ) {
      const html = await shown(await get(pathWith({ redirect_uri: redirect }), who), 400);
      assert.match(html, /asks for an answer elsewhere/);
      // What came, and what was registered, help who wrote the client.
      assert.ok(html.includes(`<code>${redirectUri}</code>`));
    }
    await shown(await get(twice("redirect_uri", redirectUri), who), 400);
    await shown(await post(pathWith({ client_id: "nobody" }), allowed, { who }), 400);
  }
});

// SPEC: consent.errors
Deno.test("every other error goes to the redirect with error, state and iss, and writes nothing", async () => {
  await using test = await testService();
  const one = await opened(test);
  const { pathWith, get, post } = one;
  const cases: [changes: Record<string, string | null>, error: string][] = [
    [{ response_type: null }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ code_challenge: null }, "invalid_request"],
    [{ code_challenge: "" }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ code_challenge_method: null }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ scope: "emails:approve nobody:knows" }, "invalid_scope"],
    [{ resource: "https://elsewhere.example/v1/mcp" }, "invalid_target"],
  ];
  for (const [changes, error] of cases) {
    for (const answer of [await get(pathWith(changes)), await post(pathWith(changes), allowed)]) {
      const query = led(answer);
      assert.deepEqual([query.error, query.state, query.iss], [error, "s t&a=te", issuer]);
      assert.equal(query.code, undefined);
    }
  }
  const twice = led(await get(`${pathWith()}&scope=search&scope=emails:read`));
  assert.deepEqual([twice.error, twice.state], ["invalid_request", "s t&a=te"]);
  // Which of two states is right nobody knows.
  const states = led(await get(`${pathWith()}&state=other`));
  assert.deepEqual([states.error, states.state], ["invalid_request", undefined]);
  assert.equal(await stored(one), 0);
});

// SPEC: consent.errors
Deno.test("unknown parameters are ignored, also twice, and a parameter without a value is as if absent", async () => {
  await using test = await testService();
  const { pathWith, get } = await opened(test);
  await shown(await get(`${pathWith({ resource: "" })}&x=1&x=2&prompt=consent&__proto__=1`), 200);
});

// SPEC: consent.sign_in
Deno.test("without a session the sign-in page comes first, and has the way back; nobody is sent elsewhere before", async () => {
  await using test = await testService();
  const one = await opened(test);
  const { owner, pathWith, get, post } = one;
  await test.request("/api/auth/logout", { method: "POST", token: owner.accessToken });
  const paths = [
    pathWith(),
    pathWith({ response_type: "token" }),
    pathWith({ state: "x".repeat(4_000) }),
  ];
  for (const path of paths) {
    for (const answer of [await get(path, null), await get(path), await post(path, allowed)]) {
      assert.equal(answer.status, 302);
      const to = new URL(answer.headers.get("location")!, issuer);
      assert.equal(to.origin + to.pathname, `${issuer}/app/sign-in`);
      assert.equal(to.searchParams.get("next"), path);
      assert.equal((await one.app.request(to.pathname + to.search)).status, 200);
    }
  }
  assert.equal(await stored(one), 0);
});

// SPEC: consent.sign_in
Deno.test("a client's metadata document is read after the sign-in alone; one that cannot be read is a page with its host and the reason", async () => {
  const clock = new FakeClock();
  const webhookTarget = new ScriptedTarget(clock);
  await using test = await testService({ parts: { clock, webhookTarget } });
  const { pathWith, get, post } = await opened(test);
  const client_id = "https://agent.example/client.json";
  const path = pathWith({ client_id });
  const missing = pathWith({ client_id: "https://agent.example/none.json" });
  const document = { client_id, client_name: "Far Agent", redirect_uris: [redirectUri] };
  webhookTarget.documents.set(client_id, JSON.stringify(document));
  for (
    const each of [path, missing, `${path}&scope=1&scope=2`, pathWith({ client_id, scope: "x" })]
  ) {
    for (const answer of [await get(each, null), await post(each, allowed, { who: null })]) {
      assert.match(answer.headers.get("location")!, /^\/app\/sign-in\?next=/);
    }
  }
  assert.equal(webhookTarget.reads.length, 0);
  const html = await shown(await get(path), 200);
  assert.ok(html.includes("<bdi>Far Agent</bdi>"));
  assert.equal(webhookTarget.reads.length, 1);
  const page = await shown(await get(missing), 400);
  assert.match(page, /document at <b>agent\.example<\/b>, and this service could not read/);
  assert.match(page, /The answer had the status 404\./);
  assert.match(page, /<code>https:\/\/agent\.example\/none\.json<\/code>/);
  webhookTarget.read = () =>
    Promise.resolve({
      ok: false,
      message: "The host name does not resolve.",
      status: null,
      durationMs: 1,
    });
  const unresolved = await shown(await post(missing, allowed), 400);
  assert.match(unresolved, /<b>agent\.example<\/b>[^]*The host name does not resolve\./);
  assert.match(led(await post(path, allowed)).code, /^\S{20,}$/);
});

// SPEC: consent.sign_in
Deno.test("a window that an app opened keeps its opener at the sign-in that leads back, and nowhere else", async () => {
  await using test = await testService();
  const { app } = await opened(test);
  const opener = async (path: string) =>
    (await app.request(path)).headers.get("cross-origin-opener-policy");
  assert.equal(
    await opener("/app/sign-in?next=%2Foauth%2Fauthorize%3Fclient_id%3D1"),
    "unsafe-none",
  );
  for (
    const path of ["/app/sign-in", "/app/sign-in?next=/app/", "/app/?next=%2Foauth%2Fauthorize%3F"]
  ) {
    assert.equal(await opener(path), "same-origin", path);
  }
});

// SPEC: consent.origin
Deno.test("a form from another origin is refused with a page, and writes nothing", async () => {
  await using test = await testService();
  const one = await opened(test);
  const { app, owner, pathWith, post } = one;
  for (const origin of ["https://agent.example", "null"]) {
    const html = await shown(await post(pathWith(), allowed, { origin }), 403);
    assert.match(html, /own origin/);
  }
  const site = await app.request(pathWith(), {
    method: "POST",
    headers: { cookie: owner.cookie, "sec-fetch-site": "cross-site" },
    body: new URLSearchParams(allowed),
  });
  await shown(site, 403);
  assert.equal(await stored(one), 0);
});

// SPEC: consent.sign_in
Deno.test("who signs in as another account meanwhile is asked again", async () => {
  await using test = await testService();
  const one = await opened(test);
  const { owner, pathWith, get, post } = one;
  const other = await account(test);
  const [, userId] = /name="account" value="([^"]+)"/.exec(await (await get(pathWith())).text())!;
  assert.equal(userId, owner.userId);
  const fields: [string, string][] = [...allowed, ["account", userId]];
  const html = await shown(await post(pathWith(), fields, { who: other }), 400);
  assert.ok(html.includes(other.email));
  assert.equal(await stored(one), 0);
  led(await post(pathWith(), fields));
});

// SPEC: consent.many
Deno.test("of two thousand mailboxes the page shows fifty, and those that are looked for or ticked", async () => {
  await using test = await testService();
  const { owner, pathWith, get, post } = await opened(test);
  const first = await mailbox(test, owner, "the-first-one");
  const row = await test.service.database.get(keys.mailbox(owner.userId, first.mailbox_id));
  const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
  for (let n = 0; n < 2_000; n += 100) {
    await test.service.database.transact((tx) => {
      for (let m = n; m < n + 100; m++) {
        const made = { ...row as object, mailboxId: idOf(m), address: `agent-${m}@agents.test` };
        tx.set(keys.mailbox(owner.userId, idOf(m)), made);
      }
    });
  }
  const html = await shown(await get(pathWith()), 200);
  assert.equal(boxes(html, "mailbox_id").length, 50);
  assert.match(html, /1,951 more mailboxes are not shown/);
  assert.ok(html.length < 40_000, `${html.length} characters`);
  const fields: [string, string][] = [
    ["scope", "emails:read"],
    ["mailboxes", "some"],
    ["mailbox_id", idOf(1_234)],
    ["find", " Agent-1999 "],
    ["decision", "find"],
  ];
  const found = await shown(await post(pathWith(), fields), 200);
  assert.deepEqual(boxes(found, "mailbox_id"), [[idOf(1_234), true], [idOf(1_999), false]]);
  assert.deepEqual(boxes(found, "mailboxes"), [["all", false], ["some", true]]);
  assert.match(found, /name="find" value="agent-1999"/);
  assert.equal(boxes(found, "scope").filter(([, isTicked]) => isTicked).length, 1);
  const tooMany = Array.from({ length: 101 }, (_, n): [string, string] => ["mailbox_id", idOf(n)]);
  const refused = await post(pathWith(), [
    ...tooMany,
    ["scope", "emails:read"],
    ["mailboxes", "some"],
    ["decision", "allow"],
  ]);
  assert.match(await shown(refused, 400), /at most 100 mailboxes/);
});

// SPEC: consent.counts
Deno.test("a request counts in the window of the session, before the sign-in in that of the address; a limit is a page", async () => {
  await using test = await testService({ env: { ANONYMOUS_REQUESTS_PER_MINUTE: "2" } });
  const { pathWith, get } = await opened(test);
  const left = (answer: Response) => Number(answer.headers.get("x-ratelimit-remaining"));
  const before = left(await get(pathWith()));
  assert.equal(left(await get(pathWith())), before - 1);
  assert.ok(before > 290);
  await get(pathWith(), null);
  await get(pathWith(), null);
  const full = await get(pathWith(), null);
  assert.match(await shown(full, 429), /Try again in \d+ s/);
  assert.ok(Number(full.headers.get("retry-after")) > 0);
});

Deno.test("a form above 16 KiB or of another type, another method and a failure inside are answered without harm", async () => {
  await using test = await testService();
  const one = await opened(test);
  const { app, owner, pathWith, post } = one;
  await shown(await post(pathWith(), [["scope", "x".repeat(17_000)]]), 413);
  const json = await app.request(pathWith(), {
    method: "POST",
    headers: { cookie: owner.cookie, "content-type": "application/json" },
    body: JSON.stringify(Object.fromEntries(allowed)),
  });
  await shown(json, 400);
  const put = await app.request(pathWith(), { method: "PUT", headers: { cookie: owner.cookie } });
  assert.equal(put.status, 405);
  assert.equal(put.headers.get("allow"), "GET, HEAD, POST");
  const { database } = test.service;
  const { transact } = database;
  Object.assign(database, { transact: () => Promise.reject(new TypeError("secret")) });
  try {
    const html = await shown(await post(pathWith(), allowed), 500);
    assert.ok(!html.includes("secret"));
  } finally {
    Object.assign(database, { transact });
  }
});

// SPEC: consent.off
Deno.test("with MCP_OAUTH=off there is no such route, and the dashboard offers no connecting", async () => {
  await using test = await testService({ env: { MCP_OAUTH: "off" } });
  const { pathWith, get, post, app } = await opened(test);
  assert.equal((await get(pathWith())).status, 404);
  assert.equal((await post(pathWith(), allowed)).status, 404);
  assert.match(await (await app.request("/app/")).text(), /data-connects="off"/);
});
