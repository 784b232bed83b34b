import assert from "node:assert/strict";
import { createKvIndex } from "../../../../adapters/search_index/kv_postings.ts";
import * as keys from "../../../../domain/store/keys.ts";
import type { TestOptions } from "../../../service.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";
import { tool } from "../../../contract/budgets.ts";
import { FakeDns } from "../../../adapters/dns/dns_fake.ts";

const ip = "192.0.2.1";
const peer = { "x-remote-ip": ip, "x-remote-helo": "mx.example" };

/** bank.example, its imitation and evil.example: all send from the same host, which their SPF names. */
async function setup(options: TestOptions = {}) {
  const dns = new FakeDns();
  for (const domain of ["bank.example", "bank.example.evil.example", "evil.example"]) {
    dns.publish(domain, { txt: [`v=spf1 ip4:${ip} -all`] });
  }
  const test = await testService({ ...options, parts: { dns, ...options.parts } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const send = async (From: string, sender: string) =>
    (await deliver(
      test,
      box.email_address,
      message(
        { From, Subject: sender, To: `"team@club.example" <${box.email_address}>` },
        "The walrus code is 482913.\n",
      ),
      { ...peer, "x-envelope-from": sender },
    )).email_id;
  const mails = {
    named: await send('"noreply@bank.example" <x@evil.example>', "x@evil.example"),
    both: await send(`"Bank <noreply@bank.example>" <x@evil.example>`, "x@evil.example"),
    longer: await send(
      "noreply@bank.example.evil.example",
      "noreply@bank.example.evil.example",
    ),
    forged: await send("Bank <noreply@bank.example>", "x@evil.example"),
    genuine: await send("Bank <noreply@bank.example>", "noreply@bank.example"),
  };
  await test.settle();
  return { test, owner, box, mails };
}

Deno.test("an address filter looks at the address alone; with a verdict at the domain that passed", async () => {
  const { test, owner, box, mails } = await setup();
  await using _ = test;
  const get = (path: string) => data(test.request(path, { token: owner.key }));
  const list = async (query: string) =>
    (await get(`/v1/api/emails?order=asc&${query}`)).map((each: { email_id: string }) =>
      each.email_id
    );
  const { longer, forged, genuine, named, both } = mails;
  assert.deepEqual(await list("from=noreply@bank.example"), [longer, forged, genuine]);
  assert.deepEqual(await list("from=@bank.example"), [longer, forged, genuine]);
  assert.deepEqual(await list("from=Bank"), [named, both, longer, forged, genuine]);
  assert.deepEqual(await list("from=noreply@bank.example&auth_verdict=none"), [forged]);
  assert.deepEqual(await list("to=team@club.example"), []);
  for (
    const from of ["noreply@bank.example", "@bank.example", "bank.example", "NoReply@BANK.example"]
  ) {
    const query = `from=${from}&auth_verdict=pass`;
    assert.deepEqual(await list(query), [genuine], from);
    const wait = `mailbox_id=${box.mailbox_id}&timeout_seconds=0&since=2020-01-01&${query}`;
    assert.equal((await get(`/v1/api/emails/wait?${wait}`)).email.email_id, genuine, from);
    const args = { mailbox_id: box.mailbox_id, from, auth_verdict: "pass" };
    const { emails } = await tool(test, owner, "list_emails", args);
    assert.deepEqual((emails as { email_id: string }[]).map((each) => each.email_id), [genuine]);
    const found = await tool(test, owner, "search_emails", { query: "walrus", ...args });
    assert.deepEqual((found.results as { email_id: string }[]).map((each) => each.email_id), [
      genuine,
    ]);
  }
  const claims = await data(test.request(`/v1/api/mailboxes/${box.mailbox_id}/claims`, {
    token: owner.key,
    json: {
      limit: 5,
      from: "noreply@bank.example",
      auth_verdict: "pass",
    },
  }));
  assert.deepEqual(claims.map((each: { email: { email_id: string } }) => each.email.email_id), [
    genuine,
  ]);
});

const indexes: Record<string, TestOptions> = {
  embedded: {},
  kv: { ownParts: ({ database }) => ({ searchIndex: createKvIndex(database, keys) }) },
};
for (const [name, options] of Object.entries(indexes)) {
  Deno.test(`a search over the ${name} index does not take a display name for an address`, async () => {
    const { test, owner, mails } = await setup(options);
    await using _ = test;
    const json = { query: "walrus", from: "noreply@bank.example", limit: 50 };
    const answer = await test.request("/v1/api/search", { token: owner.key, json });
    const { results, total } = await answer.json();
    const ids = results.map((each: { email_id: string }) => each.email_id).sort();
    assert.deepEqual(ids, [mails.longer, mails.forged, mails.genuine].sort());
    assert.equal(total, 3);
  });
}
