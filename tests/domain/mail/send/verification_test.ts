import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import * as keys from "../../../../domain/store/keys.ts";
import type { Member } from "../../../../domain/accounts/member.ts";
import type { User } from "../../../../domain/accounts/user.ts";
import { createApp } from "../../../../routes/app.ts";
import { account, data, mailbox, type TestAccount, type TestService } from "../../../service.ts";
import { post, relayedService, send, shown } from "./sending.ts";

const env = { EMAIL_VERIFICATION: "required", BASE_URL: "https://box.example" };
const person = { email: "ada@example.org", password: "correct horse", name: "Ada <b>Lovelace</b>" };

const verify = (test: TestService, token: string) =>
  test.request("/api/auth/verify-email", { json: { token } });

/** Turns the account into one that has registered but not confirmed its address. */
async function unverified(test: TestService): Promise<TestAccount> {
  const owner = await account(test, "free");
  const key = keys.user(owner.userId);
  const person = keys.member(owner.userId, owner.userId);
  await test.service.database.transact(async (tx) => {
    const [user, member] = await Promise.all([tx.get<User>(key), tx.get<Member>(person)]);
    tx.set(key, { ...user, emailUnverified: true });
    tx.set(person, { ...member, isConfirmed: false });
  });
  return owner;
}

const tokenIn = (text: string) => /token=(lbxo_\w+)/.exec(text)?.[1] ?? "";

// SPEC: auth.verification
Deno.test("registration mails a link in text and HTML; the posted token confirms the address once, and opening the page does not", async () => {
  await using world = await relayedService({}, { env });
  const { test, relay } = world;
  const { userId } = await data(test.request("/api/auth/register", { json: person }));
  await test.settle();
  const [mail] = relay.taken;
  assert.deepEqual([mail.from, mail.to], ["noreply@agents.test", [person.email]]);
  const parsed = await PostalMime.parse(mail.raw);
  assert.equal(parsed.from?.address, "noreply@agents.test");
  assert.equal(parsed.headers.find(({ key }) => key === "auto-submitted")?.value, "auto-generated");
  const text = parsed.text ?? "", html = parsed.html ?? "";
  assert.match(text, /https:\/\/box\.example\/verify-email\?token=lbxo_\w+/);
  assert.match(html, /<a href="https:\/\/box\.example\/verify-email\?token=lbxo_\w+">/);
  assert.doesNotMatch(html + text, /<b>|<\/b>/, "the name is no markup");
  const token = tokenIn(text);
  assert.equal(tokenIn(html), token);
  const rows = [];
  for await (const { value } of test.kv.list({ prefix: [] })) rows.push(JSON.stringify(value));
  assert.ok(!rows.some((row) => row?.includes(token)), "no row has the token in clear");

  const page = await createApp(test.service).request(`/verify-email?token=${token}`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'.*sha256-/);
  assert.equal(page.headers.get("referrer-policy"), "no-referrer");
  assert.match(await page.text(), /<button[^>]*>.*api\/auth\/verify-email/s);
  const isOpen = async () =>
    (await test.service.database.get<User>(keys.user(userId)))?.emailUnverified === true;
  assert.equal(await isOpen(), true);
  assert.deepEqual(await data(verify(test, token)), { verified: true });
  assert.equal(await isOpen(), false);
  for (const wrong of [token, "lbxo_unknown", ""]) {
    const answer = await verify(test, wrong);
    assert.deepEqual([answer.status, (await answer.json()).error.code], [400, "VALIDATION_ERROR"]);
  }
});

Deno.test("a link is valid for 24 hours", async () => {
  await using world = await relayedService({}, { env });
  const { test, relay } = world;
  await data(test.request("/api/auth/register", { json: person }));
  await test.settle();
  const token = tokenIn((await PostalMime.parse(relay.taken[0].raw)).text ?? "");
  test.clock.advance(24 * 3_600_000);
  assert.equal((await verify(test, token)).status, 400);
});

// SPEC: auth.verification
Deno.test("until its address is confirmed an account writes to its own mailboxes only", async () => {
  await using world = await relayedService({}, { env });
  const { test, relay } = world;
  const owner = await unverified(test), other = await account(test);
  const box = await mailbox(test, owner), own = await mailbox(test, owner);
  const foreign = await mailbox(test, other);
  const { mailbox_id } = box;
  const inside = { mailbox_id, to: own.email_address, subject: "s", body_text: "t" };
  for (
    const more of [
      { to: "eve@example.net" },
      { to: foreign.email_address },
      { cc: "eve@example.net" },
      { bcc: [foreign.email_address] },
    ]
  ) {
    const { status, body } = await post(test, owner, "/v1/api/emails/send", { ...inside, ...more });
    assert.deepEqual([status, body.error.code], [403, "EMAIL_NOT_VERIFIED"], JSON.stringify(more));
  }
  assert.deepEqual(await shown(test, owner, "/v1/api/emails"), []);
  await send(test, owner, { ...inside, cc: own.email_address.replace("@", "+tag@") });
  await test.settle();
  assert.equal(relay.taken.length, 0);

  const mustConfirm = async () =>
    (await data(test.request("/api/account", { token: owner.accessToken }))).mustConfirmEmail;
  assert.equal(await mustConfirm(), true);
  const resent = await test.request("/api/auth/resend-verification", {
    method: "POST",
    token: owner.accessToken,
  });
  assert.equal(typeof (await data(resent)).message, "string");
  await test.settle();
  const token = tokenIn((await PostalMime.parse(relay.taken[0].raw)).text ?? "");
  assert.equal((await verify(test, token)).status, 200);
  assert.equal(await mustConfirm(), false);
  await send(test, owner, { ...inside, to: "eve@example.net" });
});

Deno.test("links are mailed again at most 5 times an hour, only for a session", async () => {
  await using world = await relayedService({}, { env });
  const { test, relay } = world;
  const owner = await unverified(test);
  const again = (token: string) =>
    test.request("/api/auth/resend-verification", { method: "POST", token });
  assert.equal((await again(owner.key)).status, 401);
  for (let n = 0; n < 5; n++) assert.equal((await again(owner.accessToken)).status, 200);
  const refused = await again(owner.accessToken);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "3600"]);
  const { error } = await refused.json();
  assert.deepEqual(error.details, { limit: 5, window: "hour", retry_after: 3600 });
  await test.advance(3_600_000);
  const { accessToken } = await data(test.request("/api/auth/login", {
    json: { email: owner.email, password: owner.password },
  }));
  assert.equal((await again(accessToken)).status, 200);
  await test.settle();
  assert.equal(relay.taken.length, 6);
});

Deno.test("the mail with the link is retried while the relay refuses temporarily; a mailbox of the service gets it directly", async () => {
  await using world = await relayedService({ rcptTo: () => 450 }, { env });
  const { test, relay } = world;
  await data(test.request("/api/auth/register", { json: person }));
  await test.settle();
  assert.equal(relay.taken.length, 0);
  relay.script.rcptTo = () => "take";
  await test.advance(5_000);
  assert.equal(relay.taken.length, 1);
  const owner = await account(test), box = await mailbox(test, owner);
  await data(test.request("/api/auth/register", {
    json: { ...person, email: box.email_address },
  }));
  await test.settle();
  const [{ from, subject }] = await shown(test, owner, "/v1/api/emails");
  assert.deepEqual([from, subject], [
    "noreply@agents.test",
    "Confirm your address for box.example",
  ]);
  assert.equal(relay.taken.length, 1);
});
