import assert from "node:assert/strict";
import * as keys from "../../../domain/store/keys.ts";
import { listenSmtp } from "../../../routes/inbound/smtp/listen_smtp.ts";
import { eventually } from "../../eventually.ts";
import { account, FakeClock, mailbox, type TestService, testService } from "../../service.ts";
import { SmtpTalk } from "./smtp_talk.ts";

const minuteMs = 60_000;

async function listening(test: TestService) {
  const listener = await listenSmtp(test.service, { hostname: "127.0.0.1", port: 0 });
  return { ...listener, [Symbol.asyncDispose]: () => listener.close() };
}

async function greeted(port: number): Promise<SmtpTalk> {
  const talk = await SmtpTalk.connect(port);
  await talk.say("EHLO client.example.net");
  return talk;
}

Deno.test("an address has at most 20 connections; the next is 421 until one ends", async () => {
  await using test = await testService();
  await using server = await listening(test);
  const talks = await Promise.all(Array.from({ length: 20 }, () => greeted(server.port)));
  using over = await SmtpTalk.connect(server.port);
  assert.match(over.greeting, /^421 /);
  assert.match(await talks[0].say("NOOP"), /^250/);
  await talks[0].say("QUIT");
  talks[0][Symbol.dispose]();
  let greeting = "";
  for (let tries = 0; tries < 50 && !greeting.startsWith("220"); tries++) {
    using next = await SmtpTalk.connect(server.port);
    greeting = next.greeting;
  }
  assert.match(greeting, /^220 /);
  for (const talk of talks) talk[Symbol.dispose]();
});

Deno.test("a connection ends after five minutes without a message, whatever else it sends", async () => {
  const clock = new FakeClock();
  await using test = await testService({ parts: { clock } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await using server = await listening(test);
  using idle = await greeted(server.port);
  using busy = await greeted(server.port);
  const send = async () => {
    await busy.say("MAIL FROM:<ada@example.net>");
    await busy.say(`RCPT TO:<${box.email_address}>`);
    await busy.say("DATA");
    assert.match(await busy.say(`Subject: x\r\n\r\n${clock.now()}\r\n.`), /^250/);
  };
  for (let minute = 0; minute < 4; minute++) {
    clock.advance(minuteMs);
    await idle.say("MAIL FROM:<ada@example.net>");
    assert.match(await idle.say("RSET"), /^250/);
  }
  await send();
  clock.advance(minuteMs);
  assert.match(await idle.say("NOOP"), /^421 4\.4\.2/);
  clock.advance(3 * minuteMs);
  assert.match(await busy.say("NOOP"), /^250/);
  await send();
  clock.advance(5 * minuteMs);
  assert.match(await busy.say("NOOP"), /^421 4\.4\.2/);
});

Deno.test("an empty message does not restart the five minutes", async () => {
  const clock = new FakeClock();
  await using test = await testService({ parts: { clock } });
  const box = await mailbox(test, await account(test));
  await using server = await listening(test);
  using talk = await greeted(server.port);
  for (let minute = 0; minute < 4; minute++) {
    clock.advance(minuteMs);
    await talk.say("MAIL FROM:<ada@example.net>");
    await talk.say(`RCPT TO:<${box.email_address}>`);
    await talk.say("DATA");
    assert.match(await talk.say("."), /^554/);
  }
  clock.advance(minuteMs);
  assert.match(await talk.say("NOOP"), /^421 4\.4\.2/);
});

Deno.test("a message of a kilobyte a second may take longer, a slower one may not", async () => {
  const clock = new FakeClock();
  await using test = await testService({ parts: { clock } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await using server = await listening(test);
  using slow = await greeted(server.port);
  using slower = await greeted(server.port);
  for (const talk of [slow, slower]) {
    await talk.say("MAIL FROM:<ada@example.net>");
    await talk.say(`RCPT TO:<${box.email_address}>`);
    await talk.say("DATA");
    await talk.send("Subject: x\r\n\r\n");
  }
  await slow.send(`${"x".repeat(1_022)}\r\n`.repeat(1_600));
  // The bytes must be read before the clock moves: 780 KiB are stored at once.
  await eventually("a part of the message is stored", async () => {
    const rows = test.kv.list({ prefix: ["blob_chunks"] }, { limit: 1 });
    return (await Array.fromAsync(rows)).length > 0;
  });
  clock.advance(6 * minuteMs);
  assert.match(await slow.say("\r\n."), /^250/);
  assert.match(await slower.say("\r\n."), /^421/);
});

Deno.test("after 10 unknown recipients a connection ends with 421", async () => {
  await using test = await testService();
  await using server = await listening(test);
  using talk = await greeted(server.port);
  await talk.say("MAIL FROM:<ada@example.net>");
  for (let n = 0; n < 10; n++) {
    assert.match(await talk.say(`RCPT TO:<nobody-${n}@agents.test>`), /^550/);
  }
  assert.match(await talk.say("RCPT TO:<nobody-10@agents.test>"), /^421 4\.7\.0/);
  assert.equal(await talk.say("NOOP").catch(() => ""), "");
});

Deno.test("a ledger row has the number of its attempts", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  await test.service.database.transact((tx) =>
    tx.set(keys.mailboxByAddress("former@agents.test"), {
      userId: owner.userId,
      heldUntil: Infinity,
    })
  );
  await using server = await listening(test);
  for (let n = 0; n < 11; n++) {
    using talk = await greeted(server.port);
    await talk.say("MAIL FROM:<ada@example.net>");
    for (let m = 0; m < 10; m++) await talk.say("RCPT TO:<former@agents.test>");
  }
  const answer = await test.request("/v1/api/arrivals?limit=100", { token: owner.key });
  const { data } = await answer.json();
  assert.deepEqual(
    data.map(({ recipient, count }: { recipient: string; count: number }) => [recipient, count])
      .slice(0, 2),
    [["*@agents.test", 10], ["former@agents.test", 1]],
  );
});
