import assert from "node:assert/strict";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";
import { createParsePool } from "../../../../domain/mail/read/parsing/parse_pool.ts";
import { systemClock } from "../../../../domain/core/clock.ts";
import { expectCode } from "../../../../domain/mail/work/expect_code.ts";
import { storedEmail } from "../../../../domain/mail/record/read_email.ts";
import { deleteChunks } from "../../../../domain/store/blobs.ts";
import { tool } from "../../../contract/budgets.ts";
import type { SenderChecks } from "../../../../domain/ports/sender_checks.ts";
import { bounded, eventually } from "../../../eventually.ts";

async function expect(test: TestService, owner: TestAccount, json: object) {
  return await data(test.request("/v1/api/expectations", { token: owner.key, json }));
}

async function read(test: TestService, owner: TestAccount, id: string, seconds = 0) {
  const path = `/v1/api/expectations/${id}?timeout_seconds=${seconds}`;
  return await data(test.request(path, { token: owner.key }));
}

const codeMail = (code: string, From = "Acme <no-reply@mail.acme.example>") =>
  message({ From, Subject: "Your sign-in code" }, `Your verification code is ${code}.\n`);

Deno.test("the first later mail of its domain meets an expectation, and no other mail does", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  await deliver(test, email_address, codeMail("111111"));
  const made = await expect(test, owner, { mailbox_id, from_domain: "ACME.example", kind: "code" });
  const { expectation_id } = made;
  assert.deepEqual(made, {
    expectation_id,
    mailbox_id,
    from_domain: "acme.example",
    subject: null,
    kind: "code",
    status: "waiting",
    created_at: "2026-11-20T10:00:00.000Z",
    expires_at: "2026-11-20T10:15:00.000Z",
    ...{ email_id: null, code: null, link: null, auth: null },
  });
  const strangers = ["x@acme.example.evil.example", "x@notacme.example", "x@evil.example"];
  for (const from of strangers) await deliver(test, email_address, codeMail("222222", from));
  const two = "x@acme.example, y@evil.example";
  await deliver(test, email_address, codeMail("333333", two));
  await deliver(test, email_address, message({ From: "x@acme.example" }, "Welcome.\n"));
  await test.settle();
  assert.equal((await read(test, owner, expectation_id)).status, "waiting");
  const { email_id } = await deliver(test, email_address, codeMail("482913"));
  await test.settle();
  const met = await read(test, owner, expectation_id);
  assert.deepEqual(met, {
    ...made,
    status: "matched",
    email_id,
    code: "482913",
    auth: {
      ...{ verdict: "none", spf: "none", dkim: "none", dmarc: "none" },
      ...{ domain: "mail.acme.example", source: "checked" },
    },
  });
  await deliver(test, email_address, codeMail("999999"));
  assert.deepEqual(await read(test, owner, expectation_id), met);
});

Deno.test("without kind an expectation is met by a mail of welcome too, and the tool says so", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const { expectation_id } = await expect(test, owner, { mailbox_id, from_domain: "acme.example" });
  await deliver(test, email_address, message({ From: "x@acme.example" }, "Welcome.\n"));
  await test.settle();
  const { status, code } = await read(test, owner, expectation_id);
  assert.deepEqual([status, code], ["matched", null]);
  assert.match(expectCode.description, /without it any mail of that domain will do/);
});

Deno.test("an expectation is met by mail that an instance with a slower clock stores after it, and not by earlier mail", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  // An instance whose clock is 5 s ahead, and one whose clock is 5 s behind.
  test.clock.advance(5_000);
  await deliver(test, email_address, codeMail("111111"));
  test.clock.advance(-5_000);
  const json = { mailbox_id, from_domain: "acme.example", kind: "code" };
  const { expectation_id } = await expect(test, owner, json);
  await test.settle();
  assert.equal((await read(test, owner, expectation_id)).status, "waiting");
  test.clock.advance(-5_000);
  await deliver(test, email_address, codeMail("482913"));
  test.clock.advance(20_000);
  await test.settle();
  assert.equal((await read(test, owner, expectation_id)).code, "482913");
});

Deno.test("later mail does not meet an expectation before the sender of earlier mail is checked", async () => {
  const first = Promise.withResolvers<void>();
  const untilOfFirst = Promise.withResolvers<number>();
  const senderChecks: SenderChecks = {
    prepare: () => Promise.resolve(),
    check: async ({ until }) => {
      untilOfFirst.resolve(until);
      // A mail may be checked twice: its processing does not wait for long.
      if (until === await untilOfFirst.promise) await first.promise;
      const none = { spf: "none", dkim: "none", dmarc: "none", domain: "acme.example" } as const;
      return { verdict: "none", source: "checked", ...none };
    },
  };
  await using test = await testService({ parts: { senderChecks } });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const json = { mailbox_id, from_domain: "acme.example", kind: "code" };
  const { expectation_id } = await expect(test, owner, json);
  await deliver(test, email_address, codeMail("111111"));
  await untilOfFirst.promise;
  // The second mail has another time, so its id comes after that of the first, whichever instance makes it.
  test.clock.advance(1);
  const { email_id } = await deliver(test, email_address, codeMail("222222"));
  await eventually("the check of the second mail", async () => {
    const answer = await test.request(`/v1/api/emails/${email_id}`, { token: owner.key });
    return (await data(answer)).auth !== null;
  });
  assert.equal((await read(test, owner, expectation_id)).status, "waiting");
  first.resolve();
  await test.settle();
  assert.equal((await read(test, owner, expectation_id)).code, "111111");
});

Deno.test("mail of the minute before an expectation does not meet it, however much came", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  for (let n = 0; n < 205; n++) await deliver(test, email_address, codeMail(String(110_000 + n)));
  const json = { mailbox_id, from_domain: "acme.example", kind: "code" };
  const { expectation_id } = await expect(test, owner, json);
  await test.settle();
  assert.equal((await read(test, owner, expectation_id)).status, "waiting");
  await deliver(test, email_address, codeMail("482913"));
  await test.settle();
  assert.equal((await read(test, owner, expectation_id)).code, "482913");
});

Deno.test("a deleted email can no longer be read from its expectation, over REST, MCP or a wait", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const asked = { mailbox_id, from_domain: "acme.example" };
  const { expectation_id } = await expect(test, owner, asked);
  const { email_id } = await deliver(test, email_address, codeMail("482913"));
  await test.settle();
  const met = await read(test, owner, expectation_id);
  assert.equal(met.code, "482913");
  const deletion = { method: "DELETE", token: owner.key };
  await test.request(`/v1/api/emails/${email_id}`, deletion);
  const hidden = { ...met, email_id: null, code: null, link: null, auth: null };
  assert.deepEqual(await read(test, owner, expectation_id), hidden);
  assert.deepEqual(await read(test, owner, expectation_id, 60), hidden);
  assert.deepEqual(
    await tool(test, owner, "get_expected_code", { expectation_id }),
    hidden,
  );
  await deliver(test, email_address, codeMail("555555"));
  await test.settle();
  assert.deepEqual(await read(test, owner, expectation_id), hidden);
});

/** Two expectations of the same mail, made one after another, and a mail that came after them. */
async function twoExpected(test: TestService) {
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const asked = { mailbox_id, from_domain: "acme.example" };
  const one = await expect(test, owner, asked);
  await test.advance(10);
  const two = await expect(test, owner, asked);
  await deliver(test, email_address, codeMail("111111"));
  await test.settle();
  return { owner, email_address, one, two };
}

Deno.test("a mail meets one expectation, the oldest, in whatever order they are read", async () => {
  await using test = await testService();
  const { owner, email_address, one, two } = await twoExpected(test);
  assert.equal((await read(test, owner, two.expectation_id)).status, "waiting");
  assert.equal((await read(test, owner, one.expectation_id)).code, "111111");
  await deliver(test, email_address, codeMail("222222"));
  await test.settle();
  assert.equal((await read(test, owner, two.expectation_id)).code, "222222");
});

Deno.test("a mail that met an expectation meets no other when that is deleted", async () => {
  await using test = await testService();
  const { owner, one, two } = await twoExpected(test);
  assert.equal((await read(test, owner, one.expectation_id)).code, "111111");
  const path = `/v1/api/expectations/${one.expectation_id}`;
  const remove = () => test.request(path, { method: "DELETE", token: owner.key });
  assert.equal((await remove()).status, 200);
  assert.equal((await read(test, owner, two.expectation_id)).status, "waiting");
  assert.equal((await test.request(path, { token: owner.key })).status, 404);
  assert.equal((await remove()).status, 404);
});

Deno.test("a read that waits is 404 as soon as the mailbox is deleted", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const { expectation_id } = await expect(test, owner, { mailbox_id, from_domain: "a.example" });
  const path = `/v1/api/expectations/${expectation_id}?timeout_seconds=60`;
  const waiting = test.request(path, { token: owner.key });
  await test.waiting(1);
  const box = `/v1/api/mailboxes/${mailbox_id}`;
  const json = { confirm_email_address: email_address };
  await data(test.request(box, { method: "DELETE", token: owner.key, json }));
  assert.equal((await bounded("the wait ends", waiting)).status, 404);
});

Deno.test("a read waits for the mail; after the expiry it answers `expired` at once, unless the mail came in time", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const asked = { mailbox_id, from_domain: "acme.example", expires_in_seconds: 60 };
  const waiting = await expect(test, owner, asked);
  const answer = read(test, owner, waiting.expectation_id, 60);
  await test.waiting(1);
  await deliver(test, email_address, codeMail("482913"));
  assert.equal((await answer).code, "482913");
  const [missed, inTime] = [await expect(test, owner, asked), await expect(test, owner, asked)];
  await deliver(test, email_address, codeMail("111111"));
  await test.advance(60_000);
  await deliver(test, email_address, codeMail("222222"));
  await test.settle();
  assert.equal((await read(test, owner, inTime.expectation_id, 60)).status, "expired");
  assert.equal((await read(test, owner, missed.expectation_id, 60)).code, "111111");
});

Deno.test("mail that met no expectation is not read again at the next look", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const made = await expect(test, owner, {
    mailbox_id,
    from_domain: "acme.example",
    kind: "code",
  });
  for (let n = 0; n < 5; n++) {
    await deliver(test, email_address, message({ From: "x@acme.example" }, `News ${n}.\n`));
  }
  await test.settle();
  const { parsedBodies } = test.service;
  const get = parsedBodies.get.bind(parsedBodies);
  let reads = 0;
  parsedBodies.get = (email) => (reads++, get(email));
  // Each instance looks once.
  for (let n = 0; n < 2; n++) await read(test, owner, made.expectation_id);
  assert.equal(reads, 5);
  for (let n = 0; n < 4; n++) await read(test, owner, made.expectation_id);
  assert.equal(reads, 5);
  await deliver(test, email_address, codeMail("482913"));
  await test.settle();
  assert.equal((await read(test, owner, made.expectation_id)).code, "482913");
});

Deno.test("subject and kind narrow an expectation; it can be deleted; another account's is 404", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const asked = { mailbox_id, from_domain: "acme.example" };
  const subject = await expect(test, owner, { ...asked, subject: "INVOICE" });
  const link = await expect(test, owner, { ...asked, kind: "link" });
  await deliver(test, email_address, codeMail("482913"));
  for (const { expectation_id } of [subject, link]) {
    assert.equal((await read(test, owner, expectation_id)).status, "waiting");
  }
  const path = `/v1/api/expectations/${subject.expectation_id}`;
  const other = await account(test);
  assert.equal((await test.request(path, { token: other.key })).status, 404);
  const waiting = test.request(`${path}?timeout_seconds=60`, { token: owner.key });
  await test.waiting(1);
  const gone = await data(test.request(path, { method: "DELETE", token: owner.key }));
  assert.deepEqual(gone, { deleted: true });
  // No time passes: the deletion ends the wait, even if another instance made it.
  const answer = await bounded("the read ends", waiting, [], 10_000);
  assert.equal(answer.status, 404);
  assert.equal((await test.request(path, { token: owner.key })).status, 404);
  assert.equal((await test.request(path, { method: "DELETE", token: owner.key })).status, 404);
});

Deno.test("an expectation without a host name, with a wrong life or an unknown field is 400", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const asked = { mailbox_id, from_domain: "acme.example" };
  const wrong = [
    { ...asked, from_domain: "a b" },
    { ...asked, expires_in_seconds: 59 },
    { ...asked, kind: "codes" },
    { ...asked, form_domain: "x" },
  ];
  for (const json of wrong) {
    const answer = await test.request("/v1/api/expectations", { token: owner.key, json });
    assert.equal(answer.status, 400, JSON.stringify(json));
  }
});

for (const when of ["the From", "the text"]) {
  // One instance: the bytes are removed while this process reads them.
  Deno.test(`a mail that is deleted while ${when} is read meets nothing`, async () => {
    const pool = createParsePool(systemClock);
    let remove = async () => {};
    const parsing = {
      ...pool,
      async verification(...question: Parameters<typeof pool.verification>) {
        if (when === "the text") await remove();
        return await pool.verification(...question);
      },
      close: () => pool.close(),
    };
    await using test = await testService({ parts: { parsing }, instances: 1 });
    const owner = await account(test);
    const { mailbox_id, email_address } = await mailbox(test, owner);
    const wanted = { mailbox_id, from_domain: "acme.example" };
    const { expectation_id } = await expect(test, owner, wanted);
    // Large mail is not kept in memory.
    const large = codeMail("482913") + "a line of a large mail\n".repeat(8_000);
    const { email_id } = await deliver(test, email_address, large);
    await test.settle();
    const { database, parsedBodies } = test.service;
    parsedBodies.clear();
    const { raw } = (await storedEmail(database, owner.userId, email_id))!;
    remove = async () => {
      remove = async () => {};
      const path = `/v1/api/emails/${email_id}`;
      await test.request(path, { token: owner.key, method: "DELETE" });
      await deleteChunks(database, raw.blobId);
    };
    const list = database.list.bind(database);
    database.list = async function* <T>(...question: Parameters<typeof list>) {
      const [{ prefix }] = question as [{ prefix?: Deno.KvKey }];
      if (when === "the From" && prefix?.[1] === raw.blobId) await remove();
      yield* list<T>(...question);
    } as typeof list;
    const { status } = await read(test, owner, expectation_id);
    assert.equal(status, "waiting");
  });
}

Deno.test("a look reads neither the expectations that ended nor the mail that was judged before", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const asked = { mailbox_id, from_domain: "acme.example", kind: "code" };
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 90; n++) await expect(test, owner, { ...asked, expires_in_seconds: 60 });
    await test.advance(400_000);
  }
  const { expectation_id } = await expect(test, owner, { ...asked, expires_in_seconds: 86_400 });
  for (let n = 0; n < 40; n++) {
    await deliver(test, email_address, message({ From: "x@acme.example" }, `News ${n}.\n`));
  }
  await test.advance(300_000);
  await read(test, owner, expectation_id);
  const { database } = test.service;
  const rows = { expectations: 0, emails: 0 };
  const collect = database.collect.bind(database);
  database.collect = async (...given: Parameters<typeof collect>) => {
    const found = await collect(...given);
    const isExpectation = String(found[0]?.key[0]).startsWith("expect");
    rows[isExpectation ? "expectations" : "emails"] += found.length;
    return found as never;
  };
  for (let n = 0; n < 3; n++) await read(test, owner, expectation_id);
  assert.deepEqual(rows, { expectations: 3, emails: 0 });
  await deliver(test, email_address, codeMail("482913"));
  await test.settle();
  assert.equal((await read(test, owner, expectation_id)).code, "482913");
});
