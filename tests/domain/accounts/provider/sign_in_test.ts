import assert from "node:assert/strict";
import { findMemberByEmail, type Member } from "../../../../domain/accounts/member.ts";
import { beginSession } from "../../../../domain/accounts/sessions.ts";
import type { User } from "../../../../domain/accounts/user.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { Browser, withStandIn } from "../../../identity_provider/browser.ts";
import { codeFor, exchange, register } from "../../../routes/oauth/connect.ts";
import { account, data, operatorToken, type TestAccount } from "../../../service.ts";

type World = Awaited<ReturnType<typeof withStandIn>>;

/** What the sign-in of a person with these claims is answered; for a session, whose it is. */
async function signedIn(
  { provider, app, signIn, test }: World,
  claims: Record<string, unknown>,
): Promise<{ status: number; text: string; email?: string; userId?: string; cookie: string }> {
  provider.does.claims = claims;
  const browser = new Browser(app);
  const answer = await signIn(browser);
  const text = await answer.text(), cookie = `lbx_session=${browser.session()}`;
  if (answer.status !== 302) {
    assert.equal(browser.session(), undefined);
    assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
    return { status: answer.status, text, cookie };
  }
  const { email, userId } = await data(test.request("/api/account", { headers: { cookie } }));
  return { status: 302, text, email, userId, cookie };
}

async function change({ test }: World, { userId }: TestAccount, changed: Partial<Member>) {
  await test.service.database.transact(async (tx) => {
    const key = keys.member(userId, userId);
    tx.set(key, { ...await tx.get<Member>(key), ...changed });
    const user = await tx.get<User>(keys.user(userId));
    if (changed.isConfirmed === false) {
      tx.set(keys.user(userId), { ...user, emailUnverified: true });
    }
  });
}

// SPEC: provider.member
Deno.test("a verified email signs its member in, in any case, and pins the subject: later emails do not count", async () => {
  await using world = await withStandIn();
  const me = await account(world.test), other = await account(world.test);
  const first = await signedIn(world, { sub: "7", email: me.email.toUpperCase() });
  assert.deepEqual([first.status, first.userId, first.email], [302, me.userId, me.email]);
  world.provider.does.userinfo = { sub: "7" };
  for (
    const claims of [
      { sub: "7", email: other.email },
      { sub: "7", email: "new@example.org", email_verified: false },
      { sub: "7", email: undefined },
    ]
  ) {
    const { status, userId } = await signedIn(world, claims);
    assert.deepEqual([status, userId], [302, me.userId], JSON.stringify(claims));
  }
  // What the person had goes on.
  const { accessToken: token } = me;
  assert.equal((await world.test.request("/api/account", { token })).status, 200);
  assert.equal((await world.test.request("/v1/api/mailboxes", { token: me.key })).status, 200);
  const login = await world.test.request("/api/auth/login", {
    json: { email: me.email, password: me.password },
  });
  assert.equal(login.status, 200);
});

// SPEC: provider.other_subject
Deno.test("another subject with the email of a pinned person is 403; another provider decides anew", async () => {
  await using world = await withStandIn({ exclusive: false });
  const { email, userId } = await account(world.test);
  assert.equal((await signedIn(world, { sub: "7", email })).status, 302);
  const refused = await signedIn(world, { sub: "8", email });
  assert.equal(refused.status, 403);
  assert.match(refused.text, /has signed in with user\d+@example\.org before/);
  assert.equal((await signedIn(world, { sub: "7", email })).status, 302);
  await using next = await withStandIn({ kv: world.test.kv, exclusive: false });
  const moved = await signedIn(next, { sub: "a", email });
  assert.deepEqual([moved.status, moved.userId], [302, userId]);
  assert.equal((await signedIn(next, { sub: "7", email })).status, 403);
  assert.equal(
    (await signedIn(world, { sub: "7", email: "x@example.org" })).userId === userId,
    false,
  );
});

// SPEC: provider.verified
Deno.test("an email that the provider has not verified signs nobody in, and makes no account", async () => {
  await using world = await withStandIn();
  const me = await account(world.test);
  for (const email of [me.email, "new@example.org"]) {
    for (const claims of [{ email_verified: false }, { email_verified: undefined }]) {
      const { status, text } = await signedIn(world, { sub: "7", email, ...claims });
      assert.equal(status, 403);
      assert.match(text, /did not say that your email address is verified/);
    }
  }
  assert.equal(await findMemberByEmail(world.test.service, "new@example.org"), null);
});

// SPEC: provider.verified
Deno.test("an address that is another one in lower case signs nobody in", async () => {
  await using world = await withStandIn();
  const json = { email: "joke@example.org", name: "Jo", password: "correct horse battery" };
  assert.equal((await world.test.request("/api/auth/register", { json })).status, 201);
  const entered = await signedIn(world, { sub: "7", email: "jo\u212ae@example.org" });
  assert.equal(entered.status, 403);
});

// SPEC: provider.unconfirmed
Deno.test("a member who never confirmed the address loses password, sessions, grants and keys, and keeps the account", async () => {
  await using world = await withStandIn();
  const { test } = world;
  const me = await account(test), { email, userId, password } = me;
  await change(world, me, { isConfirmed: false });
  const made = await data(test.request("/v1/api/keys", { json: { name: "made" }, token: me.key }));
  const hook = { url: "https://hook.example/", events: ["email.received"] };
  const webhook = await test.request("/v1/api/webhooks", { json: hook, token: me.key });
  assert.equal(webhook.status, 201);
  const stream = await world.app.request("/v1/api/events", {
    headers: { authorization: `Bearer ${me.key}` },
  });
  assert.equal(stream.status, 200);
  const entered = await signedIn(world, { sub: "7", email });
  assert.deepEqual([entered.status, entered.userId], [302, userId]);
  // At once, before any job has run.
  const statuses = async () =>
    await Promise.all([
      test.request("/api/auth/login", { json: { email, password } }),
      test.request("/api/account", { token: me.accessToken }),
      test.request("/api/account", { headers: { cookie: me.cookie } }),
      test.request("/api/auth/refresh", { json: { refreshToken: me.refreshToken } }),
      test.request("/v1/api/mailboxes", { token: me.key }),
      test.request("/v1/api/mailboxes", { token: made.apiKey }),
    ].map(async (answer) => (await answer).status));
  assert.deepEqual(await statuses(), Array(6).fill(401));
  // The stream of the key ends.
  assert.ok(await new Response(stream.body).text() !== undefined);
  await test.settle();
  assert.deepEqual(await statuses(), Array(6).fill(401));
  const { headers } = { headers: { cookie: entered.cookie } };
  const listed = await data(test.request("/api/keys", { headers }));
  assert.deepEqual(listed, []);
  const [kept] = await data(test.request("/api/webhooks", { headers }));
  assert.equal(kept.active, false);
  const rows = await test.service.database.collect({ prefix: keys.apiKeys(userId) });
  assert.equal(rows.length, 0);
  const member = await findMemberByEmail(test.service, email);
  assert.deepEqual(
    [member?.isConfirmed, member?.passwordHash, member?.role, member?.userId],
    [true, null, "owner", userId],
  );
  const user = await test.service.database.get<User>(keys.user(userId));
  assert.equal(user?.emailUnverified, undefined);
  assert.deepEqual(user?.memberIds, [member?.memberId]);
  assert.equal(await test.service.database.get(keys.member(userId, userId)), null);
  // Nothing is lost the next time.
  const key = await data(test.request("/api/keys", { json: { name: "mine" }, headers }));
  assert.equal((await signedIn(world, { sub: "7", email })).userId, userId);
  assert.equal((await test.request("/v1/api/mailboxes", { token: key.apiKey })).status, 200);
});

// SPEC: provider.unconfirmed
Deno.test("a grant of a member who never confirmed ends, and so does a code that was not exchanged yet", async () => {
  await using world = await withStandIn();
  const { test } = world;
  const me = await account(test);
  await change(world, me, { isConfirmed: false });
  const clientId = await register(test);
  const given = await exchange(test, clientId, await codeFor(test, me, clientId));
  const { access_token: token } = await given.json();
  const code = await codeFor(test, me, clientId);
  const list = () => test.request("/v1/api/mailboxes", { token });
  assert.equal((await list()).status, 200);
  assert.equal((await signedIn(world, { sub: "7", email: me.email })).status, 302);
  // Another instance knows a credential from memory for a second.
  await test.advance(1_001);
  assert.equal((await list()).status, 401);
  assert.equal((await exchange(test, clientId, code)).status, 400);
  await test.settle();
  assert.equal((await list()).status, 401);
  const rows = await test.service.database.collect({ prefix: keys.grants(me.userId) });
  assert.equal(rows.length, 0);
});

// SPEC: provider.new
Deno.test("an unknown person is a new account with REGISTRATION=open, confirmed and without a password", async () => {
  await using world = await withStandIn({ env: { EMAIL_VERIFICATION: "required" } });
  const { test } = world;
  const entered = await signedIn(world, { sub: "7", email: "Ada@Example.org", name: " Ada L " });
  assert.equal(entered.email, "Ada@Example.org");
  const headers = { cookie: entered.cookie };
  const { name, plan, mustConfirmEmail } = await data(test.request("/api/account", { headers }));
  assert.deepEqual({ name, plan, mustConfirmEmail }, {
    ...{ name: "Ada L", plan: "free", mustConfirmEmail: false },
  });
  for (const password of ["", "null", "undefined"]) {
    const json = { email: "ada@example.org", password };
    assert.equal((await test.request("/api/auth/login", { json })).status, 401);
  }
  assert.equal(
    (await signedIn(world, { sub: "7", email: "b@example.org" })).userId,
    entered.userId,
  );
  const nameless = await signedIn(world, { sub: "9", email: "eve@example.org", name: undefined });
  const its = { cookie: nameless.cookie };
  assert.equal((await data(test.request("/api/account", { headers: its }))).name, "eve");
});

// SPEC: provider.new
Deno.test("two first sign-ins at once are one account", async () => {
  await using world = await withStandIn();
  const browsers = [new Browser(world.app), new Browser(world.app)];
  const answers = await Promise.all(browsers.map((each) => world.signIn(each)));
  const right = answers.filter(({ status }) => status === 302);
  assert.ok(right.length > 0);
  const users = await world.test.service.database.collect({ prefix: keys.users() });
  assert.equal(users.length, 1);
});

// SPEC: provider.other_subject
Deno.test("of two subjects with one new email at the same moment one gets the account, and the other is 403", async () => {
  for (const [subjects, statuses] of [[["7", "8"], [302, 403]], [["7", "7"], [302, 302]]]) {
    const both = Promise.withResolvers<void>();
    await using world = await withStandIn();
    const { app, provider, test } = world;
    const port = test.service.identityProvider!;
    const { personOf } = port;
    let came = 0;
    port.personOf = async (...asked) => {
      const person = await personOf(...asked);
      const subject = String(subjects[came++]);
      if (came === 2) both.resolve();
      await both.promise;
      return { ...person, subject };
    };
    const answers = await Promise.all(subjects.map(async () => {
      const browser = new Browser(app);
      const asked = await browser.get("/api/auth/oidc");
      const back = provider.signIn(asked.headers.get("location")!);
      return await browser.get(`/api/auth/oidc/callback?${back}`);
    }));
    assert.deepEqual(answers.map(({ status }) => status).sort(), statuses);
    const users = await test.service.database.collect({ prefix: keys.users() });
    assert.equal(users.length, 1);
  }
});

// SPEC: provider.unknown
Deno.test("elsewhere an unknown person is a page of 403 that says whom to ask, and the operator's invitation lets in once", async () => {
  for (const REGISTRATION of ["invite", "closed"]) {
    await using world = await withStandIn({ env: { REGISTRATION } });
    const { test } = world;
    const email = "ada@example.org";
    const refused = await signedIn(world, { sub: "7", email });
    assert.equal(refused.status, 403);
    assert.match(
      refused.text,
      /Nobody here has the address ada@example\.org\. Ask an owner or admin/,
    );
    const invite = (json: object) =>
      test.request("/operator/invitations", { token: operatorToken, json });
    await invite({ email: "Late@example.org" });
    await test.advance(7 * 86_400_000);
    assert.equal((await signedIn(world, { sub: "5", email: "late@example.org" })).status, 403);
    await invite({ email: "ADA@example.org" });
    const entered = await signedIn(world, { sub: "7", email });
    assert.deepEqual([entered.status, entered.email], [302, email]);
    // It is used up: for who comes after the account has ended too.
    const headers = { cookie: entered.cookie };
    const ended = await test.request("/api/account", {
      ...{ method: "DELETE", headers, json: { confirm_email: email } },
    });
    assert.equal(ended.status, 200);
    assert.equal((await signedIn(world, { sub: "7", email })).status, 403);
  }
});

// SPEC: provider.member
Deno.test("the end of an account frees its subject: the person begins anew", async () => {
  await using world = await withStandIn();
  const { test } = world;
  const entered = await signedIn(world, { sub: "7", email: "ada@example.org" });
  const headers = { cookie: entered.cookie };
  const json = { confirm_email: "ada@example.org" };
  const ended = await test.request("/api/account", { method: "DELETE", headers, json });
  assert.equal(ended.status, 200);
  const again = await signedIn(world, { sub: "7", email: "ada@example.org" });
  assert.equal(again.status, 302);
  assert.notEqual(again.userId, entered.userId);
  await test.advance(90_000);
  assert.equal((await signedIn(world, { sub: "7", email: "x@example.org" })).userId, again.userId);
  const other = await signedIn(world, { sub: "8", email: "eve@example.org" });
  await test.request("/api/account", {
    ...{ method: "DELETE", headers: { cookie: other.cookie } },
    json: { confirm_email: "eve@example.org" },
  });
  await test.advance(90_000);
  const left = await test.service.database.collect({ prefix: keys.allSubjects() });
  assert.equal(left.length, 1);
});

// SPEC: provider.end_account
Deno.test("without passwords a sign-in of the last 10 minutes ends the account", async () => {
  for (const PASSWORD_LOGIN of ["on", "off"]) {
    await using world = await withStandIn({ env: { PASSWORD_LOGIN } });
    const { test } = world;
    const me = await account(test);
    const old = await signedIn(world, { sub: "7", email: "ada@example.org" });
    await test.advance(600_001);
    const end = (cookie: string, json: object) =>
      test.request("/api/account", { method: "DELETE", headers: { cookie }, json });
    const refused = await end(old.cookie, { confirm_email: "ada@example.org", password: "x" });
    assert.equal(refused.status, 401);
    assert.match((await refused.json()).error.message, /a sign-in of the last 10 minutes/);
    const fresh = await signedIn(world, { sub: "7", email: "ada@example.org" });
    await test.advance(599_000);
    assert.equal((await end(fresh.cookie, { confirm_email: "x@example.org" })).status, 400);
    assert.equal((await end(fresh.cookie, { confirm_email: "ada@example.org" })).status, 200);
    // Who has a password gives it, where passwords are taken.
    const bare = await end(me.cookie, { confirm_email: me.email });
    assert.equal(bare.status, PASSWORD_LOGIN === "on" ? 400 : 401);
    if (PASSWORD_LOGIN === "on") {
      const { details } = (await bare.json()).error;
      assert.deepEqual(details, { field_errors: { password: "is required" } });
      const wrong = { confirm_email: me.email, password: "wrong" };
      assert.equal((await end(me.cookie, wrong)).status, 401);
    }
  }
});

// SPEC: provider.invited
Deno.test("an invited person becomes a member by the sign-in, whatever REGISTRATION says, by the newest open invitation", async () => {
  await using world = await withStandIn({
    env: { REGISTRATION: "closed", EMAIL_VERIFICATION: "required" },
  });
  const { test } = world;
  const first = await account(test), second = await account(test);
  const email = "ada@example.org";
  const invite = async ({ accessToken: token }: TestAccount, role: string) => {
    const json = { email: email.toUpperCase(), role };
    const answer = await test.request("/api/members", { token, json });
    assert.equal(answer.status, 201);
    return await data(answer);
  };
  await invite(first, "viewer");
  await test.advance(1_000);
  const { invitation_url } = await invite(second, "approver");
  await test.advance(1_000);
  const withdrawn = await invite(first, "admin");
  const path = `/api/members/${withdrawn.member_id}`;
  const gone = await test.request(path, { method: "DELETE", token: first.accessToken });
  assert.equal(gone.status, 200);
  const unverified = await signedIn(world, { sub: "7", email, email_verified: false });
  assert.equal(unverified.status, 403);
  const entered = await signedIn(world, { sub: "7", email, name: "Ada" });
  assert.deepEqual([entered.status, entered.userId], [302, second.userId]);
  const people = await data(test.request("/api/members", { token: second.accessToken }));
  const [, ada] = people;
  assert.deepEqual([people.length, ada.name, ada.role, ada.status], [
    2,
    "Ada",
    "approver",
    "active",
  ]);
  const token = new URL(invitation_url).searchParams.get("token");
  const json = { token, name: "Eve", password: "correct horse battery" };
  assert.equal((await test.request("/api/members/accept", { json })).status, 400);
  assert.equal((await signedIn(world, { sub: "7", email: "x@example.org" })).userId, second.userId);
  // Removed, the person is unknown again, and can be invited elsewhere.
  const removed = await test.request(`/api/members/${ada.member_id}`, {
    ...{ method: "DELETE", token: second.accessToken },
  });
  assert.equal(removed.status, 200);
  const listed = await test.service.database.collect({ prefix: keys.allSubjects() });
  assert.equal(listed.length, 0);
  assert.equal((await signedIn(world, { sub: "7", email })).status, 403);
  await invite(first, "owner");
  await test.advance(7 * 86_400_000);
  assert.equal((await signedIn(world, { sub: "7", email })).status, 403);
  const fresh = await beginSession(test.service, { userId: first.userId, memberId: first.userId });
  await invite({ ...first, ...fresh }, "owner");
  assert.equal((await signedIn(world, { sub: "7", email })).userId, first.userId);
});

// SPEC: provider.invited
Deno.test("an account that invites an email again and again hides no other invitation of it", async () => {
  await using world = await withStandIn({ env: { REGISTRATION: "closed" } });
  const { test } = world;
  const loud = await account(test), other = await account(test);
  const json = { email: "ada@example.org", role: "viewer" };
  for (let n = 0; n < 101; n++) {
    const { member_id } = await data(
      test.request("/api/members", { token: loud.accessToken, json }),
    );
    const path = `/api/members/${member_id}`;
    const gone = await test.request(path, { method: "DELETE", token: loud.accessToken });
    assert.equal(gone.status, 200);
  }
  await data(test.request("/api/members", { token: other.accessToken, json }));
  const entered = await signedIn(world, { sub: "7", email: "ada@example.org" });
  assert.deepEqual([entered.status, entered.userId], [302, other.userId]);
});
