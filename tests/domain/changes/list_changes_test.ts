import assert from "node:assert/strict";
import { cutJournals } from "../../../domain/changes/bound_journals.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";

interface Page {
  data: { change_id: string; event: string; mailbox_id: string; email_id: string | null }[];
  meta: { limit: number; has_more: boolean; next_cursor: string };
}

async function changes(test: TestService, owner: TestAccount, query = ""): Promise<Page> {
  const answer = await test.request(`/v1/api/changes${query}`, { token: owner.key });
  assert.equal(answer.status, 200);
  return await answer.json();
}

Deno.test("changes name what happened to mailboxes and mail, in order, and each has its ids", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { meta: { next_cursor: start } } = await changes(test, owner, "?after=now");
  const box = await mailbox(test, owner, "agent-one");
  const { email_id } = await deliver(test, box.email_address, message());
  await test.settle();
  await data(test.request(`/api/mailboxes/${box.mailbox_id}`, {
    method: "PATCH",
    token: owner.accessToken,
    json: { email_address: "agent-two@agents.test", domain: "agents.test" },
  }));
  await data(test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
    method: "DELETE",
    token: owner.key,
    json: { confirm_email_address: "agent-two@agents.test" },
  }));
  const { data: rows, meta } = await changes(test, owner, `?after=${start}`);
  assert.deepEqual(rows.map(({ event, email_id, mailbox_id }) => [event, email_id, mailbox_id]), [
    ["mailbox.created", null, box.mailbox_id],
    ["email.received", email_id, box.mailbox_id],
    ["email.processed", email_id, box.mailbox_id],
    ["mailbox.renamed", null, box.mailbox_id],
    ["mailbox.deleted", null, box.mailbox_id],
  ]);
  assert.deepEqual(meta, { limit: 100, has_more: false, next_cursor: rows[4].change_id });
  const rest = await changes(test, owner, `?after=${rows[1].change_id}`);
  assert.deepEqual(rest.data, rows.slice(2));
  assert.equal((await changes(test, owner, `?after=${meta.next_cursor}`)).data.length, 0);
});

Deno.test("a client that follows next_cursor sees every change once, in order, with pages of any size", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const raws = Array.from({ length: 40 }, (_, n) => message({ Subject: `No. ${n}` }));
  await Promise.all(raws.map((raw) => deliver(test, box.email_address, raw)));
  await test.settle();
  const { data: all } = await changes(test, owner, "?limit=500");
  assert.equal(all.length, 81);
  const ids = all.map(({ change_id }) => change_id);
  assert.deepEqual(ids, ids.toSorted());
  for (const limit of [1, 7, 80, 81]) {
    const seen = [];
    for (let after = ""; seen.length < 200;) {
      const page = await changes(test, owner, `?limit=${limit}${after}`);
      seen.push(...page.data);
      after = `&after=${page.meta.next_cursor}`;
      if (!page.meta.has_more) break;
    }
    assert.deepEqual(seen, all);
  }
});

Deno.test("a key limited to mailboxes sees only their changes; another mailbox is 404", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [one, two] = [await mailbox(test, owner), await mailbox(test, owner)];
  await deliver(test, one.email_address, message());
  await deliver(test, two.email_address, message());
  const { apiKey } = await data(test.request("/v1/api/keys", {
    token: owner.key,
    json: { name: "limited", mailboxIds: [one.mailbox_id] },
  }));
  const limited = await changes(test, { ...owner, key: apiKey });
  assert.ok(limited.data.length >= 2);
  assert.ok(limited.data.every(({ mailbox_id }) => mailbox_id === one.mailbox_id));
  const filtered = await changes(test, owner, `?mailbox_id=${two.mailbox_id}`);
  assert.ok(filtered.data.length >= 2);
  assert.ok(filtered.data.every(({ mailbox_id }) => mailbox_id === two.mailbox_id));
  const path = `/v1/api/changes?mailbox_id=${two.mailbox_id}`;
  assert.equal((await test.request(path, { token: apiKey })).status, 404);
});

Deno.test("changes are kept for 30 days; a cursor is 410 only if changes after it are gone", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { meta: { next_cursor: beginning } } = await changes(test, owner, "?after=now");
  const box = await mailbox(test, owner);
  const { meta: { next_cursor: between } } = await changes(test, owner, "?after=now");
  test.clock.advance(20 * 86_400_000);
  await deliver(test, box.email_address, message());
  // Its last change must be as old as its first.
  await test.settle();
  test.clock.advance(11 * 86_400_000);
  const { database, clock } = test.service;
  assert.equal(await cutJournals(database, clock.now(), () => true), 1);
  const expired = await test.request(`/v1/api/changes?after=${beginning}`, { token: owner.key });
  assert.equal(expired.status, 410);
  assert.equal((await expired.json()).error.code, "CURSOR_EXPIRED");
  assert.equal((await changes(test, owner, `?after=${between}`)).data[0].event, "email.received");
  assert.equal((await changes(test, owner)).data[0].event, "email.received");
  test.clock.advance(31 * 86_400_000);
  await cutJournals(database, clock.now(), () => true);
  const { data: none, meta } = await changes(test, owner);
  assert.deepEqual([none, meta.has_more], [[], false]);
  assert.equal((await changes(test, owner, `?after=${meta.next_cursor}`)).data.length, 0);
});

Deno.test("an invalid cursor and an unknown parameter are 400 with their name", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const [query, field] of [["after=x", "after"], ["limt=5", "limt"], ["limit=501", "limit"]]) {
    const answer = await test.request(`/v1/api/changes?${query}`, { token: owner.key });
    assert.equal(answer.status, 400);
    const { error } = await answer.json();
    assert.equal(error.code, "VALIDATION_ERROR");
    assert.match(error.message, new RegExp(`^${field}: `));
  }
});
