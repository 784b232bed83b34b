import assert from "node:assert/strict";
import { createApp } from "../../../routes/app.ts";
import { oidcProvider } from "../../../adapters/identity_provider/oidc.ts";
import { client, startOidcProvider } from "../../identity_provider/oidc_provider.ts";
import { Browser, providerEnv, withStandIn } from "../../identity_provider/browser.ts";
import { account, data, testService } from "../../service.ts";

// SPEC: provider.start
Deno.test("a person signs in at oidc-provider and has a session", async () => {
  const ada = { sub: "1", email: "ada@example.org", email_verified: true, name: "Ada" };
  const redirectUri = "http://localhost:8000/api/auth/oidc/callback";
  await using provider = await startOidcProvider(redirectUri, [ada]);
  const identityProvider = oidcProvider({
    ...{ issuer: provider.issuer, clientId: client.id, clientSecret: client.secret },
    ...{
      name: "Example",
      redirectUri,
      allowInsecure: true,
      clock: { elapsed: () => 0, now: Date.now },
    },
  });
  await using test = await testService({ env: providerEnv, parts: { identityProvider } });
  const browser = new Browser(createApp(test.service));
  const asked = await browser.get("/api/auth/oidc?next=/app/waiting/1?a=b");
  assert.equal(asked.status, 302);
  const page = await browser.outside(asked.headers.get("location")!);
  assert.match(page.text, /Who are you\?/);
  const back = await browser.outside(`${page.url}?as=1`);
  assert.ok(back.url.startsWith(`${redirectUri}?code=`), back.url);
  assert.match(back.url, /&iss=/);
  const answer = await browser.get(back.url.replace("http://localhost:8000", ""));
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get("location"), "/app/waiting/1?a=b");
  const { email, name, mustConfirmEmail } = await data(browser.get("/api/account"));
  assert.deepEqual({ email, name, mustConfirmEmail }, {
    ...{ email: ada.email, name: ada.name, mustConfirmEmail: false },
  });
  // The same answer again is of no use, for this browser and for others.
  const again = await browser.get(back.url.replace("http://localhost:8000", ""));
  assert.equal(again.status, 400);
});

// SPEC: provider.bound
Deno.test("a sign-in belongs to the browser that began it, for 10 minutes; its cookie is for the service alone", async () => {
  await using world = await withStandIn();
  const { provider, app } = world;
  const mine = new Browser(app), other = new Browser(app);
  const asked = await mine.get("/api/auth/oidc");
  const [cookie] = asked.headers.getSetCookie();
  assert.match(
    cookie,
    /^lbx_sign_in=[\w-]{43}\.[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  assert.equal(asked.headers.get("cache-control"), "no-store");
  const query = provider.signIn(asked.headers.get("location")!);
  const path = `/api/auth/oidc/callback?${query}`;
  await other.get("/api/auth/oidc");
  for (const browser of [new Browser(app), other]) {
    const refused = await browser.get(path);
    assert.equal(refused.status, 400);
    assert.equal(refused.headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(browser.session(), undefined);
  }
  assert.ok(!provider.came.includes("/token"));
  const right = await mine.get(path);
  assert.equal(right.status, 302);
  assert.equal(right.headers.get("location"), "/app/");
  assert.ok(mine.session());
  assert.equal(mine.cookies.has("lbx_sign_in"), false);
});

Deno.test("with https the cookies are __Host- and Secure", async () => {
  await using world = await withStandIn({ env: { BASE_URL: "https://mail.example.org" } });
  const asked = await world.app.request("/api/auth/oidc");
  const [cookie] = asked.headers.getSetCookie();
  assert.match(cookie, /^__Host-lbx_sign_in=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

// SPEC: provider.next
Deno.test("a sign-in leads to the page that asked for it, and never to another host", async () => {
  await using world = await withStandIn();
  const led = async (next: string) => {
    const browser = new Browser(world.app);
    const answer = await world.signIn(browser, `?${new URLSearchParams({ next })}`);
    assert.equal(answer.status, 302);
    return answer.headers.get("location");
  };
  const own = [
    "/app/",
    "/app/waiting/7?a=1#b",
    "/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fb.example%2F&state=%26",
  ];
  for (const next of own) assert.equal(await led(next), next);
  const others = [
    ...[
      "https://evil.example/app/",
      "//evil.example/app/",
      "/\\evil.example/app/",
      "\t//evil.example",
    ],
    ...[
      "/app/..//evil.example/",
      "/app/../../evil",
      "/app",
      "/api/account",
      "/oauth/authorizes",
      "/app/sign-in?next=/app/keys",
    ],
    ...["javascript:alert(1)", "", `/app/${"a".repeat(3_000)}`, "/app\\..\\..\\x"],
  ];
  for (const next of others) assert.equal(await led(next), "/app/", next);
});

// SPEC: provider.down
Deno.test("a provider that is down is a page of 503 within 10 s; password login goes on and the page says so", async () => {
  await using world = await withStandIn({ timeoutMs: 300 });
  const { provider, test, app } = world;
  const me = await account(test);
  provider.does.fails = "hangs";
  const begun = performance.now();
  const refused = await app.request("/api/auth/oidc?next=/app/keys");
  assert.equal(refused.status, 503);
  assert.ok(performance.now() - begun < 10_000);
  assert.equal(refused.headers.get("retry-after"), "30");
  assert.equal(refused.headers.get("content-type"), "text/html; charset=utf-8");
  const page = await refused.text();
  assert.match(page, /Example &amp; Co does not answer now\./);
  assert.match(page, /<a href="\/app\/keys">Sign in with your password/);
  assert.match(
    page,
    /<a href="\/api\/auth\/oidc\?next=%2Fapp%2Fkeys">Sign in with Example &amp; Co/,
  );
  const login = await test.request("/api/auth/login", {
    json: { email: me.email, password: me.password },
  });
  assert.equal(login.status, 200);
  provider.does.fails = null;
  const browser = new Browser(app);
  const asked = await browser.get("/api/auth/oidc");
  provider.does.fails = "500";
  const query = provider.signIn(asked.headers.get("location")!);
  const answer = await browser.get(`/api/auth/oidc/callback?${query}`);
  assert.equal(answer.status, 503);
  assert.deepEqual(
    test.log.filter(({ event }) => event === "sign_in.provider_failed").map(({ kind }) => kind),
    ["down", "down"],
  );
});

// SPEC: provider.down
Deno.test("a provider that never answers at all is given up after 9 s, with those who wait for their turn", async () => {
  const identityProvider = {
    name: "Example",
    startUrl: () => new Promise<string>(() => {}),
    personOf: () => new Promise<never>(() => {}),
  };
  await using test = await testService({ parts: { identityProvider } });
  const clock = test.service.clock;
  const waits: number[] = [];
  // Real time passes at once.
  clock.after = (ms, run) => {
    waits.push(ms);
    const timer = setTimeout(run, 10);
    return () => clearTimeout(timer);
  };
  const app = createApp(test.service);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => app.request("/api/auth/oidc")),
  );
  assert.deepEqual(answers.map(({ status }) => status), Array(12).fill(503));
  assert.equal(waits.filter((ms) => ms === 9_000).length, 12);
});

// SPEC: provider.down
Deno.test("who asks too often gets a page, and each request counts once for the address", async () => {
  await using world = await withStandIn({ env: { ANONYMOUS_REQUESTS_PER_MINUTE: "5" } });
  const paths = ["/api/auth/oidc", "/api/auth/oidc/callback?code=a"];
  const left: (string | null)[] = [];
  for (let n = 0; n < 5; n++) {
    const { headers } = await world.app.request(paths[n % 2]);
    left.push(headers.get("x-ratelimit-remaining"));
  }
  assert.deepEqual(left, ["4", "3", "2", "1", "0"]);
  for (const path of paths) {
    const refused = await world.app.request(path);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(await refused.text(), /Try again in \d+ s\./);
  }
  assert.equal((await world.app.request(paths[0], { method: "POST" })).status, 429);
});

// SPEC: provider.off
Deno.test("without a provider the routes are 404, and the sign-in page has no button", async () => {
  await using test = await testService();
  const app = createApp(test.service);
  for (const path of ["/api/auth/oidc", "/api/auth/oidc/callback?code=a"]) {
    for (const method of ["GET", "POST"]) {
      assert.equal((await app.request(path, { method })).status, 404, path);
    }
  }
  const html = await (await app.request("/app/")).text();
  assert.match(html, /data-passwords="on" data-provider=""/);
});

// SPEC: provider.button
Deno.test("the dashboard knows the provider's name, whatever is in it; other methods are 405", async () => {
  await using world = await withStandIn();
  const html = await (await world.app.request("/app/")).text();
  assert.match(html, /data-passwords="on" data-provider="Example &#38; Co"/);
  for (const path of ["/api/auth/oidc", "/api/auth/oidc/callback"]) {
    const answer = await world.app.request(path, { method: "POST" });
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "GET, HEAD"]);
  }
});

Deno.test("what the provider says is text on the page; the log has no code, token or secret", async () => {
  await using world = await withStandIn({ env: { REGISTRATION: "closed" } });
  world.provider.does.claims = { email: "<img/src=x>@example.org" };
  const browser = new Browser(world.app);
  const refused = await world.signIn(browser);
  assert.equal(refused.status, 403);
  const page = await refused.text();
  assert.ok(!page.includes("<img"), page);
  assert.match(refused.headers.get("content-security-policy")!, /default-src 'none'/);
  const { state, secret } = { state: browser.visited[0], secret: "secret-of-the-client" };
  const begun = await browser.get("/api/auth/oidc");
  const query = world.provider.signIn(begun.headers.get("location")!);
  world.provider.does.signed = "with another key";
  await browser.get(`/api/auth/oidc/callback?${query}`);
  const lines = JSON.stringify(world.test.log);
  assert.match(lines, /sign_in\.provider_failed/);
  for (const text of [state, secret, query.get("code")!, query.get("state")!, "eyJ"]) {
    assert.ok(!lines.includes(text), text);
  }
});

// SPEC: provider.passwords_off
Deno.test("with PASSWORD_LOGIN=off routes that take a password are 404, sessions go on, and the page names one way in", async () => {
  await using world = await withStandIn({ env: { PASSWORD_LOGIN: "off" } });
  const { test, app } = world;
  const me = await account(test);
  const { email, password } = me;
  const bodies: [path: string, json: object][] = [
    ["/api/auth/login", { email, password }],
    ["/api/auth/register", { email: "new@example.org", password, name: "New" }],
    ["/api/auth/password", { current_password: password, new_password: password }],
    ["/api/auth/password/forgot", { email }],
    ["/api/auth/password/reset", { token: "lbxo_1", new_password: password }],
    ["/api/members/accept", { token: "lbxo_1", name: "New", password }],
  ];
  for (const [path, json] of bodies) {
    const answer = await app.request(path, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: me.cookie },
      body: JSON.stringify(json),
    });
    assert.equal(answer.status, 404, path);
    assert.equal((await answer.json()).error.code, "NOT_FOUND");
  }
  assert.equal((await test.request("/api/account", { token: me.accessToken })).status, 200);
  const refreshed = await test.request("/api/auth/refresh", {
    json: { refreshToken: me.refreshToken },
  });
  assert.equal(refreshed.status, 200);
  assert.match(await (await app.request("/app/")).text(), /data-passwords="off"/);
  world.provider.does.fails = "500";
  const page = await (await app.request("/api/auth/oidc")).text();
  assert.ok(!page.includes("password"), page);
  world.provider.does.fails = null;
  assert.equal((await world.signIn(new Browser(app))).status, 302);
});
