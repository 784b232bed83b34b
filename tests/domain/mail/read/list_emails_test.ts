import assert from "node:assert/strict";
import { systemIds } from "../../../../domain/core/ids.ts";
import { emailsPerCheckpoint } from "../../../../domain/mail/record/checkpoints.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { mailDisagreements } from "../../../torture/mail_scan.ts";
import {
  account,
  data,
  deliver,
  inboundToken,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";
import type { MailboxStats } from "../../../../domain/mailboxes/mailbox_stats.ts";

interface Page {
  data: { email_id: string; subject: string; has_attachments: boolean; processed: boolean }[];
  meta: { limit: number; has_more: boolean; next_cursor: string | null };
}

async function list(test: TestService, owner: TestAccount, query: string): Promise<Page> {
  const answer = await test.request(`/v1/api/emails?${query}`, { token: owner.key });
  assert.equal(answer.status, 200, query);
  return await answer.json();
}
const base64 = (text: string) => new TextEncoder().encode(text).toBase64();
const idsOf = (page: Page) => page.data.map((each) => each.email_id);

async function pages(test: TestService, owner: TestAccount, query: string): Promise<string[][]> {
  const all: string[][] = [];
  for (let cursor = "";;) {
    const page = await list(test, owner, query + (cursor && `&cursor=${cursor}`));
    all.push(idsOf(page));
    assert.equal(page.meta.has_more, page.meta.next_cursor !== null);
    if (page.meta.next_cursor === null) return all;
    cursor = page.meta.next_cursor;
  }
}

Deno.test("lists are exact by offset and by cursor, in both orders, after every checkpoint", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [box, other] = [await mailbox(test, owner), await mailbox(test, owner)];
  const all: string[] = [];
  for (let n = 0; n < 530; n += 10) {
    const batch = Array.from(
      { length: 10 },
      (_, i) => deliver(test, box.email_address, message({ Subject: `number ${n + i}` })),
    );
    for (const taken of await Promise.all(batch)) all.push(taken.email_id);
  }
  all.sort();
  await deliver(test, other.email_address, message({ Subject: "elsewhere" }));
  const of = `mailbox_id=${box.mailbox_id}`;
  for (const order of ["asc", "desc"]) {
    const expected = order === "asc" ? all : all.toReversed();
    for (
      const offset of [
        0,
        1,
        15,
        16,
        17,
        18,
        19,
        255,
        256,
        257,
        273,
        274,
        275,
        511,
        512,
        528,
        529,
        530,
      ]
    ) {
      const page = await list(test, owner, `${of}&order=${order}&offset=${offset}&limit=4`);
      assert.deepEqual(idsOf(page), expected.slice(offset, offset + 4), `${order} ${offset}`);
      assert.equal(page.meta.has_more, offset + 4 < 530, `${order} ${offset}`);
    }
    const paged = await pages(test, owner, `${of}&order=${order}&limit=100`);
    assert.deepEqual(paged.map((page) => page.length), [100, 100, 100, 100, 100, 30]);
    assert.deepEqual(paged.flat(), expected);
  }
  // New mail does not move a cursor; an offset counts from the newest email.
  const first = await list(test, owner, `${of}&limit=5`);
  const late = await deliver(test, box.email_address, message({ Subject: "late" }));
  const second = await list(test, owner, `${of}&limit=5&cursor=${first.meta.next_cursor}`);
  assert.deepEqual(idsOf(second), all.toReversed().slice(5, 10));
  assert.deepEqual(idsOf(await list(test, owner, `${of}&limit=1`)), [late.email_id]);
  const across = await list(test, owner, "limit=2&offset=400");
  assert.deepEqual(idsOf(across), all.toReversed().slice(398, 400));
});

Deno.test("offsets are exact if emails of another instance were stored before older ones", async () => {
  // The clock of one instance is a second behind: its mail is listed before that of the other.
  const behindMs = [0, 1_000];
  await using test = await testService({
    instances: 2,
    ownParts() {
      const ids = systemIds(), ms = behindMs.shift() ?? 0;
      return { ids: { ...ids, timed: (now) => ids.timed(now - ms) } };
    },
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const all: string[] = [];
  let overtaken = 0;
  for (let n = 0; n < 80; n++) {
    const { email_id } = await deliver(test, box.email_address, message({ Subject: `${n}` }));
    if (all.some((each) => each > email_id)) overtaken++;
    all.push(email_id);
  }
  assert.ok(overtaken > 30);
  all.sort();
  for (const order of ["asc", "desc"]) {
    const expected = order === "asc" ? all : all.toReversed();
    for (let offset = 0; offset <= 80; offset += 3) {
      const of = `mailbox_id=${box.mailbox_id}&order=${order}&offset=${offset}&limit=3`;
      const page = idsOf(await list(test, owner, of));
      assert.deepEqual(page, expected.slice(offset, offset + 3), `${order} ${offset}`);
    }
  }
});

/** A service whose clock can be set ahead, and back at a restart; its ids follow the clock. */
async function withClockAhead() {
  let ids = systemIds(), aheadMs = 3_600_000;
  const timed = (now: number) => ids.timed(now + aheadMs);
  const test = await testService({ parts: { ids: { ...ids, timed } }, instances: 1 });
  const setBack = () => [ids, aheadMs] = [systemIds(), 0];
  return { test, setBack };
}

Deno.test("offsets are exact after the clock was ahead for hundreds of emails", async () => {
  const { test: service, setBack } = await withClockAhead();
  await using test = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const all: string[] = [];
  for (let n = 0; n < 340; n++) {
    if (n === 300) setBack();
    const { email_id } = await deliver(test, box.email_address, message({ Subject: `${n}` }));
    all.push(email_id);
  }
  all.sort();
  for (const order of ["asc", "desc"]) {
    const expected = order === "asc" ? all : all.toReversed();
    for (let offset = 0; offset <= 340; offset += 7) {
      const of = `mailbox_id=${box.mailbox_id}&order=${order}&offset=${offset}&limit=3`;
      const page = idsOf(await list(test, owner, of));
      assert.deepEqual(page, expected.slice(offset, offset + 3), `${order} ${offset}`);
    }
  }
});

Deno.test("mail is accepted after the clock was ahead for thousands of emails", async () => {
  const { test: service, setBack } = await withClockAhead();
  await using test = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { database, ids, clock } = test.service;
  await deliver(test, box.email_address, message({ Subject: "ahead" }));
  // The counter and the checkpoints after thousands of emails.
  const rows = 200 * emailsPerCheckpoint;
  await database.transact(async (tx) => {
    const key = keys.mailboxStats(owner.userId, box.mailbox_id);
    const stats = await tx.get<MailboxStats>(key);
    for (let n = 0; n * emailsPerCheckpoint < rows; n++) {
      tx.set(
        keys.emailCheckpoint(owner.userId, box.mailbox_id, n),
        ids.timed(clock.now()),
      );
    }
    tx.set(key, { ...stats, rows, newestId: ids.timed(clock.now()) });
  });
  setBack();
  const taken = await deliver(test, box.email_address, message({ Subject: "after" }));
  assert.equal(taken.disposition, "accepted");
});

Deno.test("filters match all or a part, in any case, and has_more is true only if one more email passes", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const take = async (fields: Record<string, string>, body?: string) => {
    test.clock.advance(1000);
    return (await deliver(test, box.email_address, message(fields, body))).email_id;
  };
  const ann = await take({
    From: '"Ann Example" <ann@example.com>',
    Subject: "Invoice 17",
    Date: "Tue, 3 Nov 2026 23:59:59 +0000",
  });
  const bob = await take({
    From: "bob@elsewhere.test",
    Cc: "Carl <carl@example.com>",
    Subject: "RE: INVOICE 17",
    Date: "Wed, 4 Nov 2026 00:00:00 +0000",
  });
  const file = await take({
    From: "eve@example.com",
    Subject: "Papers",
    "Content-Type": "multipart/mixed; boundary=b",
    Date: "Wed, 4 Nov 2026 12:00:00 +0000",
  }, "--b\n\ntext\n--b\nContent-Type: application/pdf; name=a.pdf\n\n%PDF\n--b--\n");
  const cases: [string, string[]][] = [
    ["from=ann@example.com", [ann]],
    ["from=EXAMPLE.COM", [file, ann]],
    ["from=ann%20ex", [ann]],
    ["to=carl", [bob]],
    ["subject=invoice%2017", [bob, ann]],
    ["date_to=2026-11-03", [ann]],
    ["date_from=2026-11-04", [file, bob]],
    ["date_from=2026-11-04T12:00:00.000Z", [file]],
    ["date_from=2026-11-04T13:00:00%2B01:00", [file]],
    ["has_attachments=true", [file]],
    ["has_attachments=false&direction=inbound", [bob, ann]],
    ["direction=outbound", []],
    ["from=example.com&subject=papers", [file]],
  ];
  for (const settled of [false, true]) {
    for (const [query, expected] of cases) {
      assert.deepEqual(idsOf(await list(test, owner, query)), expected, query);
      if (expected.length > 0) {
        const page = await list(test, owner, `${query}&limit=${expected.length}`);
        assert.equal(page.meta.has_more, false, query);
      }
    }
    if (!settled) await test.settle();
  }
  const wrong = [
    "limit=0",
    "limit=101",
    "limit=x",
    "offset=-1",
    "offset=1.5",
    "order=up",
    "direction=in",
    "date_from=yesterday",
    "date_to=2026-02-30",
    "cursor=garbage",
    "has_attachments=maybe",
  ];
  for (const query of wrong) {
    const answer = await test.request(`/v1/api/emails?${query}`, { token: owner.key });
    assert.equal(answer.status, 400, query);
    assert.equal((await answer.json()).error.code, "VALIDATION_ERROR", query);
  }
  for (const id of ["unknown", crypto.randomUUID()]) {
    const answer = await test.request(`/v1/api/emails?mailbox_id=${id}`, { token: owner.key });
    assert.equal(answer.status, 404);
    await answer.body?.cancel();
  }
});

Deno.test("a filter finds a domain in Unicode by its ASCII form, and the other way", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const take = async (fields: Record<string, string>) =>
    (await deliver(test, box.email_address, message(fields))).email_id;
  const ascii = await take({ From: "ann@xn--bcher-kva.example", To: "x@xn--strae-oqa.example" });
  const unicode = await take({ From: "Bob <bob@B\u00dcCHER.example>" });
  const broken = await take({ From: "eve@xn--\u2026.example", Cc: "xn--zz-@one.example" });
  const cases: [string, string[]][] = [
    ["from=@b\u00fccher.example", [unicode, ascii]],
    ["from=@xn--bcher-kva.example", [unicode, ascii]],
    ["from=ann@B\u00dccher", [ascii]],
    ["from=bob%20%3Cbob@XN--BCHER-KVA.example%3E", [unicode]],
    ["from=xn--bch", [ascii]],
    ["from=xn--\u2026", [broken]],
    ["to=stra\u00dfe", [ascii]],
    ["to=xn--zz-", [broken]],
    ["from=b\u00fccher.test", []],
  ];
  for (const [query, expected] of cases) {
    assert.deepEqual(
      idsOf(await list(test, owner, encodeURI(query).replaceAll("%25", "%"))),
      expected,
      query,
    );
  }
});

Deno.test("the filter for the subject takes the longest subject", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const subject = "x".repeat(1_000);
  const { email_id } = await deliver(test, box.email_address, message({ Subject: `${subject}x` }));
  assert.deepEqual(idsOf(await list(test, owner, `subject=${subject}`)), [email_id]);
  const longer = await test.request(`/v1/api/emails?subject=${subject}x`, { token: owner.key });
  assert.equal(longer.status, 400);
});

Deno.test("attachments are downloaded unchanged, as files, by their owner only", async () => {
  await using test = await testService();
  const [owner, stranger] = [await account(test), await account(test)];
  const box = await mailbox(test, owner);
  const raw = message(
    { "Content-Type": "multipart/mixed; boundary=b" },
    '--b\n\ntext\n--b\nContent-Type: text/html; name="x"\nContent-Transfer-Encoding: base64\n\n' +
      "PHNjcmlwdD4=\n--b\nContent-Type: application/pdf; name=a.pdf\n\n%PDF\nline\n--b--\n",
  );
  const { email_id } = await deliver(test, box.email_address, raw);
  const email = await data(test.request(`/v1/api/emails/${email_id}`, { token: owner.key }));
  const path = (id: string) => `/v1/api/emails/${email_id}/attachments/${id}`;
  const [html, pdf] = email.attachments;
  const one = await test.request(path(html.attachment_id), { token: owner.key });
  assert.equal(await one.text(), "<script>");
  assert.equal(one.headers.get("content-type"), "application/octet-stream");
  assert.equal(one.headers.get("content-disposition"), "attachment; filename*=UTF-8''x");
  assert.equal(one.headers.get("x-content-type-options"), "nosniff");
  const two = await test.request(path(pdf.attachment_id), { token: owner.key });
  assert.equal(await two.text(), "%PDF\r\nline");
  assert.equal(two.headers.get("content-type"), "application/pdf");
  const denied = [[path("att_9"), owner.key], [path(pdf.attachment_id), stranger.key]];
  for (const [each, token] of denied) {
    const answer = await test.request(each, { token });
    assert.equal(answer.status, 404);
    assert.equal((await answer.json()).error.code, "NOT_FOUND");
  }
});

Deno.test("arrivals show every attempt, newest first, in pages, to the owner only", async () => {
  await using test = await testService({ plans: { free: { emailsPerDay: 2 } } });
  const owner = await account(test, "free");
  const box = await mailbox(test, owner);
  const first = await deliver(test, box.email_address, message());
  await deliver(test, box.email_address, message());
  await deliver(test, box.email_address, message({ Subject: "another" }));
  await deliver(test, box.email_address, message({ Subject: "too many" }));
  const read = async (query = "") => {
    const answer = await test.request(`/v1/api/arrivals${query}`, { token: owner.key });
    return await answer.json();
  };
  const all = await read();
  assert.deepEqual(
    all.data.map((each: Record<string, unknown>) => [each.disposition, each.code]),
    [["rejected", "OVER_QUOTA"], ["accepted", null], ["duplicate", null], ["accepted", null]],
  );
  assert.deepEqual(all.data[3], {
    arrival_id: all.data[3].arrival_id,
    received_at: "2026-11-20T10:00:00.000Z",
    source: "raw",
    recipient: box.email_address,
    sender: "ada@example.net",
    size: message().length,
    disposition: "accepted",
    code: null,
    email_id: first.email_id,
    mailbox_id: box.mailbox_id,
    count: 1,
  });
  assert.deepEqual(all.meta, { limit: 20, has_more: false, next_cursor: null });
  const accepted = await read("?disposition=accepted&limit=1");
  assert.equal(accepted.meta.has_more, true);
  const rest = await read(`?disposition=accepted&limit=1&cursor=${accepted.meta.next_cursor}`);
  assert.equal(rest.data[0].email_id, first.email_id);
  const stranger = await account(test);
  const theirs = await test.request("/v1/api/arrivals", { token: stranger.key });
  assert.deepEqual((await theirs.json()).data, []);
  const foreign = await test.request(`/v1/api/arrivals?mailbox_id=${box.mailbox_id}`, {
    token: stranger.key,
  });
  assert.equal(foreign.status, 404);
  await foreign.body?.cancel();
  await test.advance(31 * 86_400_000);
  assert.deepEqual((await read()).data, []);
});

Deno.test("counters and indexes agree with a recount after concurrent, duplicate and refused arrivals", async () => {
  await using test = await testService({ plans: { free: { emailsPerDay: 25 } } });
  const [owner, poor] = [await account(test), await account(test, "free")];
  const boxes = [await mailbox(test, owner), await mailbox(test, owner), await mailbox(test, poor)];
  const to = boxes.map((each) => each.email_address);
  await Promise.all(
    Array.from(
      { length: 60 },
      (_, n) => deliver(test, n % 3 === 0 ? to : to[n % 3], message({ Subject: `n ${n % 40}` })),
    ),
  );
  await test.settle();
  test.clock.advance(10_000);
  await test.settle();
  assert.deepEqual(await mailDisagreements(test.kv), []);
});

Deno.test("a locked database is 503 for arriving mail, reads go on, and arrivals work again after it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message());
  const commit = Deno.AtomicOperation.prototype.commit;
  for (const trouble of ["database is locked", "database or disk is full"]) {
    Deno.AtomicOperation.prototype.commit = () => Promise.reject(new Error(trouble));
    const answer = await test.request("/inbound/raw", {
      method: "POST",
      token: inboundToken,
      headers: { "content-type": "message/rfc822", "x-envelope-to": box.email_address },
      body: message({ Subject: trouble }),
    });
    const listed = await list(test, owner, "");
    Deno.AtomicOperation.prototype.commit = commit;
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get("retry-after"), "1");
    assert.equal((await answer.json()).error.code, "SERVICE_UNAVAILABLE");
    assert.ok(!listed.data.some(({ subject }) => subject === trouble));
    const again = await deliver(test, box.email_address, message({ Subject: trouble }));
    assert.equal(again.disposition, "accepted");
  }
});

Deno.test("the largest record that a sender can cause, with 200 addresses in each field, is stored, listed and processed", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const people = (name: string) =>
    Array.from(
      { length: 250 },
      (_, n) => `=?utf-8?B?${base64(`Имя ${n}`)}?= <${name}-recipient-${n}@example.com>`,
    );
  const deep = (levels: number): string => {
    let text = "";
    for (let n = 0; n < levels; n++) {
      text += `--b${n}\nContent-Type: multipart/mixed; boundary=b${n + 1}\n\n`;
    }
    return text + `--b${levels}\nContent-Type: application/x\n\nx\n`.repeat(600);
  };
  const references = Array.from({ length: 150 }, (_, n) => `<${"r".repeat(240)}${n}@example.com>`);
  const raw = message({
    To: people("to").join(",\r\n "),
    Cc: people("cc").join(",\r\n "),
    Bcc: people("bcc").join(",\r\n "),
    "Reply-To": people("reply").join(",\r\n "),
    Subject: `=?utf-8?B?${base64("я".repeat(2000))}?=`,
    References: references.join("\r\n "),
    "Message-ID": `<${"m".repeat(400)}@example.com>`,
    "Content-Type": "multipart/mixed; boundary=b0",
  }, deep(60));
  const taken = await deliver(test, box.email_address, raw);
  assert.equal(taken.disposition, "accepted");
  await test.settle();
  const [row] = (await list(test, owner, "")).data;
  assert.equal(row.processed, true);
  assert.equal(row.subject.length, 1000);
  const email = await data(test.request(`/v1/api/emails/${taken.email_id}`, { token: owner.key }));
  assert.equal(email.to.length, 200);
  assert.equal(email.cc.length, 200);
  assert.equal(email.attachments.length, 500);
  assert.equal(new Set(email.attachment_ids).size, 500);
  assert.equal(email.truncated, true);
  assert.equal(email.references[0], references[0]);
  assert.equal(email.references.at(-1), references.at(-1));
});
