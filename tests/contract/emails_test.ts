import assert from "node:assert/strict";
import { account, deliver, mailbox, message, type TestService, testService } from "../service.ts";

const mixed = { "Content-Type": 'multipart/mixed; boundary="b"', "MIME-Version": "1.0" };
const withAttachment = [
  "--b",
  'Content-Type: multipart/alternative; boundary="c"',
  "",
  "--c",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Thanks, the figures are below.",
  "",
  "On 19 Nov 2026, Ada wrote:",
  "> Please send them.",
  "--c",
  "Content-Type: text/html",
  "",
  "<p>Thanks</p>",
  "--c--",
  "--b",
  'Content-Type: text/csv; name="figures.csv"',
  'Content-Disposition: attachment; filename="figures.csv"',
  "Content-ID: <f1@example.net>",
  "Content-Transfer-Encoding: base64",
  "",
  "MSwyCg==",
  "--b--",
  "",
].join("\n");

/** SHA-256 of `1,2\n`. */
const figuresSha256 = "52186c933993da4082b3cdc7c40bb4bf735b391ff54a2ef78c037dda6c38a680";

// SPEC: emails.get, attachments.record, general.timestamps
Deno.test("GET /v1/api/emails/{messageId} answers the email in full, with every field", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const raw = message({
    ...mixed,
    From: "Ada Lovelace <Ada@example.net>",
    To: `Agent <${box.email_address}>, bob@example.org`,
    Cc: "Carol <carol@example.org>",
    Bcc: "dan@example.org",
    "Reply-To": "desk@example.net",
    Subject: "Re: Figures",
    Date: "Fri, 20 Nov 2026 10:30:00 +0100",
    "Message-ID": "<m2@example.net>",
    "In-Reply-To": "<m1@example.net>",
    References: "<m0@example.net> <m1@example.net>",
  }, withAttachment);
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const answer = await test.request(`/v1/api/emails/${email_id}`, { token: owner.key });
  const body = await answer.json();
  const { thread_id, attachments: [attachment] } = body.data;
  assert.equal(answer.status, 200);
  assert.match(email_id, /^[A-Za-z0-9_-]+$/);
  assert.match(attachment.sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(body, {
    success: true,
    data: {
      email_id,
      subject: "Re: Figures",
      from: "Ada@example.net",
      to: [box.email_address, "bob@example.org"],
      cc: ["carol@example.org"],
      envelope_to: [box.email_address],
      date: "2026-11-20T09:30:00.000Z",
      body_text:
        "Thanks, the figures are below.\n\nOn 19 Nov 2026, Ada wrote:\n> Please send them.",
      has_attachments: true,
      attachment_ids: [attachment.attachment_id],
      ...{ is_read: false, labels: [], automated: false, auth_verdict: "none" },
      auth: {
        ...{ verdict: "none", spf: "none", dkim: "none", dmarc: "none" },
        ...{ domain: "example.net", source: "checked" },
      },
      thread_id,
      mailbox_id: box.mailbox_id,
      problem: null,
      message_id: "<m2@example.net>",
      direction: "inbound",
      from_name: "Ada Lovelace",
      in_reply_to: "<m1@example.net>",
      references: ["<m0@example.net>", "<m1@example.net>"],
      reply_to: ["desk@example.net"],
      bcc: ["dan@example.org"],
      body_html: "<p>Thanks</p>",
      body_new_text: "Thanks, the figures are below.",
      attachments: [{
        attachment_id: attachment.attachment_id,
        filename: "figures.csv",
        content_type: "text/csv",
        size: 4,
        content_disposition: "attachment",
        content_id: "f1@example.net",
        sha256: figuresSha256,
      }],
      received_at: "2026-11-20T10:00:00.000Z",
      size: raw.length,
    },
  });
});

// SPEC: attachments.get
Deno.test("an attachment is downloaded decoded, with a disposition of attachment", async () => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message(mixed, withAttachment));
  const path = `/v1/api/emails/${email_id}`;
  const email = await (await test.request(path, { token: owner.key })).json();
  const [id] = email.data.attachment_ids;
  const answer = await test.request(`${path}/attachments/${id}`, { token: owner.key });
  const header = (name: string) => answer.headers.get(name);
  assert.equal(answer.status, 200);
  assert.equal(await answer.text(), "1,2\n");
  assert.equal(header("content-disposition"), "attachment; filename*=UTF-8''figures.csv");
  assert.equal(header("x-content-type-options"), "nosniff");
  assert.match(header("content-type") ?? "", /^text\/csv/);
  assert.match(header("x-ratelimit-reset") ?? "", /^\d+$/);
  for (const [at, token] of [[`${id}9`, owner.key], [id, stranger.key]]) {
    const refused = await test.request(`${path}/attachments/${at}`, { token });
    const { success, error } = await refused.json();
    assert.deepEqual([refused.status, success, error.code], [404, false, "NOT_FOUND"]);
  }
});

// SPEC: emails.html_text
Deno.test("body_text of a mail with only HTML is readable and keeps its links", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const html = '<p>Pay <a href="https://pay.example.com/42">here</a> &amp; now.</p>';
  const raw = message({ "Content-Type": "text/html" }, html);
  const { email_id } = await deliver(test, box.email_address, raw);
  const answer = await test.request(`/v1/api/emails/${email_id}`, { token: owner.key });
  const { body_text, body_html } = (await answer.json()).data;
  assert.deepEqual([body_text.trim(), body_html.trim()], [
    "Pay here [https://pay.example.com/42] & now.",
    html,
  ]);
});

// SPEC: emails.get_404, error.not_found
Deno.test("an unknown or malformed email id is 404 on every route of emails", async () => {
  await using test = await testService();
  const { key: token } = await account(test);
  for (const id of ["nobody-has-it", crypto.randomUUID(), "%2e%2e", "a%00b", "x".repeat(5_000)]) {
    const email = await test.request(`/v1/api/emails/${id}`, { token });
    const raw = await test.request(`/v1/api/emails/${id}/raw`, { token });
    const reply = await test.request(`/v1/api/emails/${id}/reply`, {
      token,
      json: { body_text: "x" },
    });
    const statuses = [email.status, raw.status, reply.status];
    assert.deepEqual(statuses, [404, 404, 404], id);
  }
});

/** Five mails a minute apart, oldest first, and a sent one. */
async function filled(test: TestService) {
  const owner = await account(test);
  const box = await mailbox(test, owner), other = await mailbox(test, owner);
  const mails: [string, string, Record<string, string>][] = [
    ["invoice", box.email_address, {
      From: "Ada Lovelace <ada@example.net>",
      Subject: "Invoice 1",
      Date: "Tue, 17 Nov 2026 23:59:59 +0000",
      "Message-ID": "<invoice@example.net>",
    }],
    ["reply", box.email_address, {
      From: "Bob <bob@shop.example>",
      "Reply-To": "ada@example.net",
      To: "Desk <desk@shop.example>",
      Subject: "Re: INVOICE 1",
      Date: "Wed, 18 Nov 2026 00:00:00 +0000",
      "In-Reply-To": "<invoice@example.net>",
    }],
    ["copied", box.email_address, {
      From: "Carol <carol@shop.example>",
      Cc: "Auditor <audit@example.org>",
      Subject: "Minutes",
      Date: "Wed, 18 Nov 2026 23:59:59 +0000",
    }],
    ["attached", box.email_address, {
      ...mixed,
      From: "dan@example.org",
      Subject: "Figures",
      Date: "Thu, 19 Nov 2026 12:00:00 +0000",
    }],
    ["elsewhere", other.email_address, {
      From: "eve@example.org",
      Subject: "Elsewhere",
      Date: "Fri, 20 Nov 2026 09:00:00 +0000",
    }],
  ];
  const names = new Map<string, string>();
  for (const [name, to, fields] of mails) {
    const raw = message(fields, name === "attached" ? withAttachment : `${name}\n`);
    names.set((await deliver(test, to, raw)).email_id, name);
    await test.advance(60_000);
  }
  const sent = await test.request("/v1/api/emails/send", {
    token: owner.key,
    json: { mailbox_id: box.mailbox_id, to: "ann@one.example", subject: "Out", body_text: "out" },
  });
  names.set((await sent.json()).data.email_id, "sent");
  await test.settle();
  const get = async (query: string, token = owner.key) => {
    const answer = await test.request(`/v1/api/emails?${query}`, { token });
    return { status: answer.status, body: await answer.json() };
  };
  const named = async (query: string) => {
    const { status, body } = await get(query);
    if (status !== 200) throw new Error(`${query}: ${JSON.stringify(body)}`);
    return body.data.map((each: { email_id: string }) => names.get(each.email_id));
  };
  return { owner, box, other, get, named };
}

// SPEC: emails.list, emails.list_filters, emails.list_pages, emails.list_invalid, error.validation
Deno.test("GET /v1/api/emails filters, orders and pages, and names a wrong parameter", async (t) => {
  await using test = await testService();
  const { owner, box, other, get, named } = await filled(test);
  const all = ["sent", "elsewhere", "attached", "copied", "reply", "invoice"];
  const { thread_id } = (await get("subject=minutes")).body.data[0];
  const expected: [string, string[]][] = [
    ["", all],
    ["order=desc", all],
    ["order=asc", all.toReversed()],
    [`mailbox_id=${other.mailbox_id}`, ["elsewhere"]],
    ["direction=outbound", ["sent"]],
    ["direction=inbound", all.slice(1)],
    ["from=ada@example.net", ["invoice"]],
    ["from=LOVELACE", ["invoice"]],
    ["from=shop.example", ["copied", "reply"]],
    ["to=desk%40shop.example", ["reply"]],
    ["to=auditor", ["copied"]],
    ["to=nobody", []],
    ["subject=invoice", ["reply", "invoice"]],
    ["has_attachments=true", ["attached"]],
    [`has_attachments=false&mailbox_id=${other.mailbox_id}`, ["elsewhere"]],
    [`thread_id=${thread_id}`, ["copied"]],
    ["thread_id=nobody-has-it", []],
    ["date_to=2026-11-17", ["invoice"]],
    ["date_from=2026-11-18&date_to=2026-11-18", ["copied", "reply"]],
    ["date_from=2026-11-18T01:00:00%2B01:00&date_to=2026-11-18T23:59:58Z", ["reply"]],
    ["from=shop.example&subject=minutes&order=asc", ["copied"]],
    ["offset=4", ["reply", "invoice"]],
    ["limit=2&offset=1", ["elsewhere", "attached"]],
    ["offset=100", []],
  ];
  for (const [query, names] of expected) {
    await t.step(`?${query}`, async () => assert.deepEqual(await named(query), names));
  }

  await t.step("pages give each email once", async () => {
    for (const order of ["desc", "asc"]) {
      const seen: string[] = [];
      let cursor = "";
      for (let page = 0; page < 3; page++) {
        const { data, meta } = (await get(`limit=2&order=${order}&offset=1${cursor}`)).body;
        seen.push(...data.map((each: { email_id: string }) => each.email_id));
        assert.deepEqual(Object.keys(meta), ["limit", "has_more", "next_cursor"]);
        assert.equal(meta.limit, 2);
        assert.equal(meta.has_more, meta.next_cursor !== null);
        if (!meta.has_more) break;
        cursor = `&cursor=${encodeURIComponent(meta.next_cursor)}`;
      }
      assert.equal(new Set(seen).size, 5, "offset holds for the first page only");
      assert.equal(seen.length, 5);
    }
    const whole = (await get("limit=6")).body;
    assert.deepEqual(whole.meta, { limit: 6, has_more: false, next_cursor: null });
  });

  const wrong: [string, string][] = [
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=ten", "limit"],
    ["limit=1.5", "limit"],
    ["offset=-1", "offset"],
    ["offset=x", "offset"],
    ["cursor=nonsense", "cursor"],
    ["cursor=", "cursor"],
    ["thread_id=", "thread_id"],
    ["order=random", "order"],
    ["direction=sideways", "direction"],
    ["has_attachments=maybe", "has_attachments"],
    ["date_from=yesterday", "date_from"],
    ["date_from=2026-02-30", "date_from"],
    ["date_to=20.11.2026", "date_to"],
    ["date_to=2026-11-20T10:00:00", "date_to"],
    ["limit=2&limit=3", "limit"],
  ];
  for (const [query, field] of wrong) {
    await t.step(`?${query} is 400 naming ${field}`, async () => {
      const { status, body } = await get(query);
      assert.deepEqual([status, body.success, body.error.code], [400, false, "VALIDATION_ERROR"]);
      assert.deepEqual(Object.keys(body.error.details), [field]);
      assert.equal(typeof body.error.details[field], "string");
    });
  }

  await t.step("a mailbox that is unknown or foreign is 404", async () => {
    const stranger = await account(test);
    for (const [id, token] of [["nobody-has-it", owner.key], [box.mailbox_id, stranger.key]]) {
      const { status, body } = await get(`mailbox_id=${id}`, token);
      assert.deepEqual([status, body.error], [404, {
        code: "NOT_FOUND",
        message: "There is no such mailbox.",
      }]);
    }
    assert.deepEqual((await get("", stranger.key)).body.data, []);
  });
});

// SPEC: threads.get, threads.pages, threads.order
Deno.test("GET /v1/api/threads/{thread_id} answers the thread oldest first, page by page", async () => {
  await using test = await testService();
  const { owner, get } = await filled(test);
  const [, invoice] = (await get("subject=invoice")).body.data;
  const path = `/v1/api/threads/${invoice.thread_id}`;
  const ask = async (query = "", token = owner.key) => {
    const answer = await test.request(`${path}${query}`, { token });
    return { status: answer.status, body: await answer.json() };
  };
  const whole = await ask();
  const [, second] = whole.body.data.thread;
  const items = [
    {
      email_id: invoice.email_id,
      subject: "Invoice 1",
      from: "ada@example.net",
      to: ["agent@agents.test"],
      date: "2026-11-17T23:59:59.000Z",
      ...{ is_read: false, labels: [], automated: false, auth_verdict: "none" },
      ...{ direction: "inbound", from_name: "Ada Lovelace", has_attachments: false, status: null },
      body_text_snippet: "invoice",
    },
    {
      email_id: second.email_id,
      subject: "Re: INVOICE 1",
      from: "bob@shop.example",
      to: ["desk@shop.example"],
      date: "2026-11-18T00:00:00.000Z",
      ...{ is_read: false, labels: [], automated: false, auth_verdict: "none" },
      ...{ direction: "inbound", from_name: "Bob", has_attachments: false, status: null },
      body_text_snippet: "reply",
    },
  ];
  const { thread_id } = invoice;
  const end = { has_more: false, next_cursor: null, waiting_for: "us", drafts: [] };
  assert.deepEqual(whole, {
    status: 200,
    body: { success: true, data: { thread_id, thread: items, ...end } },
  });
  const first = (await ask("?limit=1&include_body=false")).body.data;
  const { next_cursor } = first;
  assert.deepEqual(first, {
    thread_id,
    thread: [{ ...items[0], body_text_snippet: "" }],
    has_more: true,
    waiting_for: "us",
    drafts: [],
    next_cursor,
  });
  const rest = (await ask(`?limit=1&cursor=${next_cursor}`)).body.data;
  assert.deepEqual(rest, { thread_id, thread: [items[1]], ...end });
  for (
    const [query, field] of [["limit=0"], ["limit=1001"], ["cursor=x"]].map((
      [q],
    ) => [q, q.split("=")[0]])
  ) {
    const { status, body } = await ask(`?${query}`);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, [field]], query);
  }
  const stranger = await account(test);
  const foreign = await ask("", stranger.key);
  assert.deepEqual([foreign.status, foreign.body.error.code], [404, "NOT_FOUND"]);
});

// SPEC: emails.raw, emails.raw_headers, emails.raw_404
Deno.test("the raw download is the stored bytes with the specified headers", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const bytes = Uint8Array.from({ length: 200_000 }, (_, n) => (n * 7919) % 256);
  const raw = new Uint8Array([...new TextEncoder().encode("Subject: bytes\r\n\r\n"), ...bytes]);
  const { email_id } = await deliver(test, box.email_address, raw);
  const path = `/v1/api/emails/${email_id}/raw`;
  const answer = await test.request(path, { token: owner.key });
  const header = (name: string) => answer.headers.get(name);
  assert.equal(answer.status, 200);
  assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), raw);
  assert.equal(header("content-type"), "message/rfc822");
  assert.equal(header("content-disposition"), `attachment; filename="${email_id}.eml"`);
  assert.equal(header("content-length"), String(raw.length));
  assert.equal(header("x-content-type-options"), "nosniff");
  assert.match(header("x-service-storage-key") ?? "", /^\S+$/);
  for (const name of ["limit", "remaining", "reset"]) {
    assert.match(header(`x-ratelimit-${name}`) ?? "", /^\d+$/);
  }
  const stranger = await account(test);
  const refused = await test.request(path, { token: stranger.key });
  assert.deepEqual([refused.status, await refused.json()], [404, {
    error: { code: "NOT_FOUND", message: "There is no such email." },
  }]);
});
