import assert from "node:assert/strict";
import { openExport } from "../../../../../domain/mail/read/exporting/export_mailbox.ts";
import * as keys from "../../../../../domain/store/keys.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestService,
  testService,
} from "../../../../service.ts";
import { asked, exported, filled, type Line, linesOf, shaOf } from "./exported.ts";

// SPEC: export.route
Deno.test("an export has a line for each mail, with the record of the list and the original bytes, and then next_cursor", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const bodies = [
    "One\r\n",
    "caf\u00e9 \u0000 bare\nLF\r\n\r\n",
    // Of three chunks, and of twenty.
    "A line of text. \r\n".repeat(9_000),
    Array.from({ length: 20_000 }, (_, n) => shaOf(new Uint8Array([n, n >> 8]))).join("\r\n"),
  ];
  for (const [n, body] of bodies.entries()) {
    await deliver(test, email_address, message({ Subject: `Mail ${n}` }, body));
    test.clock.advance(1);
  }
  await test.settle();
  const listed: Line[] = await data(
    test.request(`/v1/api/emails?mailbox_id=${mailbox_id}&order=asc`, { token: owner.key }),
  );
  const answer = await asked(test, owner.key, mailbox_id);
  assert.equal(answer.headers.get("content-type"), "application/x-ndjson");
  const lines = await linesOf(answer);
  assert.deepEqual(lines.pop(), { next_cursor: null });
  assert.deepEqual(lines.map(({ email }) => email), listed);
  for (const { email, raw_base64 } of lines) {
    const raw = await test.request(`/v1/api/emails/${email.email_id}/raw`, { token: owner.key });
    assert.equal(shaOf(Uint8Array.fromBase64(raw_base64)), shaOf(await raw.bytes()));
  }
});

// SPEC: export.route
Deno.test("an export costs one request; of an account two run at once, and a third is refused and costs none", async () => {
  await using test = await testService({
    plans: { pro: { requestsPerMinute: 100 } },
    instances: 1,
  });
  const owner = await account(test, "pro");
  const { mailbox_id } = await filled(test, owner, 40);
  const left = async () => {
    const answer = await test.request("/v1/api/mailboxes", { token: owner.key });
    await answer.body?.cancel();
    return Number(answer.headers.get("x-ratelimit-remaining"));
  };
  const before = await left();
  assert.equal((await exported(test, owner.key, mailbox_id)).lines.length, 40);
  assert.equal(await left(), before - 2);
  const [one, two] = [
    await asked(test, owner.key, mailbox_id),
    await asked(test, owner.key, mailbox_id),
  ];
  const three = await asked(test, owner.key, mailbox_id);
  const { error } = await three.json();
  assert.deepEqual([three.status, error.code, error.details], [429, "RATE_LIMIT_EXCEEDED", {
    limit: 2,
    window: "concurrent",
    retry_after: 1,
  }]);
  assert.equal(await left(), before - 5);
  const other = await account(test, "pro");
  const { mailbox_id: theirs } = await filled(test, other, 1);
  assert.equal((await exported(test, other.key, theirs)).lines.length, 1);
  await Promise.all([one.body!.cancel(), two.text()]);
  assert.equal((await exported(test, owner.key, mailbox_id)).lines.length, 40);
});

// SPEC: export.slow
Deno.test("an export whose client does not read for 30 s ends without next_cursor, and its place is free", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  for (let n = 0; n < 6; n++) {
    await deliver(test, email_address, message({ Subject: `${n}` }, `${n}`.repeat(300_000)));
  }
  await test.settle();
  const places = () => test.service.waiting["counts"].get(`export ${owner.userId}`) ?? 0;
  const [one, two] = [
    await asked(test, owner.key, mailbox_id),
    await asked(test, owner.key, mailbox_id),
  ];
  assert.equal(places(), 2);
  // The first 30 s may end while a piece is read for the client.
  for (let n = 0; n < 3; n++) await test.advance(31_000);
  assert.equal(places(), 0);
  for (const answer of [one, two]) {
    const text = await answer.text();
    assert.ok(!text.includes("next_cursor") && text.length < 1_000_000, `${text.length}`);
  }
});

// SPEC: export.slow
Deno.test("of a message of any size only what its client reads is read ahead, after it was seen to be whole", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  await deliver(test, email_address, message({ Subject: "large" }, "A line. \r\n".repeat(800_000)));
  await test.settle();
  const { database } = test.service;
  const collect = database.collect.bind(database);
  let rows = 0;
  database.collect = async <T>(selector: Deno.KvListSelector, options?: Deno.KvListOptions) => {
    const found = await collect<T>(selector, options);
    if ("prefix" in selector && selector.prefix[0] === "blob_chunks") rows += found.length;
    return found;
  };
  const answer = await asked(test, owner.key, mailbox_id);
  for (let before = -1; before !== rows;) {
    before = rows;
    await test.settle();
    await new Promise((done) => setTimeout(done, 20));
  }
  const unread = rows;
  await answer.body!.pipeTo(new WritableStream());
  const chunks = rows / 2;
  assert.ok(chunks > 100, `${chunks}`);
  assert.ok(unread <= chunks + 20, `${unread} of ${chunks}`);
});

// SPEC: export.deleted
Deno.test("mail that is deleted while an export runs is left out", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  for (let n = 1; n <= 4; n++) {
    await deliver(test, email_address, message({ Subject: `${n}` }, `${n}`.repeat(200_000)));
    test.clock.advance(1);
  }
  await test.settle();
  const ids: string[] = (await data(
    test.request("/v1/api/emails?order=asc", { token: owner.key }),
  )).map(({ email_id }: { email_id: string }) => email_id);
  const answer = await asked(test, owner.key, mailbox_id);
  const gone = await test.request(`/v1/api/emails/${ids[3]}`, {
    method: "DELETE",
    token: owner.key,
  });
  assert.equal(gone.status, 200);
  await test.settle();
  const lines = await linesOf(answer);
  assert.deepEqual(lines.pop(), { next_cursor: null });
  assert.deepEqual(lines.map(({ email }) => email.subject), ["1", "2", "3"]);
});

for (const ends of ["key", "mailbox"]) {
  // SPEC: export.route
  Deno.test(`an export ends without next_cursor when its ${ends} ends`, async () => {
    await using test = await testService({ instances: 1 });
    const owner = await account(test);
    const { mailbox_id, email_address } = await mailbox(test, owner);
    for (let n = 1; n <= 50; n++) {
      const body = `${n}`.repeat(n % 10 === 0 ? 200_000 : 10);
      await deliver(test, email_address, message({ Subject: `${n}` }, body));
    }
    await test.settle();
    const { apiKey, keyId } = await data(
      test.request("/v1/api/keys", { token: owner.accessToken, json: { name: "x" } }),
    );
    const answer = await asked(test, apiKey, mailbox_id);
    const ended = ends === "key"
      ? await test.request(`/v1/api/keys/${keyId}`, { method: "DELETE", token: owner.accessToken })
      : await test.request(`/v1/api/mailboxes/${mailbox_id}`, {
        method: "DELETE",
        token: owner.key,
        json: { confirm_email_address: email_address },
      });
    assert.equal(ended.status, 200);
    const text = await answer.text();
    assert.ok(!text.includes("next_cursor") && !text.includes('"subject":"50"'));
  });
}

// SPEC: export.route
Deno.test("an export needs emails:read and a mailbox that the key sees; limit is 1 to 1,000, after a cursor of an export", async () => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const { mailbox_id, email_address } = await filled(test, owner, 1);
  const { mailbox_id: hidden } = await mailbox(test, owner);
  const made = async (json: object) =>
    (await data(test.request("/v1/api/keys", { token: owner.key, json: { name: "x", ...json } })))
      .apiKey;
  const sender = await made({ scopes: ["emails:send"] });
  const limited = await made({ mailboxIds: [mailbox_id] });
  const cases: [string, string, string, number, string][] = [
    [sender, mailbox_id, "", 403, "FORBIDDEN"],
    [limited, hidden, "", 404, "NOT_FOUND"],
    [stranger.key, mailbox_id, "", 404, "NOT_FOUND"],
    [owner.key, "0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a", "", 404, "NOT_FOUND"],
    [owner.key, mailbox_id, "?limit=0", 400, "VALIDATION_ERROR"],
    [owner.key, mailbox_id, "?limit=1001", 400, "VALIDATION_ERROR"],
    [owner.key, mailbox_id, "?limit=x", 400, "VALIDATION_ERROR"],
    [owner.key, mailbox_id, "?after=x", 400, "VALIDATION_ERROR"],
    [owner.key, mailbox_id, "?cursor=x", 400, "VALIDATION_ERROR"],
  ];
  for (const [token, id, query, status, code] of cases) {
    const answer = await asked(test, token, id, query);
    assert.deepEqual([answer.status, (await answer.json()).error.code], [status, code], query);
  }
  assert.deepEqual((await exported(test, limited, mailbox_id, "?limit=1000")).subjects, ["1"]);
  assert.deepEqual((await exported(test, limited, email_address.toUpperCase())).subjects, ["1"]);
  const session = await test.request(`/api/mailboxes/${mailbox_id}/export`, {
    headers: { cookie: owner.cookie },
  });
  assert.equal((await linesOf(session)).length, 2);
  const head = await test.request(`/v1/api/mailboxes/${mailbox_id}/export`, {
    method: "HEAD",
    token: owner.key,
  });
  assert.deepEqual([head.status, head.headers.get("content-type")], [200, "application/x-ndjson"]);
});

// SPEC: export.route
Deno.test("a mail whose bytes are lost has raw_base64 null, and the others follow", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const noise = Array.from({ length: 20_000 }, (_, n) => shaOf(new Uint8Array([n, n >> 8])));
  for (const body of ["short", noise.join("\r\n"), "last"]) {
    await deliver(test, email_address, message({ Subject: body.slice(0, 5) }, body));
    test.clock.advance(1);
  }
  await test.settle();
  const ids: string[] = (await data(
    test.request("/v1/api/emails?order=asc", { token: owner.key }),
  )).map(({ email_id }: { email_id: string }) => email_id);
  for (const [n, place] of [[0, 0], [1, 15]]) {
    const rows = await Array.fromAsync(test.kv.list({ prefix: keys.blobChunks(ids[n]) }));
    const blob = rows.length > 0 ? ids[n] : await largeBlob(test);
    await test.service.database.transact((tx) => tx.delete(keys.blobChunk(blob, place)));
  }
  const { lines } = await exported(test, owner.key, mailbox_id);
  assert.deepEqual(lines.map(({ raw_base64 }) => raw_base64 === null), [true, true, false]);
});

/** The only blob of many chunks. */
async function largeBlob(test: TestService): Promise<string> {
  for await (const { key } of test.kv.list({ prefix: ["blob_chunks"] })) {
    if (key[2] === 15) return String(key[1]);
  }
  assert.fail("no blob has 16 chunks");
}

// SPEC: export.route
Deno.test("the audit has one row of an export, with the number of mails that were sent", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id } = await filled(test, owner, 3);
  await exported(test, owner.key, mailbox_id);
  await test.advance(2_000);
  const rows = await data(
    test.request("/v1/api/audit?action=export_mailbox", { token: owner.accessToken }),
  );
  assert.deepEqual(
    rows.map(({ mailbox_id, email_id, count, surface }: Line) => [
      mailbox_id,
      email_id,
      count,
      surface,
    ]),
    [[mailbox_id, null, 3, "rest"]],
  );
});

// SPEC: export.file
Deno.test("a session downloads a mailbox as one file of all its mail, named by its address", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await filled(test, owner, 5);
  const path = `/api/mailboxes/${mailbox_id}/file`;
  // More than one page.
  const whole = await openExport(
    test.service,
    { userId: owner.userId, plan: "enterprise" },
    mailbox_id,
    { limit: 2 },
    { signal: new AbortController().signal, confirm: () => Promise.resolve() },
    { whole: true },
  );
  const texts = await Array.fromAsync(whole.lines);
  whole.ended();
  const answer = await test.request(path, { headers: { cookie: owner.cookie } });
  const name = encodeURIComponent(email_address);
  assert.equal(
    answer.headers.get("content-disposition"),
    `attachment; filename*=UTF-8''${name}.ndjson`,
  );
  const text = await answer.text();
  assert.equal(texts.join(""), text);
  const lines = text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
  assert.deepEqual(lines.pop(), { next_cursor: null });
  assert.deepEqual(lines.map(({ email }) => email.subject), ["1", "2", "3", "4", "5"]);
  assert.equal((await test.request(path, { token: owner.key })).status, 401);
  const stranger = await account(test);
  const refused = await test.request(path, { headers: { cookie: stranger.cookie } });
  assert.equal(refused.status, 404);
});
