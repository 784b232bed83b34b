import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestService,
  testService,
} from "../../../service.ts";
import { relayedService } from "../../mail/send/sending.ts";
import { connect, refresh, refusal } from "../../../routes/oauth/connect.ts";
import { colleague } from "./colleague.ts";

const smtp = { env: { SMTP_URL: "smtp://127.0.0.1:1", BASE_URL: "https://box.example" } };
const password = "correct horse battery";

const ask = async (
  test: TestService,
  token: string,
  method: string,
  path: string,
  json?: Record<string, unknown>,
) => {
  const answer = await test.request(path, { token, method, ...(json ? { json } : {}) });
  return { status: answer.status, body: await answer.json() };
};
const invite = (test: TestService, token: string, email: string, role = "viewer") =>
  ask(test, token, "POST", "/api/members", { email, role });
const accept = async (test: TestService, token: string, name = "Bea") => {
  const answer = await test.request("/api/members/accept", { json: { token, name, password } });
  return { status: answer.status, body: await answer.json(), headers: answer.headers };
};
const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";
const listed = (test: TestService, token: string) => data(test.request("/api/members", { token }));
const codeOf = (
  { status, body }: { status: number; body: { error?: { code: string } } },
) => [status, body.error?.code];

// SPEC: members.list
Deno.test("who registers is the owner; a list has every field of every person, and of open invitations", async () => {
  await using test = await testService(smtp);
  const json = { email: "Ada@example.org", password, name: "Ada" };
  const { userId } = await data(test.request("/api/auth/register", { json }));
  const login = await data(test.request("/api/auth/login", { json }));
  const made = await invite(test, login.accessToken, "bea@example.org", "approver");
  assert.equal(made.status, 201);
  const { invitation_url, mailed: _, ...record } = made.body.data;
  assert.match(invitation_url, /^https:\/\/box\.example\/app\/join\?token=lbxo_\w+$/);
  const [owner, invited] = await listed(test, login.accessToken);
  assert.deepEqual(owner, {
    ...{ member_id: userId, name: "Ada", email: "Ada@example.org" },
    ...{ role: "owner", status: "active", notify: "drafts" },
    ...{ created_at: owner.created_at, last_seen: owner.last_seen },
  });
  assert.equal(new Date(owner.last_seen).getTime() <= test.clock.now(), true);
  assert.deepEqual(invited, record);
  assert.deepEqual(invited, {
    ...{ member_id: invited.member_id, name: "", email: "bea@example.org" },
    ...{ role: "approver", status: "invited", notify: "none" },
    ...{ created_at: invited.created_at, last_seen: null },
  });
  const rows = await Array.fromAsync(test.kv.list({ prefix: [] }));
  const text = rows.map(({ key, value }) =>
    JSON.stringify(
      [key, value],
      (_, each) => typeof each === "bigint" || each instanceof Deno.KvU64 ? String(each) : each,
    )
  ).join("\n");
  assert.ok(!text.includes(tokenOf(invitation_url)), "the token is stored hashed only");
});

// SPEC: members.accept
Deno.test("an invited person accepts once with a name and a password, whatever REGISTRATION says, and is logged in", async () => {
  await using test = await testService({ env: { REGISTRATION: "closed" } });
  const owner = await account(test);
  const { invitation_url } = (await invite(test, owner.accessToken, "bea@example.org")).body.data;
  const token = tokenOf(invitation_url);
  const accepted = await accept(test, token);
  assert.equal(accepted.status, 200);
  assert.match(accepted.headers.get("set-cookie") ?? "", /lbx_session=lbxr_/);
  const { accessToken, refreshToken, expiresIn, user } = accepted.body.data;
  assert.deepEqual([typeof refreshToken, expiresIn, user], ["string", 3600, {
    ...{ userId: owner.userId, name: "Bea" },
  }]);
  const [, bea] = await listed(test, accessToken);
  assert.deepEqual([bea.name, bea.status, bea.role], ["Bea", "active", "viewer"]);
  const json = { email: "BEA@example.org", password };
  assert.equal((await test.request("/api/auth/login", { json })).status, 200);
  for (const dead of [token, "lbxo_unknown"]) {
    const again = await accept(test, dead);
    assert.deepEqual(codeOf(again), [400, "VALIDATION_ERROR"]);
    assert.match(again.body.error.message, /ask the person who invited you/);
  }
});

// SPEC: members.accept_conflict
Deno.test("an invitation reserves nothing; where the email logs in by then, accepting is 409", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const first = await invite(test, owner.accessToken, other.email);
  assert.equal(first.status, 201);
  assert.deepEqual(codeOf(await accept(test, tokenOf(first.body.data.invitation_url))), [
    ...[409, "CONFLICT"],
  ]);
  // Two accounts invite the same person: who accepts first has it.
  const urls = [];
  for (const { accessToken } of [owner, other]) {
    urls.push((await invite(test, accessToken, "bea@example.org")).body.data.invitation_url);
  }
  const both = await Promise.all(urls.map((url) => accept(test, tokenOf(url))));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  const json = { email: "new@example.org", password, name: "New" };
  const { invitation_url } = (await invite(test, owner.accessToken, json.email)).body.data;
  assert.equal((await test.request("/api/auth/register", { json })).status, 201);
  assert.equal((await accept(test, tokenOf(invitation_url))).status, 409);
});

// SPEC: members.invitation_time
Deno.test("an invitation works for 7 days; another of the same email, or its withdrawal, ends it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const link = async () =>
    tokenOf((await invite(test, owner.accessToken, "bea@example.org")).body.data.invitation_url);
  const first = await link(), second = await link();
  assert.equal((await listed(test, owner.accessToken)).length, 2);
  assert.equal((await accept(test, first)).status, 400);
  const [, { member_id }] = await listed(test, owner.accessToken);
  const gone = await ask(test, owner.accessToken, "DELETE", `/api/members/${member_id}`);
  assert.deepEqual(gone.body.data, { deleted: true, key_ids: [] });
  assert.equal((await accept(test, second)).status, 400);
  const third = await link();
  test.clock.advance(7 * 86_400_000);
  assert.equal((await accept(test, third)).status, 400);
  const json = { email: owner.email, password: owner.password };
  const { accessToken } = await data(test.request("/api/auth/login", { json }));
  assert.equal((await listed(test, accessToken)).length, 1);
});

// SPEC: members.limit
Deno.test("an account has 25 people at most, also of many invitations at once", async () => {
  await using test = await testService();
  const { accessToken } = await account(test);
  const answers = await Promise.all(
    Array.from({ length: 27 }, (_, n) => invite(test, accessToken, `p${n}@example.org`)),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 3);
  for (const each of refused) {
    assert.deepEqual(codeOf(each), [403, "FORBIDDEN"]);
    assert.deepEqual(each.body.error.details, { count: 25, limit: 25 });
  }
  assert.equal((await listed(test, accessToken)).length, 25);
  assert.deepEqual(codeOf(await invite(test, accessToken, "p0@example.org")), [201, undefined]);
});

// SPEC: members.invitation_mail
Deno.test("an invitation is mailed from noreply@ with a token of its own, which alone confirms the address", async () => {
  await using world = await relayedService({}, smtp);
  const { test, relay } = world;
  const owner = await account(test);
  const { invitation_url, mailed } =
    (await invite(test, owner.accessToken, "bea@example.org", "owner")).body.data;
  assert.equal(mailed, true);
  await test.settle();
  const [mail] = relay.taken;
  assert.deepEqual([mail.from, mail.to], ["noreply@agents.test", ["bea@example.org"]]);
  const { text = "", subject } = await PostalMime.parse(mail.raw);
  assert.equal(subject, "Test Account invites you to box.example");
  const [url] = /https:\/\/box\.example\/app\/join\?token=lbxo_\w+/.exec(text) ?? [""];
  assert.notEqual(tokenOf(url), tokenOf(invitation_url));
  const { user } = (await accept(test, tokenOf(url))).body.data;
  const isConfirmed = async (name: string) => {
    const rows = await Array.fromAsync(
      test.kv.list<{ name: string; isConfirmed: boolean }>({ prefix: ["members", user.userId] }),
    );
    return rows.find(({ value }) => value.name === name)?.value.isConfirmed;
  };
  assert.equal(await isConfirmed("Bea"), true);
  assert.equal((await accept(test, tokenOf(invitation_url))).status, 400, "it is used");
  const shown = (await invite(test, owner.accessToken, "cid@example.org")).body.data;
  await accept(test, tokenOf(shown.invitation_url), "Cid");
  assert.equal(await isConfirmed("Cid"), false);
});

// SPEC: members.invitation_mail
Deno.test("10 invitations a day are mailed, none where no mail leaves or from an account that is not confirmed; the links work all the same", async () => {
  await using world = await relayedService({}, smtp);
  const { test, relay } = world;
  const { accessToken } = await account(test);
  const mailed: boolean[] = [];
  for (let n = 0; n < 12; n++) {
    mailed.push((await invite(test, accessToken, `p${n}@example.org`)).body.data.mailed);
  }
  assert.deepEqual(mailed, [...Array(10).fill(true), false, false]);
  await test.settle();
  assert.equal(relay.taken.length, 10);
  await test.advance(86_400_000);
  const later = await data(test.request("/api/auth/login", {
    json: {
      email: (await listed(test, (await account(test)).accessToken))[0].email,
      password: "correct horse battery staple",
    },
  }));
  assert.equal((await invite(test, later.accessToken, "q@example.org")).body.data.mailed, true);

  await using unsure = await relayedService({}, {
    env: { ...smtp.env, EMAIL_VERIFICATION: "required" },
  });
  const json = { email: "ada@example.org", password, name: "Ada" };
  await data(unsure.test.request("/api/auth/register", { json }));
  const ada = await data(unsure.test.request("/api/auth/login", { json }));
  const made = await invite(unsure.test, ada.accessToken, "bea@example.org");
  assert.deepEqual([made.status, made.body.data.mailed], [201, false]);
  await unsure.test.settle();
  assert.deepEqual(unsure.relay.taken.map(({ to }) => to), [["ada@example.org"]]);

  await using silent = await testService();
  const owner = await account(silent);
  const quiet = await invite(silent, owner.accessToken, "bea@example.org");
  assert.equal(quiet.body.data.mailed, false);
});

// SPEC: members.owners
Deno.test("only owners make owners, and change or remove them", async () => {
  await using test = await testService();
  const owner = await account(test);
  const admin = await colleague(test, owner, "admin"),
    viewer = await colleague(test, owner, "viewer");
  const of = (id: string) => `/api/members/${id}`;
  const refused = [
    await invite(test, admin.accessToken, "x@example.org", "owner"),
    await ask(test, admin.accessToken, "PATCH", of(viewer.memberId), { role: "owner" }),
    await ask(test, admin.accessToken, "PATCH", of(admin.memberId), { role: "owner" }),
    await ask(test, admin.accessToken, "PATCH", of(owner.userId), { role: "viewer" }),
    await ask(test, admin.accessToken, "PATCH", of(owner.userId), { notify: "none" }),
    await ask(test, admin.accessToken, "DELETE", of(owner.userId)),
  ];
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.error.details], [403, { required_role: "owner" }]);
  }
  const others = [
    await ask(test, viewer.accessToken, "PATCH", of(viewer.memberId), { role: "admin" }),
    await ask(test, viewer.accessToken, "PATCH", of(admin.memberId), { notify: "none" }),
    await ask(test, viewer.accessToken, "DELETE", of(admin.memberId)),
  ];
  for (const { status, body } of others) {
    assert.deepEqual([status, body.error.details], [403, { required_role: "admin" }]);
  }
  const made = await ask(test, owner.accessToken, "PATCH", of(admin.memberId), { role: "owner" });
  assert.equal(made.body.data.role, "owner");
  const [first] = await listed(test, admin.accessToken);
  assert.equal(first.notify, "drafts");
});

// SPEC: members.last_owner
Deno.test("the last active owner can neither leave nor be made less, also if two leave at the same time", async () => {
  await using test = await testService();
  const owner = await account(test);
  const of = (id: string) => `/api/members/${id}`;
  await invite(test, owner.accessToken, "later@example.org", "owner");
  for (
    const each of [
      await ask(test, owner.accessToken, "DELETE", of(owner.userId)),
      await ask(test, owner.accessToken, "PATCH", of(owner.userId), { role: "admin" }),
    ]
  ) assert.deepEqual(codeOf(each), [409, "CONFLICT"]);
  for (let turn = 0; turn < 5; turn++) {
    const there = await account(test);
    const second = await colleague(test, there, "owner");
    const both = await Promise.all([
      ask(test, there.accessToken, "DELETE", of(there.userId)),
      turn % 2
        ? ask(test, second.accessToken, "DELETE", of(second.memberId))
        : ask(test, second.accessToken, "PATCH", of(second.memberId), { role: "viewer" }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409], JSON.stringify(both));
  }
});

// SPEC: members.update
Deno.test("a person changes their own name and notify; an admin others' role and notify; wrong fields are 400", async () => {
  await using test = await testService();
  const owner = await account(test);
  const viewer = await colleague(test, owner, "viewer");
  const of = (id: string) => `/api/members/${id}`;
  const own = { name: "Vera", notify: "drafts" };
  const changed = await ask(test, viewer.accessToken, "PATCH", of(viewer.memberId), own);
  assert.deepEqual([changed.body.data.name, changed.body.data.notify], ["Vera", "drafts"]);
  const given = { role: "approver", notify: "none" };
  const other = await ask(test, owner.accessToken, "PATCH", of(viewer.memberId), given);
  assert.deepEqual([other.body.data.role, other.body.data.notify], ["approver", "none"]);
  const allowed = await data(test.request("/api/account", { token: viewer.accessToken }));
  assert.equal(allowed.role, "approver");
  for (
    const [id, json] of [
      [viewer.memberId, { name: "X" }],
      [viewer.memberId, { email: "x@example.org" }],
      [viewer.memberId, {}],
      [viewer.memberId, { role: "king" }],
      [owner.userId, { email: "no address" }],
      [owner.userId, { other: 1 }],
    ] as const
  ) {
    const answer = await ask(test, owner.accessToken, "PATCH", of(id), json);
    assert.deepEqual(codeOf(answer), [400, "VALIDATION_ERROR"], JSON.stringify(json));
  }
  const foreign = await account(test);
  for (const id of [foreign.userId, "x"]) {
    for (const method of ["PATCH", "DELETE"]) {
      const json = method === "PATCH" ? { notify: "none" } : undefined;
      assert.deepEqual(codeOf(await ask(test, owner.accessToken, method, of(id), json)), [
        ...[404, "NOT_FOUND"],
      ]);
    }
  }
  assert.deepEqual(codeOf(await invite(test, owner.accessToken, viewer.email)), [409, "CONFLICT"]);
});

// SPEC: members.new_email
Deno.test("a new email counts once the link mailed to it was opened; until then the old one logs in", async () => {
  await using world = await relayedService({}, smtp);
  const { test, relay } = world;
  const owner = await account(test);
  const to = "new@example.org";
  const login = async (email: string) =>
    (await test.request("/api/auth/login", { json: { email, password: owner.password } })).status;
  const path = `/api/members/${owner.userId}`;
  const changed = await ask(test, owner.accessToken, "PATCH", path, { email: to });
  assert.deepEqual([changed.body.data.email, changed.body.data.new_email], [owner.email, to]);
  await test.settle();
  const [mail] = relay.taken;
  assert.deepEqual([mail.from, mail.to], ["noreply@agents.test", [to]]);
  const text = (await PostalMime.parse(mail.raw)).text ?? "";
  const token = /verify-email\?token=(lbxo_\w+)/.exec(text)?.[1];
  assert.deepEqual([await login(owner.email), await login(to)], [200, 401]);
  assert.equal((await test.request("/api/auth/verify-email", { json: { token } })).status, 200);
  assert.deepEqual([await login(owner.email), await login(to)], [401, 200]);
  const [self] = await listed(test, owner.accessToken);
  assert.deepEqual([self.email, self.new_email], [to, undefined]);

  // Somebody registers it before the link is opened; and a link of an address that is not wanted any more is dead.
  const linkTo = async (email: string) => {
    await ask(test, owner.accessToken, "PATCH", path, { email });
    await test.settle();
    const text = (await PostalMime.parse(relay.taken.at(-1)!.raw)).text ?? "";
    return /verify-email\?token=(lbxo_\w+)/.exec(text)?.[1];
  };
  const taken = await linkTo("taken@example.org");
  const json = { email: "taken@example.org", password, name: "T" };
  assert.equal((await test.request("/api/auth/register", { json })).status, 201);
  const late = await test.request("/api/auth/verify-email", { json: { token: taken } });
  assert.deepEqual([late.status, (await late.json()).error.code], [409, "CONFLICT"]);
  const former = await linkTo("other@example.org");
  await ask(test, owner.accessToken, "PATCH", path, { email: to });
  const dead = await test.request("/api/auth/verify-email", { json: { token: former } });
  assert.equal(dead.status, 400);
});

// SPEC: members.delete
Deno.test("removing a person ends sessions, grants, keys, and what waits and streams for them at once, and names the keys", async () => {
  await using test = await testService();
  const owner = await account(test);
  const admin = await colleague(test, owner, "admin");
  const { email_address, mailbox_id } = await mailbox(test, owner);
  const keyOf = async (token: string, json: object) =>
    await data(test.request("/v1/api/keys", { token, json }));
  const own = await keyOf(admin.accessToken, { name: "own" });
  const child = await keyOf(own.apiKey, { name: "child" });
  const others = await keyOf(owner.accessToken, { name: "of the owner" });
  const app = await connect(test, admin);
  const hooks = [];
  for (const token of [own.apiKey, admin.accessToken]) {
    const json = { url: "https://hook.example/", events: ["email.received"] };
    hooks.push(await data(test.request("/v1/api/webhooks", { token, json })));
  }
  const waits = [admin.accessToken, own.apiKey, app.access_token].map((token) =>
    test.request(`/v1/api/emails/wait?mailbox_id=${mailbox_id}&timeout_seconds=60`, { token })
  );
  const stream = await test.request("/api/events", { token: admin.accessToken });
  const reading = stream.text();
  await test.settle();
  const path = `/api/members/${admin.memberId}`;
  const { status, body } = await ask(test, owner.accessToken, "DELETE", path);
  assert.equal(status, 200);
  assert.deepEqual(body.data, { deleted: true, key_ids: [own.keyId, child.keyId] });
  await test.advance(1_001);
  for (const wait of waits) assert.equal((await wait).status, 401);
  assert.equal(typeof await reading, "string", "the stream has ended");
  for (const token of [admin.accessToken, own.apiKey, child.apiKey, app.access_token]) {
    assert.equal((await test.request("/v1/api/mailboxes", { token })).status, 401);
  }
  assert.equal((await test.request("/v1/api/mailboxes", { token: others.apiKey })).status, 200);
  assert.deepEqual(await refusal(refresh(test, app.refresh_token)), [400, "invalid_grant"]);
  const login = await test.request("/api/auth/login", {
    json: { email: admin.email, password: admin.password },
  });
  assert.equal(login.status, 401);
  const active = async ({ webhook_id }: { webhook_id: string }) =>
    (await data(test.request(`/v1/api/webhooks/${webhook_id}`, { token: owner.accessToken })))
      .active;
  assert.deepEqual([await active(hooks[0]), await active(hooks[1])], [false, true]);
  await deliver(test, email_address, message({ Subject: "s" }));
  const left = await Array.fromAsync(test.kv.list({ prefix: [] }));
  const about = left.filter(({ key }) => key.includes(admin.memberId) || key.includes(own.keyId));
  assert.deepEqual(about.map(({ key }) => key[0]), []);
  // The email is free again.
  assert.equal((await invite(test, owner.accessToken, admin.email)).status, 201);
  const leaves = await colleague(test, owner, "viewer");
  const left2 = await ask(test, leaves.accessToken, "DELETE", `/api/members/${leaves.memberId}`);
  assert.equal(left2.status, 200);
});

// SPEC: roles.lowered
Deno.test("a lowered role narrows the person's apps, and ends the keys that can do more than it, with their webhooks", async () => {
  await using test = await testService();
  const owner = await account(test);
  const admin = await colleague(test, owner, "admin");
  const keyOf = async (json: object) =>
    (await data(test.request("/v1/api/keys", { token: admin.accessToken, json }))).apiKey;
  const reads = await keyOf({ name: "reads", scopes: ["emails:read", "mailboxes:read"] });
  const approves = await keyOf({ name: "approves", scopes: ["emails:approve", "mailboxes:read"] });
  const sends = await keyOf({ name: "sends", scopes: ["emails:send", "mailboxes:read"] });
  const all = await keyOf({ name: "all" });
  const app = await connect(test, admin);
  const status = async (token: string) =>
    (await test.request("/v1/api/mailboxes", { token })).status;
  const make = async (token: string) =>
    (await test.request("/v1/api/mailboxes", {
      ...{
        token,
        json: { local_part: `box${Math.trunc(test.clock.now() % 1e6)}x`, domain: "agents.test" },
      },
    })).status;
  assert.equal(await make(app.access_token), 201);
  const lower = (role: string) =>
    ask(test, owner.accessToken, "PATCH", `/api/members/${admin.memberId}`, { role });
  assert.equal((await lower("approver")).status, 200);
  await test.advance(1_001);
  assert.deepEqual(await Promise.all([reads, approves, sends, all].map(status)), [
    ...[200, 200, 401, 401],
  ]);
  assert.deepEqual([await status(app.access_token), await make(app.access_token)], [200, 403]);
  assert.equal((await lower("viewer")).status, 200);
  await test.advance(1_001);
  assert.deepEqual(await Promise.all([reads, approves].map(status)), [200, 401]);
  const made = await test.request("/v1/api/keys", {
    ...{ token: admin.accessToken, json: { name: "x", scopes: ["emails:read"] } },
  });
  assert.equal(made.status, 403);
  assert.equal((await lower("admin")).status, 200);
  await test.advance(1_001);
  assert.equal(await make(app.access_token), 201, "the app has what its person has again");
});

// SPEC: members.sessions
Deno.test("sessions, their limit of 20 and their ending are the person's", async () => {
  await using test = await testService();
  const owner = await account(test);
  const person = await colleague(test, owner, "viewer");
  const status = async (token: string) => (await test.request("/api/account", { token })).status;
  const login = async () =>
    (await data(test.request("/api/auth/login", {
      json: { email: person.email, password: person.password },
    }))).accessToken;
  const tokens: string[] = [];
  for (let n = 0; n < 20; n++) tokens.push(await login());
  assert.equal(await status(person.accessToken), 401, "the oldest of 21");
  assert.equal(await status(owner.accessToken), 200);
  const ended = await ask(test, tokens[19], "DELETE", "/api/auth/sessions");
  assert.equal(ended.body.data.ended, 19);
  assert.deepEqual([await status(owner.accessToken), await status(tokens[0])], [200, 401]);
});

// SPEC: members.audit
Deno.test("the audit says which person a session is of", async () => {
  await using test = await testService();
  const owner = await account(test);
  const admin = await colleague(test, owner, "admin");
  await test.request("/v1/api/emails", { token: admin.accessToken });
  await invite(test, admin.accessToken, "bea@example.org");
  await test.advance(3_000);
  const rows = await data(test.request("/api/audit", { token: owner.accessToken }));
  for (const action of ["list_emails", "invite_member"]) {
    const { actor } = rows.find((row: { action: string }) => row.action === action);
    assert.deepEqual(Object.keys(actor), ["session", "member_id"]);
    assert.equal(actor.member_id, admin.memberId);
  }
});
