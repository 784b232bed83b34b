import assert from "node:assert/strict";
import { removeExpired } from "../../../../domain/store/expiry.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { listenSmtp } from "../../../../routes/inbound/smtp/listen_smtp.ts";
import { SmtpTalk } from "../../../routes/inbound/smtp_talk.ts";
import {
  account,
  deliver,
  FakeClock,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";

const dayMs = 86_400_000;

interface Row {
  recipient: string;
  disposition: string;
  code: string | null;
  mailbox_id: string | null;
  email_id: string | null;
  count: number;
}

/** All rows of the ledger, newest first. */
async function ledger(test: TestService, owner: TestAccount, query = ""): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = "";;) {
    const page = `/v1/api/arrivals?limit=100${query}${cursor && `&cursor=${cursor}`}`;
    const { data, meta } = await (await test.request(page, { token: owner.key })).json();
    rows.push(...data);
    if (!meta.has_more) return rows;
    cursor = meta.next_cursor;
  }
}

function sum(rows: Row[]): number {
  return rows.reduce((all, { count }) => all + count, 0);
}

// SPEC: arrivals.bounded
Deno.test("repeated duplicates and refusals get 200 and 100 rows a day in a mailbox, and one row that counts the rest", async () => {
  const clock = new FakeClock();
  await using test = await testService({
    parts: { clock },
    plans: { free: { emailsPerDay: 1 } },
  });
  const owner = await account(test, "free");
  const [one, two] = [await mailbox(test, owner), await mailbox(test, owner)];
  const { email_id } = await deliver(test, one.email_address, "a\r\n\r\nb");
  for (const _ of Array(250)) {
    assert.equal((await deliver(test, one.email_address, "a\r\n\r\nb")).disposition, "duplicate");
    assert.equal((await deliver(test, one.email_address, "another")).code, "OVER_QUOTA");
  }
  await deliver(test, two.email_address, "another");
  const rows = await ledger(test, owner);
  assert.equal(rows.length, 304);
  for (
    const [disposition, own, id] of [["duplicate", 200, email_id], ["rejected", 100, null]] as const
  ) {
    const found = await ledger(
      test,
      owner,
      `&disposition=${disposition}&mailbox_id=${one.mailbox_id}`,
    );
    assert.deepEqual([found.length, sum(found)], [own + 1, 250], disposition);
    const [many] = found.filter(({ count }) => count > 1);
    assert.deepEqual([many.recipient, many.count, many.email_id], ["*@agents.test", 250 - own, id]);
  }
  const [refused] = await ledger(test, owner, `&mailbox_id=${two.mailbox_id}`);
  assert.deepEqual([refused.recipient, refused.count], [two.email_address, 1]);
  clock.advance(dayMs);
  await deliver(test, one.email_address, "a\r\n\r\nb");
  assert.equal((await ledger(test, owner)).length, 305);
});

Deno.test("refusals at RCPT are bounded too, whatever the number of connections, and not lost to a restart", async () => {
  const clock = new FakeClock();
  await using test = await testService({ parts: { clock } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await test.request(`/v1/api/mailboxes/${box.mailbox_id}/policy`, {
    ...{ method: "PUT", token: owner.accessToken },
    json: { block_senders: ["@spam.example"] },
  });
  for (let n = 0; n < 3; n++) {
    // Each listener begins without memory.
    const server = await listenSmtp(test.service, { hostname: "127.0.0.1", port: 0 });
    using talk = await SmtpTalk.connect(server.port);
    await talk.say("EHLO client.example.net");
    await talk.say("MAIL FROM:<x@spam.example>");
    for (let m = 0; m < 50; m++) {
      assert.match(await talk.say(`RCPT TO:<${box.email_address}>`), /^550 5\.7\.1/);
    }
    await talk.say("QUIT");
    await server.close();
  }
  const rows = await ledger(test, owner);
  assert.deepEqual([rows.length, sum(rows)], [101, 150]);
});

Deno.test("the row that counts is listed once for its removal, and goes after 30 days", async () => {
  const clock = new FakeClock();
  await using test = await testService({ parts: { clock }, instances: 1 });
  if (!test.service.database.exclusive) return;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const lists = async () =>
    (await Array.fromAsync(test.kv.list({ prefix: keys.allExpiring() }))).length;
  for (let n = 0; n < 202; n++) await deliver(test, box.email_address, "same");
  const before = await lists();
  for (let n = 0; n < 50; n++) {
    clock.advance(1_000);
    await deliver(test, box.email_address, "same");
  }
  assert.equal(await lists(), before);
  assert.equal(sum(await ledger(test, owner)), 252);
  clock.advance(30 * dayMs);
  for (let n = 0; n < 9; n++) await removeExpired(test.service.database, clock.now());
  const stored = await Array.fromAsync(test.kv.list({ prefix: keys.arrivals(owner.userId) }));
  assert.deepEqual(stored, []);
});
