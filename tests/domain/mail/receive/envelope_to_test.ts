import assert from "node:assert/strict";
import * as keys from "../../../../domain/store/keys.ts";
import { readRow, type StoredRow } from "../../../../domain/mail/record/email_row.ts";
import { unpacked } from "../../../../domain/mail/record/row_text.ts";
import { FakeClock, message, testService } from "../../../service.ts";
import { ScriptedTarget } from "../../webhooks/scripted_target.ts";
import { catchAllBox } from "./catch_all_box.ts";

const domain = "shop.example";

/** An account with a catch-all on its domain, and a webhook. */
async function world() {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  const test = await testService({ parts: { clock, webhookTarget: target } });
  const made = await catchAllBox(test, domain);
  const events = ["email.received", "email.processed"];
  await made.call("/webhooks", { url: "https://hook.example.com/in", events });
  return {
    ...{ test, ...made },
    told: () => target.posts.map(({ body }) => JSON.parse(body)),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("one message to several addresses of a mailbox is one email with one ledger row; each recipient is accepted", async () => {
  await using w = await world();
  const { test, call, take, box } = w;
  const addresses = [`Sales+Order-7@${domain}`, `info@${domain}`, `catch-box+x@${domain}`];
  const results = await take([...addresses, `info@${domain}`]);
  const [{ email_id }] = results;
  assert.deepEqual(
    results,
    [...addresses, `info@${domain}`].map((recipient) => ({
      ...{ recipient, disposition: "accepted", email_id },
    })),
  );
  await test.settle();
  const email = await call(`/emails/${email_id}`);
  assert.deepEqual([email.mailbox_id, email.envelope_to], [box.mailbox_id, addresses]);
  const listed = await call("/emails");
  assert.deepEqual(listed.map((each: { envelope_to: string[] }) => each.envelope_to), [addresses]);
  assert.equal((await call("/arrivals")).length, 1);
  const usage = await test.service.database.get<{ count: number }>(
    keys.mailboxStats(w.owner.userId, box.mailbox_id),
  );
  assert.ok(JSON.stringify(usage).includes("1"));
  assert.deepEqual(
    w.told().map(({ event, data }) => [event, data.envelope_to]),
    [["email.received", addresses], ["email.processed", addresses]],
  );
});

Deno.test("email.received has the name of the sender, a snippet, and whether a program wrote it", async () => {
  await using w = await world();
  await w.take([`a@${domain}`], message({ "Auto-Submitted": "auto-replied" }));
  await w.test.settle();
  const [{ data: { from, from_name, automated, snippet, envelope_to } }] = w.told();
  assert.deepEqual({ from, from_name, automated, envelope_to }, {
    ...{ from: "ada@example.net", from_name: "Ada", automated: true },
    envelope_to: [`a@${domain}`],
  });
  const [listed] = await w.call("/emails");
  assert.ok(snippet.length > 0);
  assert.equal(snippet, listed.snippet);
});

Deno.test("the same bytes to another address are a duplicate that adds the address, once in any case, at most 100", async () => {
  await using w = await world();
  const { call, take, test } = w;
  const [{ email_id }] = await take([`one@${domain}`]);
  await test.settle();
  const { next_cursor } = await metaOf(w, "/changes?after=now");
  for (const again of [`two@${domain}`, `TWO@${domain}`, `one@${domain}`]) {
    assert.deepEqual(await take([again]), [
      { recipient: again, disposition: "duplicate", email_id },
    ]);
  }
  const shown = async () => (await call(`/emails/${email_id}`)).envelope_to;
  assert.deepEqual(await shown(), [`one@${domain}`, `two@${domain}`]);
  const changes = await call(`/changes?after=${next_cursor}`);
  assert.deepEqual(changes.map((each: { event: string }) => each.event), ["email.updated"]);
  assert.deepEqual(w.told().map(({ event }) => event), ["email.received", "email.processed"]);
  await take(Array.from({ length: 100 }, (_, n) => `n${n}@${domain}`));
  assert.equal((await shown()).length, 100);
});

async function metaOf({ test, owner }: Awaited<ReturnType<typeof world>>, path: string) {
  return (await (await test.request(`/v1/api${path}`, { token: owner.key })).json()).meta;
}

Deno.test("list, search, wait and claims filter by a whole address of the envelope, in any case", async () => {
  await using w = await world();
  const { call, take, test, box, owner } = w;
  const [{ email_id }] = await take([`orders+7@${domain}`], message({ Subject: "Engine" }));
  await take([`other@${domain}`], message({ Subject: "Engine two" }));
  await test.settle();
  const asked = { envelope_to: `Orders+7@SHOP.example` };
  const query = new URLSearchParams(asked);
  const only = [email_id];
  const ids = (rows: { email_id: string }[]) => rows.map((each) => each.email_id);
  assert.deepEqual(ids(await call(`/emails?${query}`)), only);
  assert.deepEqual(ids(await call(`/emails?envelope_to=orders@${domain}`)), []);
  assert.deepEqual(ids(await call(`/emails?envelope_to=rders%2B7@${domain}`)), []);
  assert.deepEqual(ids(await call(`/emails?to=orders%2B7`)), only, "the filter `to` finds it too");
  const search = async (json: object) => {
    const answer = await test.request("/v1/api/search", { token: owner.key, json });
    return ids((await answer.json()).results);
  };
  assert.deepEqual(await search({ query: "engine", ...asked }), only);
  assert.deepEqual(await search({ query: "engine", to: "orders+7@" }), only);
  const since = new Date(test.clock.now() - 60_000).toISOString();
  const wait = await call(`/emails/wait?${query}&since=${since}&timeout_seconds=0`);
  assert.equal(wait.email.email_id, email_id);
  assert.deepEqual(wait.email.envelope_to, [`orders+7@${domain}`]);
  const claims = await call(`/mailboxes/${box.mailbox_id}/claims`, { limit: 10, ...asked });
  assert.deepEqual(ids(claims.map((each: { email: object }) => each.email)), only);
});

Deno.test("sent mail has no envelope_to, and mail of an earlier version has it where it is shown whole", async () => {
  await using w = await world();
  const { call, take, test, box, owner } = w;
  const [{ email_id }] = await take([`old@${domain}`]);
  await test.settle();
  const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "Hi." };
  const sent = await call("/emails/send", mail);
  assert.ok(!("envelope_to" in await call(`/emails/${sent.email_id}`)));
  // As an earlier version has written it.
  const { database } = test.service;
  const { userId } = owner;
  const [row, details] = await Promise.all([
    database.get<StoredRow>(keys.email(userId, email_id!)),
    database.get<string>(keys.emailDetails(userId, email_id!)),
  ]);
  const fields = unpacked(row!) as unknown[], rest = unpacked(details!) as unknown as unknown[];
  await database.transact((tx) => {
    tx.set(keys.email(userId, email_id!), JSON.stringify(fields.slice(0, 15)));
    rest[9] = [`old@${domain}`];
    tx.set(keys.emailDetails(userId, email_id!), JSON.stringify(rest));
  });
  assert.deepEqual((await call(`/emails/${email_id}`)).envelope_to, [`old@${domain}`]);
  const listed = await call("/emails?direction=inbound");
  assert.deepEqual(listed[0].envelope_to, []);
  await take([`new@${domain}`]);
  const stored = await database.get<StoredRow>(keys.email(userId, email_id!));
  assert.deepEqual(readRow(email_id!, stored!).envelopeTo, [`old@${domain}`, `new@${domain}`]);
});
