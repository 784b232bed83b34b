import assert from "node:assert/strict";
import { inspect } from "node:util";
import { FakeDns } from "../../adapters/dns/dns_fake.ts";
import { account, data, mailbox, operatorToken } from "../../service.ts";
import { bounceTo, relayedService, report, returnOf, send } from "../mail/send/sending.ts";

const person = { email: "leaving@example.org", password: "correct horse", name: "Leaving" };

// SPEC: account.purge
Deno.test("an account with an invitation, a second confirmation link, a bounce and waiting mail leaves only its held address", async () => {
  const env = {
    REGISTRATION: "invite",
    EMAIL_VERIFICATION: "required",
    BASE_URL: "https://box.example",
  };
  await using world = await relayedService({}, { env, parts: { dns: new FakeDns() } });
  const { test, relay } = world;
  const texts = async (markers: readonly string[]) => {
    const found = [];
    for await (const { key, value } of test.kv.list({ prefix: [] }, { batchSize: 200 })) {
      // The database removes these rows of a shared store after a minute.
      if (key[0] === "journal_news") continue;
      const bytes = value instanceof Uint8Array;
      const text = bytes ? new TextDecoder().decode(value) : inspect(value, { depth: 20 });
      const row = key.map(String).join(" ");
      if (markers.some((each) => `${row} ${text}`.includes(each))) found.push(row);
    }
    return found;
  };
  const tablesOf = (rows: string[]) => new Set(rows.map((row) => row.split(" ")[0]));

  const { token } = await data(test.request("/operator/invitations", {
    token: operatorToken,
    json: { email: person.email },
  }));
  const { userId } = await data(
    test.request("/api/auth/register", { json: { ...person, invitation: token } }),
  );
  const login = { email: person.email, password: person.password };
  const { accessToken } = await data(test.request("/api/auth/login", { json: login }));
  await data(test.request("/api/auth/resend-verification", { method: "POST", token: accessToken }));
  await test.settle();
  const links = relay.taken.map(({ raw }) =>
    /token=3D(lbxo_\w+)|token=(lbxo_\w+)/.exec(new TextDecoder().decode(raw))
  ).map((found) => found?.[1] ?? found?.[2] ?? "");
  assert.equal(links.length, 2);
  await data(test.request("/api/auth/verify-email", { json: { token: links[0] } }));
  const { apiKey } = await data(
    test.request("/v1/api/keys", { token: accessToken, json: { name: "agent" } }),
  );
  const owner = { ...await account(test), key: apiKey };
  const box = await mailbox(test, owner, "leaving-box");
  const fields = { mailbox_id: box.mailbox_id, subject: "Marmalade", body_text: "Marmalade." };
  const sent = await send(test, owner, { ...fields, to: "gone@one.example" });
  await test.settle();
  await bounceTo(
    test,
    returnOf(relay, "gone@one.example"),
    report(sent.message_id, "gone@one.example"),
  );
  await test.settle();
  const list = await data(test.request("/v1/api/suppressions", { token: apiKey }));
  assert.deepEqual(list.map(({ address }: { address: string }) => address), ["gone@one.example"]);
  const sendAt = new Date(test.clock.now() + 86_400_000).toISOString();
  await send(test, owner, { ...fields, to: "later@one.example", send_at: sendAt });
  await data(test.request(`/v1/api/mailboxes/${box.mailbox_id}/policy`, {
    method: "PUT",
    token: accessToken,
    json: { retention_days: 30, block_senders: ["blocked@marmalade.example"] },
  }));
  await data(test.request("/v1/api/emails?limit=1", { token: apiKey }));
  await test.advance(2_000);

  const markers = [userId, person.email, box.mailbox_id, sent.email_id];
  markers.push("armalade", "gone@one.example", "later@one.example");
  const before = tablesOf(await texts(markers));
  const expected = ["suppressions", "return_paths", "confirmations_asked", "drafts", "audit"];
  for (const table of expected) assert.ok(before.has(table), table);
  const ended = await test.request("/api/account", {
    method: "DELETE",
    token: accessToken,
    json: { confirm_email: person.email, password: person.password },
  });
  assert.deepEqual(await data(Promise.resolve(ended)), { deleted: true });
  await test.advance(100_000);
  // After the purge the scheduled draft is not sent, and the retention does not search for the mailbox.
  await test.advance(86_400_000);
  assert.deepEqual(await texts(markers), ["mailboxes_by_address leaving-box@agents.test"]);
  assert.ok(relay.taken.length > 0);
  assert.ok(relay.taken.every(({ to }) => !to.includes("later@one.example")));
});
