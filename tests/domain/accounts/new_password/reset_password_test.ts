import assert from "node:assert/strict";
import { type Member, personOf } from "../../../../domain/accounts/member.ts";
import { beginSession } from "../../../../domain/accounts/sessions.ts";
import { setPassword } from "../../../../domain/accounts/set_password.ts";
import type { User } from "../../../../domain/accounts/user.ts";
import { newConfirmationLink } from "../../../../domain/accounts/registration/email_verification.ts";
import { newResetLink } from "../../../../domain/accounts/new_password/reset_links.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { codeFor, connect, exchange, register } from "../../../routes/oauth/connect.ts";
import { form } from "../../../routes/oauth/connect.ts";
import {
  account,
  data,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";
import { colleague } from "../members/colleague.ts";
import { login, newToken, next, reset, tokenIn } from "./resets.ts";

const asked = async (test: TestService, token: string) =>
  (await test.request("/v1/api/mailboxes", { token })).status;

const memberOf = async (test: TestService, { userId }: TestAccount) =>
  (await test.service.database.get<Member>(keys.member(userId, userId)))!;

// SPEC: password.reset
Deno.test("a reset ends every session and app of the person at once; API keys go on", async () => {
  await using test = await testService();
  const me = await account(test), other = await account(test);
  const app = await connect(test, me), foreign = await connect(test, other);
  const second = await beginSession(test.service, personOf(me));
  const clientId = await register(test);
  const code = await codeFor(test, me, clientId);
  for (const token of [me.accessToken, second.accessToken, app.access_token, me.key]) {
    assert.equal(await asked(test, token), 200);
  }
  const hook = await data(test.request("/v1/api/webhooks", {
    token: app.access_token,
    json: { url: "https://hook.example/", events: ["email.received"] },
  }));
  const answer = await reset(test, await newToken(test, me));
  assert.deepEqual([answer.status, await answer.json()], [200, {
    success: true,
    data: { ended: 2 },
  }]);
  // Another instance knows a credential from memory for a second.
  await test.advance(1_001);
  for (const token of [me.accessToken, second.accessToken, app.access_token]) {
    assert.equal(await asked(test, token), 401);
  }
  const refreshed = await form(test, "/oauth/token", {
    ...{ grant_type: "refresh_token", client_id: app.clientId, refresh_token: app.refresh_token },
  });
  assert.equal((await refreshed.json()).error, "invalid_grant");
  assert.equal((await (await exchange(test, clientId, code)).json()).error, "invalid_grant");
  for (const token of [me.key, other.accessToken, foreign.access_token]) {
    assert.equal(await asked(test, token), 200);
  }
  await test.settle();
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["grants", me.userId] })), []);
  const shown = await data(test.request(`/v1/api/webhooks/${hook.webhook_id}`, { token: me.key }));
  assert.equal(shown.active, false);
  assert.deepEqual(
    [(await login(test, me.email, me.password)).status, (await login(test, me.email, next)).status],
    [401, 200],
  );
  // Apps can be allowed again, after a second reset too.
  for (const password of [next, "a third long password"]) {
    if (password !== next) await data(reset(test, await newToken(test, me), password));
    const { accessToken } = await data(login(test, me.email, password));
    const again = await connect(test, { ...me, accessToken });
    assert.equal(await asked(test, again.access_token), 200);
  }
});

// SPEC: password.reset
Deno.test("a person with more apps than a commit takes loses all of them", async () => {
  await using test = await testService({ instances: 1 });
  const me = await account(test);
  const clientId = await register(test);
  const tokens: string[] = [];
  for (let n = 0; n < 150; n++) {
    const answer = await exchange(test, clientId, await codeFor(test, me, clientId));
    tokens.push((await answer.json()).access_token);
  }
  const token = await newToken(test, me);
  const { database } = test.service;
  const collect = database.collect.bind(database);
  const mayRun = Promise.withResolvers<void>();
  database.collect = async (selector, options) => {
    if ("prefix" in selector && selector.prefix[0] === "grants") await mayRun.promise;
    return await collect(selector, options);
  };
  await data(reset(test, token));
  // The job that removes them waits.
  for (const each of tokens.slice(0, 20)) assert.equal(await asked(test, each), 401);
  mayRun.resolve();
  await test.settle();
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["grants", me.userId] })), []);
});

// SPEC: password.reset
Deno.test("a consent of a session that a reset has ended meanwhile gives no code", async () => {
  await using test = await testService({ instances: 1 });
  const me = await account(test);
  const clientId = await register(test);
  const { credentials } = test.service;
  const caller = await credentials.callerOf({ kind: "access", secret: me.accessToken });
  await data(reset(test, await newToken(test, me)));
  credentials.callerOf = () => Promise.resolve(caller);
  await assert.rejects(codeFor(test, me, clientId), { code: "UNAUTHORIZED" });
});

// SPEC: password.reset
Deno.test("after a reset the address counts as confirmed, and the account may write to others", async () => {
  await using test = await testService({ env: { EMAIL_VERIFICATION: "required" } });
  const me = await account(test);
  const member = await memberOf(test, me);
  await test.service.database.transact(async (tx) => {
    const user = await tx.get<User>(keys.user(me.userId));
    tx.set(keys.user(me.userId), { ...user, emailUnverified: true });
    tx.set(keys.member(me.userId, me.userId), { ...member, isConfirmed: false });
  });
  await data(reset(test, await newToken(test, me)));
  assert.equal((await memberOf(test, me)).isConfirmed, true);
  const { accessToken } = await data(login(test, me.email, next));
  const { mustConfirmEmail } = await data(test.request("/api/account", { token: accessToken }));
  assert.equal(mustConfirmEmail, false);
});

// SPEC: password.reset
Deno.test("a reset forgets an email that was to replace the one of the person: the link to it is dead", async () => {
  await using test = await testService();
  const me = await account(test);
  const changed = await test.request(`/api/members/${me.userId}`, {
    method: "PATCH",
    token: me.accessToken,
    json: { email: "thief@example.org" },
  });
  assert.equal(changed.status, 200);
  const link = await newConfirmationLink(test.service, personOf(me), "thief@example.org");
  await data(reset(test, await newToken(test, me)));
  const token = link.split("=")[1];
  const opened = await test.request("/api/auth/verify-email", { json: { token } });
  assert.equal(opened.status, 400);
  assert.equal((await memberOf(test, me)).email, me.email);
});

// SPEC: password.reset
Deno.test("a reset is the person's: colleagues stay signed in and connected, and the reset of one who is no owner does not confirm the account", async () => {
  await using test = await testService({ env: { EMAIL_VERIFICATION: "required" } });
  const me = await account(test);
  const other = await colleague(test, me, "admin");
  const app = await connect(test, me);
  await test.service.database.transact(async (tx) => {
    const user = await tx.get<User>(keys.user(me.userId));
    tx.set(keys.user(me.userId), { ...user, emailUnverified: true });
  });
  const { link } = await newResetLink(test.service, other);
  assert.deepEqual(await data(reset(test, tokenIn(link))), { ended: 1 });
  await test.advance(1_001);
  assert.equal(await asked(test, other.accessToken), 401);
  for (const token of [me.accessToken, app.access_token]) {
    assert.equal(await asked(test, token), 200);
  }
  assert.equal((await login(test, other.email, next)).status, 200);
  const { mustConfirmEmail } = await data(test.request("/api/account", { token: me.accessToken }));
  assert.equal(mustConfirmEmail, true);
});

// SPEC: password.reset
Deno.test("a link is dead after 30 minutes, after its use, and once the password or the email is another; the answer says what to do", async () => {
  await using test = await testService();
  const me = await account(test);
  const late = await newToken(test, me);
  await test.advance(30 * 60_000 - 1);
  const [used, sibling, changed] = [
    await newToken(test, me),
    await newToken(test, me),
    await newToken(test, me),
  ];
  assert.equal((await reset(test, late, "short")).status, 400);
  await test.advance(1);
  assert.equal((await reset(test, used)).status, 200);
  const moved = await newToken(test, me);
  const member = await memberOf(test, me);
  await test.service.database.transact((tx) =>
    tx.set(keys.member(me.userId, me.userId), { ...member, email: "new@example.org" })
  );
  const after = await newToken(test, me);
  await setPassword(test.service, personOf(me), "set by somebody else");
  for (const token of [late, used, sibling, changed, moved, after, "lbxo_unknown", ""]) {
    const answer = await reset(test, token, "yet another password");
    const { error } = await answer.json();
    assert.deepEqual([answer.status, error.code], [400, "VALIDATION_ERROR"], token);
    assert.match(error.details.field_errors.token, /ask for another link with .* sign-in page$/);
  }
  assert.equal((await login(test, me.email, "set by somebody else")).status, 200);
});

// SPEC: password.reset
Deno.test("a common or short password uses no token up", async () => {
  await using test = await testService();
  const me = await account(test);
  const token = await newToken(test, me);
  for (const password of ["password123", "Sunshine1", "short"]) {
    const answer = await reset(test, token, password);
    const { error } = await answer.json();
    assert.equal(answer.status, 400);
    assert.deepEqual(Object.keys(error.details.field_errors), ["new_password"]);
  }
  assert.equal((await reset(test, token)).status, 200);
});

// SPEC: password.reset
Deno.test("of ten uses of a link at once, over two instances, one succeeds", async () => {
  await using test = await testService({ instances: 2 });
  const me = await account(test);
  const token = await newToken(test, me);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => reset(test, token, `the new password ${n}`)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(400)]);
  const winner = answers.findIndex(({ status }) => status === 200);
  assert.equal((await login(test, me.email, `the new password ${winner}`)).status, 200);
});

// SPEC: password.reset
Deno.test("a reset is one commit: whatever fails before it leaves password, sessions, apps and token as they were", async () => {
  await using test = await testService({ instances: 1 });
  const me = await account(test);
  const app = await connect(test, me);
  const token = await newToken(test, me);
  const { database, passwords } = test.service;
  const rows = async () => {
    const all = [];
    for await (const { key, versionstamp } of test.kv.list({ prefix: [] })) {
      // Of the requests themselves.
      if (!/^(?:rate_windows|expiring)$/.test(String(key[0]))) all.push([key, versionstamp]);
    }
    return all;
  };
  const before = await rows();
  const failing = async (on: object, name: string, nth: number) => {
    const known = (on as Record<string, (...given: unknown[]) => unknown>)[name].bind(on);
    let calls = 0;
    Object.assign(on, {
      [name]: (...given: unknown[]) =>
        ++calls === nth ? Promise.reject(new Error("killed")) : known(...given),
    });
    const { status } = await reset(test, token);
    delete (on as Record<string, unknown>)[name];
    return status;
  };
  assert.equal(await failing(passwords, "hash", 1), 500);
  assert.equal(await failing(database, "transact", 1), 500);
  assert.deepEqual(await rows(), before);
  assert.equal(await asked(test, me.accessToken), 200);
  assert.equal(await asked(test, app.access_token), 200);
  // After each commit, as a process that begins then would find it.
  const found = new Set<string>();
  const note = async () => {
    const { value: member } = await test.kv.get<Member>(["members", me.userId, me.userId]);
    const { value: user } = await test.kv.get<User>(["users", me.userId]);
    const left = async (table: string, ...of: string[]) =>
      (await Array.fromAsync(test.kv.list({ prefix: [table, ...of] }))).length;
    const facts = [
      member!.passwordHash,
      user!.grantGenerations?.[me.userId] ?? 0,
      await left("password_resets"),
      await left("sessions", me.userId),
    ];
    found.add(facts.join());
  };
  const transact = database.transact.bind(database);
  database.transact = async (body, ...rest) => {
    const done = await transact(body, ...rest);
    await note();
    return done;
  };
  await note();
  assert.equal((await reset(test, token)).status, 200);
  await test.settle();
  await note();
  const [, ...after] = found;
  assert.equal(after.length, 1, [...found].join("; "));
  assert.match(after[0], /,1,0,0$/);
});

// SPEC: password.reset
Deno.test("a person whose failed logins are too many gets in with a reset", async () => {
  await using test = await testService({ instances: 1 });
  const me = await account(test);
  for (let n = 0; n < 21; n++) await login(test, me.email, "wrong");
  assert.equal((await login(test, me.email, me.password)).status, 429);
  await data(reset(test, await newToken(test, me)));
  assert.equal((await login(test, me.email, next)).status, 200);
});
