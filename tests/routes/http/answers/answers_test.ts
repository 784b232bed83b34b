import assert from "node:assert/strict";
import { eventually } from "../../../eventually.ts";
import { AnswerBudget, type Reader } from "../../../../routes/http/answers/answer_budget.ts";
import { pacedBody, piecesOf } from "../../../../routes/http/answers/paced_body.ts";
import { createApp } from "../../../../routes/app.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

const chars = 900_000;

/** A mail whose answer has 2.7 million characters. */
const large = (n: number) => message({ Subject: `Long ${n}` }, "word ".repeat(chars / 5));

Deno.test("answers that their client does not read fill the share of its account alone, and end after 30 s", async () => {
  await using test = await testService({ instances: 1 });
  const reader = await account(test), other = await account(test);
  const [box, others] = [await mailbox(test, reader), await mailbox(test, other)];
  await deliver(test, box.email_address, large(1));
  await deliver(test, others.email_address, large(2));
  await test.settle();
  const idOf = async (key: string) =>
    (await data(await test.request("/v1/api/emails", { token: key })))[0].email_id;
  const path = `/v1/api/emails/${await idOf(reader.key)}`;
  // Not `test.request`, which reads each answer.
  const app = createApp(test.service);
  const headers = { authorization: `Bearer ${reader.key}` };
  const answers = Array.from({ length: 40 }, async () => await app.request(path, { headers }));
  const ended: Response[] = [];
  for (const each of answers) each.then((answer) => ended.push(answer));
  await eventually("most are answered", () => ended.length >= 20);
  // What is small is answered, and another account is answered whole.
  assert.equal((await test.request("/v1/api/emails", { token: reader.key })).status, 200);
  const theirs = await test.request(`/v1/api/emails/${await idOf(other.key)}`, {
    token: other.key,
  });
  assert.equal(Number(theirs.headers.get("content-length")), (await theirs.bytes()).length);
  await test.advance(10_000);
  const all = await Promise.all(answers);
  const sent = all.filter(({ status }) => status === 200);
  const refused = all.filter(({ status }) => status === 503);
  assert.equal(sent.length + refused.length, 40);
  const counted = Number(sent[0].headers.get("content-length")) - 64 * 1024;
  const share = 48 * 2 ** 20;
  assert.ok(sent.length * counted <= share, `${sent.length} are sent`);
  assert.ok(refused.length > 0);
  assert.equal(refused[0].headers.get("retry-after"), "5");
  assert.equal((await refused[0].json()).error.code, "SERVICE_UNAVAILABLE");
  await test.advance(30_000);
  for (const each of sent) {
    assert.ok((await each.bytes()).length < Number(each.headers.get("content-length")));
  }
  const again = await app.request(path, { headers });
  assert.equal((await again.json()).data.body_text.length, chars);
});

Deno.test("mail whose characters take three bytes is reserved by its bytes before it is read", async () => {
  await using test = await testService({ instances: 1 });
  const reader = await account(test);
  const box = await mailbox(test, reader);
  const type = { "Content-Type": "text/plain; charset=utf-8" };
  await deliver(
    test,
    box.email_address,
    message(type, "\u8a9e\u8a9e\u8a9e\u8a9e ".repeat(chars / 5)),
  );
  await test.settle();
  const [{ email_id }] = await data(await test.request("/v1/api/emails", { token: reader.key }));
  const app = createApp(test.service);
  const headers = { authorization: `Bearer ${reader.key}` };
  const answers = Array.from(
    { length: 20 },
    async () => await app.request(`/v1/api/emails/${email_id}`, { headers }),
  );
  const ended: Response[] = [];
  for (const each of answers) each.then((answer) => ended.push(answer));
  await eventually("some are answered", () => ended.length >= 5);
  await test.advance(10_000);
  const sent = (await Promise.all(answers)).filter(({ status }) => status === 200);
  const bytes = sent.reduce((sum, { headers }) => sum + Number(headers.get("content-length")), 0);
  assert.ok(bytes <= 48 * 2 ** 20, `${bytes} bytes`);
  for (const each of sent) await each.body?.cancel();
});

Deno.test("an answer whose client left while it waited for room is not made", async () => {
  const budget = new AnswerBudget({ now: () => 0, wakeIn: () => () => {} });
  const reader = { kind: "account", userId: "u" } as const;
  const first = budget.open(reader);
  await first.reserve(48 * 2 ** 20);
  let isGone = false;
  const waiting = budget.open(reader, () => isGone).reserve(2 ** 20);
  isGone = true;
  first.release();
  await assert.rejects(waiting, { code: "SERVICE_UNAVAILABLE" });
  budget.open(reader).made(48 * 2 ** 20, false);
});

Deno.test("accounts or addresses that fill their shares of answers leave room for another one", () => {
  const mebibyte = 2 ** 20;
  const fillers: [number, (n: number) => Reader][] = [
    [6, (n) => ({ kind: "account", userId: `${n}` })],
    [4, (n) => ({ kind: "stranger", address: `192.0.2.${n}` })],
  ];
  for (const [count, reader] of fillers) {
    const budget = new AnswerBudget({ now: () => 0, wakeIn: () => () => {} });
    const sent = (n: number, bytes: number) => {
      try {
        budget.open(reader(n)).made(bytes, false);
        return true;
      } catch {
        return false;
      }
    };
    for (let n = 0; n < count; n++) {
      for (let answers = 0; sent(n, mebibyte / 8); answers++) assert.ok(answers < 8 * 160);
    }
    assert.ok(sent(count, mebibyte));
  }
});

Deno.test("an answer that its client reads slowly arrives whole, and a client that leaves gives its share back", async () => {
  await using test = await testService({ instances: 1 });
  const reader = await account(test);
  const box = await mailbox(test, reader);
  await deliver(test, box.email_address, large(1));
  await test.settle();
  const [{ email_id }] = await data(await test.request("/v1/api/emails", { token: reader.key }));
  const app = createApp(test.service);
  const headers = { authorization: `Bearer ${reader.key}` };
  const get = async () => await app.request(`/v1/api/emails/${email_id}`, { headers });
  const slow = await get();
  let read = 0;
  for await (const piece of slow.body!) {
    read += piece.length;
    await test.advance(20_000);
  }
  assert.equal(read, Number(slow.headers.get("content-length")));
  for (let n = 0; n < 60; n++) {
    const left = await get();
    assert.equal(left.status, 200);
    await left.body!.cancel();
  }
});

Deno.test("an event stream whose client has not read for 60 s ends, and its place is free", async () => {
  await using test = await testService({ instances: 1 });
  const reader = await account(test);
  const box = await mailbox(test, reader);
  const headers = { authorization: `Bearer ${reader.key}` };
  const stream = await createApp(test.service).request("/v1/api/events", { headers });
  for (let n = 0; n < 4; n++) {
    await deliver(test, box.email_address, message({ Subject: `${n}` }));
    await test.settle();
  }
  await test.advance(59_000);
  await test.waiting(1);
  await test.advance(2_000);
  await test.waiting(0);
  // What was there for it still arrives.
  assert.match(await stream.text(), /event: email.received/);
});

Deno.test("a text in pieces has its characters whole", async () => {
  for (const text of ["\u{1f600}".repeat(70_000), `x${"\u{1f600}".repeat(70_000)}`, "", "\ud83d"]) {
    const body = pacedBody(piecesOf(text), { now: () => 0, wakeIn: () => () => {} }, () => {});
    assert.equal(await new Response(body).text(), text.toWellFormed());
  }
});
