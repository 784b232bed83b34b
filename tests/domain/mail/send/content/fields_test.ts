import assert from "node:assert/strict";
import { controlPrefixes } from "../../../../../domain/mail/send/content/extra_headers.ts";
import { callTool } from "../../../../routes/mcp/call_tool.ts";
import { deliver, message } from "../../../../service.ts";
import { field, world } from "./content_world.ts";

const headers = {
  "X-Campaign": "autumn",
  "List-Unsubscribe": "<https://example.net/u?t=1>, <mailto:u@example.net>",
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  "List-Id": "News <news.example.net>",
  Precedence: "bulk",
  Importance: "high",
  "Feedback-ID": "a:b:c:d",
};

Deno.test("send, reply, forward and drafts write the given header fields", async () => {
  await using w = await world();
  const { test, box, send, raw, call, get } = w;
  const { email_id } = await deliver(test, box.email_address, message());
  const draft = await call("POST", "/drafts", {
    ...{ mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "x", headers },
  });
  assert.deepEqual(draft.body.data.headers, headers);
  const ids = [
    (await send({ headers })).data.email_id,
    (await send({ headers }, `/emails/${email_id}/reply`)).data.email_id,
    (await send({ headers, to: "ann@one.example" }, `/emails/${email_id}/forward`)).data.email_id,
    (await call("POST", `/drafts/${draft.body.data.draft_id}/send`, {})).body.data.email_id,
  ];
  for (const id of ids) {
    const bytes = await raw(id);
    for (const [name, value] of Object.entries(headers)) assert.equal(field(bytes, name), value);
  }
  const wide = await send({ headers: { "X-Note": "Grüße =?utf-8?q?x?=" } });
  assert.match(field(await raw(wide.data.email_id), "X-Note")!, /^=\?UTF-8\?/i);
  assert.equal((await get(`/emails/${ids[0]}`)).subject, "");
});

Deno.test("other fields, control headers of relays and injections are 400 with the field's name", async () => {
  await using w = await world();
  const { box, call } = w;
  const refuse = async (given: unknown, name: string) => {
    const { status, body } = await call("POST", "/emails/send", {
      ...{ mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "x", headers: given },
    });
    assert.deepEqual([status, body.error?.code], [400, "VALIDATION_ERROR"], JSON.stringify(given));
    assert.ok(Object.hasOwn(body.error.details, name), JSON.stringify(body.error.details));
  };
  for (
    const name of [
      ...[
        "From",
        "to",
        "Bcc",
        "Subject",
        "Message-ID",
        "Received",
        "DKIM-Signature",
        "Return-Path",
      ],
      ...["Content-Type", "Auto-Submitted", "Sender", "X", "X y", "X-a:b", "X-é", "", "List-Post"],
      ...["x-smtpapi", "X-SMTPAPI", "X-Mailgun-Track", "X-MC-Tags", "X-SES-SOURCE-ARN", "X-PM-Tag"],
      ...["X-Resend-Foo", ...controlPrefixes],
    ]
  ) await refuse({ [name]: "v" }, `headers.${name}`);
  await refuse({ "X-A": "a\r\nBcc: x@y.example" }, "headers.X-A");
  await refuse({ "X-A": "a\u0000" }, "headers.X-A");
  await refuse({ "X-A": "1", "x-a": "2" }, "headers.x-a");
  await refuse({ "X-A": "x".repeat(901) }, "headers.X-A");
  await refuse({ "List-Id": "é" }, "headers.List-Id");
  await refuse({ "X-A": 1 }, "headers.X-A");
  await refuse(
    Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, "v"])),
    "headers",
  );
  await refuse(
    Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-${n}`, "v".repeat(500)])),
    "headers",
  );
});

Deno.test("metadata is on the draft, the email and its events, and nowhere in the message", async () => {
  await using w = await world();
  const { box, send, raw, call, get, test } = w;
  const metadata = { order_id: "A 17 é", customer: "c_9" };
  const { email_id } = (await send({ metadata })).data;
  await test.settle();
  assert.deepEqual((await get(`/emails/${email_id}`)).metadata, metadata);
  assert.deepEqual((await get("/emails"))[0].metadata, metadata);
  assert.ok(!(await raw(email_id)).includes("c_9"));
  const draft = await call("POST", "/drafts", {
    ...{ mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "x", metadata },
  });
  assert.deepEqual(draft.body.data.metadata, metadata);
  const path = `/drafts/${draft.body.data.draft_id}`;
  const hash = draft.body.data.content_hash;
  const changed = await call("PATCH", path, { metadata: { a: "b" } });
  assert.deepEqual([changed.body.data.metadata, changed.body.data.content_hash], [
    { a: "b" },
    hash,
  ]);
  const sent = await call("POST", `${path}/send`, {});
  assert.deepEqual((await get(`/emails/${sent.body.data.email_id}`)).metadata, { a: "b" });
  await call("PATCH", `/emails/${email_id}`, { add_labels: ["x"] });
  assert.deepEqual((await get(`/emails/${email_id}`)).metadata, metadata, "a label keeps it");
  const large = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`${n}`.padStart(40, "k"), "é".repeat(500)]),
  );
  const files = Array.from(
    { length: 50 },
    (_, n) => ({ filename: `${"ü".repeat(150)}${n}`, content: "" }),
  );
  const most = (await send({ metadata: large, attachments: files, to: recipients(50) })).data;
  assert.deepEqual((await get(`/emails/${most.email_id}`)).metadata, large);
  assert.equal((await get("/emails?limit=1"))[0].attachments.length, 50);
});

const recipients = (n: number) =>
  Array.from(
    { length: n },
    (_, k) => `"${"é".repeat(100)}" <${"a".repeat(60)}${k}@${"b".repeat(60)}.example>`,
  );

Deno.test("the content hash covers headers and content_id, and is as before without them", async () => {
  await using w = await world();
  const { send } = w;
  const file = { filename: "a.png", content: "QQ==" };
  const hash = async (fields: Record<string, unknown>) =>
    (await send({ dry_run: true, ...fields })).data.content_hash as string;
  const plain = await hash({ attachments: [file] });
  const others = await Promise.all([
    hash({ attachments: [file], headers: { "X-A": "1" } }),
    hash({ attachments: [file], headers: { "X-A": "2" } }),
    hash({ attachments: [{ ...file, content_id: "a@b" }] }),
  ]);
  assert.equal(new Set([plain, ...others]).size, 4);
  assert.equal(await hash({ attachments: [file], headers: {}, metadata: { a: "b" } }), plain);
});

Deno.test("an attachment with a content_id is inline where the HTML shows it (RFC 2387)", async () => {
  await using w = await world();
  const { send, raw, get } = w;
  const file = { filename: "logo.png", content: "iVBORw0KGgo=", content_id: "logo@example" };
  const body = { body_html: '<p><img src="cid:logo@example"></p>', attachments: [file] };
  const { email_id } = (await send(body)).data;
  const bytes = await raw(email_id);
  assert.match(bytes, /multipart\/related/);
  assert.match(bytes, /Content-ID: <logo@example>/i);
  assert.match(bytes, /Content-Disposition: inline/i);
  assert.equal((await get(`/emails/${email_id}`)).attachments[0].filename, "logo.png");
  for (const content_id of ["a b", "<a>", "a\r\nb", ""]) {
    const refused = await send({ attachments: [{ ...file, content_id }] });
    assert.ok(refused.error.details["attachments.0.content_id"], content_id);
  }
  const twice = await send({ attachments: [file, file] });
  assert.equal(twice.error.details["attachments.1.content_id"], "is given twice");
});

Deno.test("base64 is taken in lines, in the alphabet of URLs, and without padding", async () => {
  await using w = await world();
  const { test, owner, send, get } = w;
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
  const plain = bytes.toBase64();
  const forms = [
    plain.replace(/.{76}/g, "$&\r\n"),
    bytes.toBase64({ alphabet: "base64url" }),
    plain.replace(/=+$/, ""),
    bytes.toBase64({ alphabet: "base64url", omitPadding: true }),
  ];
  for (const content of forms) {
    const sent = await send({ attachments: [{ filename: "a.bin", content }] });
    const { attachments } = await get(`/emails/${sent.data.email_id}`);
    const path = `/v1/api/emails/${sent.data.email_id}/attachments/${attachments[0].attachment_id}`;
    const got = await test.request(path, { token: owner.key });
    assert.deepEqual(new Uint8Array(await got.arrayBuffer()), bytes);
  }
  for (const content of ["data:text/plain;base64,QQ==", "Q", "Q===", "QQ==QQ==", "é"]) {
    const { error } = await send({ attachments: [{ filename: "a.bin", content }] });
    const reason = error.details["attachments.0.content"];
    assert.match(
      reason,
      /^\s*data:/i.test(content) ? /without the data: URL/ : /^must be base64$/,
    );
  }
});

Deno.test("mail with HTML alone gets a text part", async () => {
  await using w = await world();
  const { send, raw } = w;
  const body_html =
    "<p>Dear Ann,</p><p>see <a href='https://x.example/'>this</a></p><script>x()</script>";
  const { email_id } = (await send({ body_text: undefined, body_html })).data;
  const bytes = await raw(email_id);
  assert.match(bytes, /multipart\/alternative/);
  const text = bytes.slice(bytes.indexOf("text/plain"), bytes.indexOf("text/html"));
  assert.match(text, /Dear Ann,/);
  assert.ok(!text.includes("x()"));
});

Deno.test("HTML without any text has a text part too, beside its pictures", async () => {
  await using w = await world();
  const file = { filename: "logo.png", content: "iVBORw0KGgo=", content_id: "logo" };
  const body = { body_text: undefined, body_html: '<img src="cid:logo">', attachments: [file] };
  const bytes = await w.raw((await w.send(body)).data.email_id);
  assert.match(bytes, /multipart\/alternative[^]*text\/plain[^]*multipart\/related[^]*text\/html/);
});

Deno.test("a URL in List-Unsubscribe is written as it is, also if it looks like an encoded word", async () => {
  await using w = await world();
  const headers = { "List-Unsubscribe": "<https://x.example/u?a=?b?=&c=1>", "X-Note": "a =?b?= c" };
  const { email_id } = (await w.send({ headers })).data;
  const bytes = await w.raw(email_id);
  assert.equal(field(bytes, "List-Unsubscribe"), headers["List-Unsubscribe"]);
  assert.match(field(bytes, "X-Note")!, /^=\?UTF-8\?/i);
});

Deno.test("a picture is inline too if the HTML has its id in percent-encoding (RFC 2392)", async () => {
  await using w = await world();
  const file = { filename: "logo.png", content: "iVBORw0KGgo=", content_id: "logo@example" };
  const body_html = '<p><img src="cid:logo%40example"></p>';
  const { email_id } = (await w.send({ body_html, attachments: [file] })).data;
  assert.match(await w.raw(email_id), /multipart\/related/);
});

Deno.test("the tools take headers, metadata, content_id and base64 in lines, as the routes do", async () => {
  await using w = await world();
  const { test, owner, box, raw, get } = w;
  const { email_id } = await deliver(test, box.email_address, message());
  const fields = {
    body_html: '<p>Hi <img src="cid:logo"></p>',
    attachments: [{ filename: "logo.png", content: "iVBO\nRw0K\nGgo", content_id: "logo" }],
    ...{ headers, metadata: { order: "17" } },
  };
  const to = { mailbox_id: box.email_address, to: "ann@one.example" };
  const call = (name: string, args: object) => callTool(test, owner.key, name, args);
  const { draft_id } = await call("create_draft", { ...to, ...fields });
  const sent = [
    await call("send_email", { ...to, ...fields }),
    await call("reply_email", { email_id, ...fields, quote: true }),
    await call("forward_email", { email_id, to: "ann@one.example", ...fields }),
    await call("send_draft", { draft_id }),
  ];
  for (const { email_id } of sent) {
    const bytes = await raw(email_id);
    assert.equal(field(bytes, "X-Campaign"), "autumn");
    assert.match(bytes, /multipart\/related[^]*Content-ID: <logo>/i);
    assert.deepEqual((await get(`/emails/${email_id}`)).metadata, { order: "17" });
  }
  const refused = await call("send_email", { ...to, ...fields, headers: { "X-SMTPAPI": "{}" } });
  assert.equal(refused.error.details["headers.X-SMTPAPI"], "would tell a relay what to do");
});

Deno.test("docs/security.md lists the header fields that tell a relay what to do", async () => {
  const text = await Deno.readTextFile(new URL("../../../../../docs/security.md", import.meta.url));
  const [, section] = /## Header fields of relays\n([^#]*)/.exec(text)!;
  const named = [...section.matchAll(/`(x-[^`]+)`/g)].map(([, name]) => name);
  assert.deepEqual(named, controlPrefixes);
});
