import assert from "node:assert/strict";
import * as keys from "../../../domain/store/keys.ts";
import {
  account,
  deliver,
  mailbox,
  message,
  type TestService,
  testService,
} from "../../service.ts";
import { failure, familiesOf, sessionOf } from "./families.ts";

const domain = "shop.example";

/** Makes the domain the account's. */
async function prove(test: TestService, userId: string | null, name = domain) {
  await test.service.database.transact((tx) => {
    if (userId) tx.set(keys.customDomainVerified(name), { userId, domainId: "h1" });
    else tx.delete(keys.customDomainVerified(name));
  });
}

async function world(env: Record<string, string> = {}) {
  const test = await testService({ env });
  const owner = await account(test);
  await prove(test, owner.userId);
  const first = await mailbox(test, owner, "first-box", domain);
  const box = await mailbox(test, owner, "catch-box", domain);
  const [v1] = familiesOf(test, owner);
  const set = (id: string, catch_all = true) => v1.call("PATCH", `/mailboxes/${id}`, { catch_all });
  /** The mailbox that has the mail, or the code of its refusal. */
  let n = 0;
  const at = async (address: string) => {
    const result = await deliver(test, address, message({ Subject: `${++n}` }));
    if (result.disposition !== "accepted") return result.code;
    const email = await v1.call("GET", `/emails/${result.email_id}`);
    return (email.body as { data: { mailbox_id: string } }).data.mailbox_id;
  };
  return {
    test,
    owner,
    v1,
    first,
    box,
    set,
    at,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("a catch-all takes mail to every address of its domain that no mailbox has and no hold keeps", async () => {
  await using w = await world();
  const { test, v1, first, box, set, at } = w;
  assert.equal(await at(`anything@${domain}`), "UNKNOWN_RECIPIENT");
  assert.equal((await set(box.mailbox_id)).status, 200);
  assert.equal(await at(`anything@${domain}`), box.mailbox_id);
  assert.equal(await at(`Sales+x@${domain.toUpperCase()}`), box.mailbox_id);
  assert.equal(await at(`x@${domain}`), box.mailbox_id);
  assert.equal(await at(first.email_address), first.mailbox_id);
  assert.equal(await at(`bounce@${domain}`), "UNKNOWN_RECIPIENT");
  assert.equal(await at(`bounce+x@${domain}`), "UNKNOWN_RECIPIENT");
  assert.equal(await at(`anything@sub.${domain}`), "UNKNOWN_RECIPIENT");
  const path = `/mailboxes/${first.mailbox_id}`;
  await v1.call("DELETE", path, { confirm_email_address: first.email_address });
  assert.equal(await at(first.email_address), "UNKNOWN_RECIPIENT", "a hold keeps it");
  await test.advance(31 * 86_400_000);
  assert.equal(await at(first.email_address), box.mailbox_id, "the hold is over");
});

Deno.test("a domain has one catch-all, and only an own verified one has it", async () => {
  await using w = await world();
  const { test, owner, first, box, set, at } = w;
  const shared = await mailbox(test, owner);
  assert.deepEqual(failure(await set(shared.mailbox_id)).status, 422);
  assert.deepEqual(failure(await set(shared.mailbox_id)).code, "DOMAIN_NOT_ALLOWED");
  const answers = await Promise.all([set(first.mailbox_id), set(box.mailbox_id)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  const [won, lost] = answers[0].status === 200 ? [first, box] : [box, first];
  assert.equal(failure(await set(lost.mailbox_id)).code, "CONFLICT");
  assert.equal((await set(won.mailbox_id)).status, 200, "setting it again is no conflict");
  assert.equal((await set(lost.mailbox_id, false)).status, 200);
  assert.equal(await at(`any-name@${domain}`), won.mailbox_id);
  await set(won.mailbox_id, false);
  assert.equal(await at(`any-name@${domain}`), "UNKNOWN_RECIPIENT");
  await prove(test, null);
  assert.equal(failure(await set(won.mailbox_id)).code, "DOMAIN_NOT_ALLOWED");
});

Deno.test("rename, migration, deletion and the loss of the domain end a catch-all", async () => {
  await using w = await world();
  const { test, owner, v1, box, set, at } = w;
  const session = sessionOf(test, owner);
  const ended = async (what: string) =>
    assert.equal(await at(`any-name@${domain}`), "UNKNOWN_RECIPIENT", what);
  await set(box.mailbox_id);
  const path = `/mailboxes/${box.mailbox_id}`;
  await session.call("PATCH", path, { local_part: "catch-two", domain });
  await ended("rename");
  const { mailbox: record } = (await v1.call("GET", path)).body as {
    mailbox: { catch_all: boolean };
  };
  assert.equal(record.catch_all, false);
  await set(box.mailbox_id);
  const other = await account(test);
  await prove(test, other.userId);
  await ended("another account has the domain");
  await prove(test, owner.userId);
  assert.equal(await at(`any-name@${domain}`), box.mailbox_id);
  const row = keys.customDomain(owner.userId, "h1");
  await test.service.database.transact((tx) => {
    tx.set(row, { domainId: "h1", userId: owner.userId, name: domain });
  });
  const moved = { target_domain: "agents.test", dry_run: false };
  assert.equal((await session.call("POST", "/domains/h1/migrate-mailboxes", moved)).status, 200);
  await ended("migration");
  await session.call("PATCH", path, { local_part: "catch-two", domain });
  await set(box.mailbox_id);
  await v1.call("DELETE", path, { confirm_email_address: `catch-two@${domain}` });
  await ended("deletion");
});

Deno.test("a key that is limited to certain mailboxes cannot set a catch-all", async () => {
  await using w = await world();
  const { test, v1, box } = w;
  const made = await v1.call("POST", "/keys", { name: "one", mailboxIds: [box.mailbox_id] });
  const token = (made.body as { data: { apiKey: string } }).data.apiKey;
  const answer = await test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
    method: "PATCH",
    json: { catch_all: true },
    token,
  });
  assert.equal(answer.status, 403);
});

Deno.test("a reply to all leaves out an address that came in by the catch-all", async () => {
  await using w = await world();
  const { test, v1, box, set } = w;
  await set(box.mailbox_id);
  const raw = message({ To: `sales@${domain}, Bob <bob@example.com>`, Subject: "Offer" });
  const { email_id } = await deliver(test, `sales@${domain}`, raw);
  const dry = await v1.call("POST", `/emails/${email_id}/reply`, {
    reply_all: true,
    body_text: "Yes.",
    dry_run: true,
  });
  const { to, cc } = (dry.body as { data: { to: string[]; cc: string[] } }).data;
  assert.deepEqual([...to, ...cc].filter((each) => each.includes(domain)), []);
});

Deno.test("postmaster and abuse of an own domain: a mailbox of that name, else the catch-all, else the oldest", async () => {
  await using w = await world({ OWN_DOMAIN_NAMES: "any" });
  const { test, owner, first, box, set, at } = w;
  assert.equal(await at(`Postmaster@${domain}`), first.mailbox_id);
  assert.equal(await at(`abuse@${domain}`), first.mailbox_id);
  await set(box.mailbox_id);
  assert.equal(await at(`postmaster@${domain}`), box.mailbox_id);
  const named = await mailbox(test, owner, "postmaster", domain);
  assert.equal(await at(`POSTMASTER@${domain}`), named.mailbox_id);
  await prove(test, owner.userId, "empty.example");
  const oldest = await at("postmaster@empty.example");
  assert.equal(oldest, first.mailbox_id, "a domain without a mailbox");
});

Deno.test("postmaster and abuse of shared domains go to POSTMASTER_MAILBOX, also without a domain", async () => {
  await using unset = await world();
  assert.equal(await unset.at("postmaster@agents.test"), "UNKNOWN_RECIPIENT");
  await using w = await world({ POSTMASTER_MAILBOX: "Operator@agents.test" });
  const { test, owner, at } = w;
  assert.equal(await at("postmaster@agents.test"), "UNKNOWN_RECIPIENT", "there is no such mailbox");
  const operator = await mailbox(test, owner, "operator");
  for (
    const to of ["Postmaster@agents.test", "abuse@mail.agents.test", "Postmaster", "<postmaster>"]
  ) {
    assert.equal(await at(to), operator.mailbox_id, to);
  }
  assert.equal(await at("admin@agents.test"), "UNKNOWN_RECIPIENT");
});

Deno.test("OWN_DOMAIN_NAMES=any allows reserved and short names on an own verified domain alone", async () => {
  await using spec = await world();
  const create = async (
    w: Awaited<ReturnType<typeof world>>,
    local_part: string,
    host = domain,
  ) => {
    const answer = await w.v1.call("POST", "/mailboxes", { local_part, domain: host });
    return answer.status === 201 ? 201 : failure(answer).code;
  };
  assert.equal(await create(spec, "admin"), "DISALLOWED_LOCAL");
  assert.equal(await create(spec, "hi"), "LOCAL_TOO_SHORT");
  await using any = await world({ OWN_DOMAIN_NAMES: "any" });
  for (const local of ["admin", "hi", "x"]) assert.equal(await create(any, local), 201, local);
  assert.equal(await create(any, "bounce"), "DISALLOWED_LOCAL");
  assert.equal(await create(any, ""), "LOCAL_TOO_SHORT");
  assert.equal(await create(any, "admin", "agents.test"), "DISALLOWED_LOCAL");
  assert.equal(await create(any, "hi", "agents.test"), "LOCAL_TOO_SHORT");
  assert.equal(await create(any, "hi", "foreign.example"), "LOCAL_TOO_SHORT");
});
