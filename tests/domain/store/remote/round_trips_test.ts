import assert from "node:assert/strict";
import { inTurn } from "../../../remote_kv/counts.ts";
import { receive } from "../../../../domain/mail/receive/receive.ts";
import { RemoteKv } from "../../../remote_kv/remote_kv.ts";
import { measureRoundTrips, mostInTurn } from "../../../remote_kv/round_trips.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

Deno.test("no operation waits for more requests in turn than the table of round trips says", async () => {
  const measured = await measureRoundTrips({ rounds: 3 });
  assert.deepEqual(Object.keys(measured).sort(), Object.keys(mostInTurn).sort());
  for (const [name, { inTurn }] of Object.entries(measured)) {
    const most = mostInTurn[name as keyof typeof mostInTurn];
    assert.ok(inTurn <= most, `${name}: ${inTurn} in turn, at most ${most}`);
  }
});

Deno.test("a mail to 50 recipients that waits for a person does not wait for the rows of each recipient in turn", async () => {
  await using remote = new RemoteKv();
  await using test = await testService({ remote, instances: 1 });
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const path = `/v1/api/mailboxes/${mailbox_id}/policy`;
  const json = { approval: "new_recipients" };
  await data(test.request(path, { token: owner.accessToken, method: "PUT", json }));
  const to = Array.from({ length: 50 }, (_, n) => `r${n}@example.net`);
  const mail = { mailbox_id, to, subject: "Hello", body_text: "Text" };
  remote.clear();
  const sent = test.request("/v1/api/emails/send", { token: owner.key, json: mail });
  assert.equal((await data(sent)).status, "pending_approval");
  const most = inTurn(remote.calls);
  assert.ok(most <= 60, `${most} in turn`);
});

Deno.test("a page of 100 conversations does not wait for the rows of each conversation in turn", async () => {
  await using remote = new RemoteKv({ readMs: [10, 15] });
  await using test = await testService({ remote, instances: 1 });
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  for (let n = 0; n < 110; n++) {
    await deliver(test, email_address, message({ From: `p${n}@example.net`, Subject: `${n}` }));
  }
  await test.settle();
  remote.clear();
  const path = "/api/threads?limit=100";
  const threads = await data(test.request(path, { token: owner.accessToken }));
  assert.equal(threads.length, 100);
  const most = inTurn(remote.calls);
  assert.ok(most <= 40, `${most} in turn`);
});

Deno.test("a message to 100 mailboxes, of one account or of many, waits for a few commits and not for 100", async () => {
  for (const accounts of [1, 100]) {
    await using remote = new RemoteKv({ readMs: [3, 3], writeMs: [6, 6] });
    await using test = await testService({ remote, instances: 1 });
    const owners: Awaited<ReturnType<typeof account>>[] = [];
    const recipients: string[] = [];
    // One after another: of 100 at once the last waits for seconds, which a busy machine makes too many.
    for (let n = 0; n < accounts; n++) owners.push(await account(test));
    for (let n = 0; n < 100; n++) {
      recipients.push((await mailbox(test, owners[n % accounts])).email_address);
    }
    remote.clear();
    const results = await receive(test.service, {
      ...{ source: "smtp", sender: "a@example.net", recipients, facts: {}, ingestId: null },
      body: ReadableStream.from([new TextEncoder().encode(message({}, "x".repeat(100_000)))]),
    });
    assert.ok(results.every(({ disposition }) => disposition === "accepted"));
    const most = inTurn(remote.calls);
    assert.ok(most <= 40, `${most} in turn for ${accounts} accounts`);
  }
});
