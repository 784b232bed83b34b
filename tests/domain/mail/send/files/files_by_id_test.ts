import assert from "node:assert/strict";
import {
  account,
  data,
  deliver,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../../../service.ts";
import { perform } from "../../../../../domain/core/operation.ts";
import { sendEmail } from "../../../../../domain/mail/send/send_email.ts";
import { bytes, filesOf, uploaded } from "../../../uploads/uploading.ts";

interface File {
  name: string;
  type: string;
  content: Uint8Array;
}

/** A mail with files. */
function mailWith(...files: File[]): string {
  const parts = files.map(({ name, type, content }) =>
    `--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename*=utf-8''${
      encodeURIComponent(name)
    }\r\n` +
    `Content-Transfer-Encoding: base64\r\n\r\n${content.toBase64().replace(/.{76}/g, "$&\r\n")}\r\n`
  );
  return "From: Ada <ada@example.net>\r\nSubject: Files\r\n" +
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee the files.\r\n${
      parts.join("")
    }--b--\r\n`;
}

const pdf = { name: "Größe\u0007.pdf", type: "application/pdf", content: bytes(90_000) };
const odd = { name: "", type: "multipart/x-odd", content: bytes(20, 2) };
const csv = { name: "rows.csv", type: "text/csv", content: bytes(500, 3) };

async function received(test: TestService, owner: TestAccount, ...files: File[]) {
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, mailWith(...files));
  await test.settle();
  const { attachment_ids } = await data(
    test.request(`/v1/api/emails/${email_id}`, { token: owner.key }),
  );
  return { box, email_id, ids: attachment_ids as string[] };
}

async function post(
  test: TestService,
  token: string,
  path: string,
  json: unknown,
  method = "POST",
) {
  const answer = await test.request(`/v1/api${path}`, { method, token, json });
  return { status: answer.status, body: await answer.json() };
}

const typesOf = (files: Awaited<ReturnType<typeof filesOf>>) =>
  files.map(({ filename, content_type, content }) => [filename, content_type, content.length]);

// SPEC: files.of_email
Deno.test("a file of a mail is attached by its ids to a send, a reply, a draft and a change of it, byte for byte", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { box, email_id, ids } = await received(test, owner, pdf, csv);
  const attachments = [
    { email_id, attachment_id: ids[1], filename: "figures.txt" },
    { filename: "a.txt", content: "aGk=" },
    { email_id, attachment_id: ids[0] },
    { email_id, attachment_id: ids[0], filename: "again.pdf" },
  ];
  const fields = { mailbox_id: box.mailbox_id, to: "out@example.net", body_text: "x" };
  const sent = await post(test, owner.key, "/emails/send", { ...fields, attachments });
  const reply = await post(test, owner.key, `/emails/${email_id}/reply`, {
    ...{ body_text: "x", attachments },
  });
  const draft = await post(test, owner.key, "/drafts", { ...fields, attachments });
  const { draft_id } = draft.body.data;
  const changed = await post(test, owner.key, `/drafts/${draft_id}`, { attachments }, "PATCH");
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const sentDraft = await post(test, owner.key, `/drafts/${draft_id}/send`, {});
  for (const { status, body } of [sent, reply, sentDraft]) {
    assert.equal(status, 201, JSON.stringify(body));
    const files = await filesOf(test, owner.key, body.data.email_id);
    assert.deepEqual(typesOf(files), [
      ["figures.txt", "text/csv", csv.content.length],
      ["a.txt", "text/plain", 2],
      ["Größe .pdf", "application/pdf", pdf.content.length],
      ["again.pdf", "application/pdf", pdf.content.length],
    ]);
    assert.deepEqual(files.map(({ content }) => content), [
      csv.content,
      new TextEncoder().encode("hi"),
      pdf.content,
      pdf.content,
    ]);
  }
});

// SPEC: forward.files
Deno.test("a forward has its own attachments, then those that are given", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { email_id, ids } = await received(test, owner, pdf);
  const other = await received(test, owner, csv);
  const upload_id = await uploaded(test, owner.key, bytes(30), { filename: "u.bin" });
  const attachments = [
    { email_id: other.email_id, attachment_id: other.ids[0] },
    { upload_id },
    { filename: "a.txt", content: btoa("x".repeat(1_500_000)) },
  ];
  const path = `/emails/${email_id}/forward`;
  const inline = await post(test, owner.key, path, { to: "out@example.net", attachments });
  assert.equal(inline.status, 201, JSON.stringify(inline.body));
  const given = [["rows.csv", "text/csv", 500], ["u.bin", "application/octet-stream", 30]];
  assert.deepEqual(typesOf(await filesOf(test, owner.key, inline.body.data.email_id)), [
    ["Größe .pdf", "application/pdf", 90_000],
    ...given,
    ["a.txt", "text/plain", 1_500_000],
  ]);
  const whole = await post(test, owner.key, path, {
    ...{ to: "out@example.net", as: "attachment" },
    attachments: [{ email_id, attachment_id: ids[0], filename: "b.pdf" }],
  });
  const names = typesOf(await filesOf(test, owner.key, whole.body.data.email_id))
    .map(([name, type]) => [name, type]);
  assert.deepEqual(names, [["Files.eml", "message/rfc822"], ["b.pdf", "application/pdf"]]);
});

Deno.test("a file without a name and with a type that no part may have gets others", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { box, email_id, ids } = await received(test, owner, odd, csv);
  const { body } = await post(test, owner.key, "/emails/send", {
    ...{ mailbox_id: box.mailbox_id, to: "out@example.net", body_text: "x" },
    attachments: ids.map((attachment_id) => ({ email_id, attachment_id })),
  });
  const files = typesOf(await filesOf(test, owner.key, body.data.email_id));
  assert.ok(files.length >= 1);
  for (const [, type] of files) assert.doesNotMatch(String(type), /^multipart/);
});

// SPEC: files.wrong
Deno.test("a file that is not there, is another account's or of a hidden mailbox is NOT_FOUND, and nothing is sent", async () => {
  await using test = await testService();
  const [owner, stranger] = [await account(test), await account(test)];
  const { email_id, ids: [attachment_id] } = await received(test, owner, csv);
  const own = await mailbox(test, owner), theirs = await mailbox(test, stranger);
  const limited = await data(test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "x", mailboxIds: [own.mailbox_id] },
  }));
  const from = (box: { mailbox_id: string }, attachments: unknown[]) => ({
    ...{ mailbox_id: box.mailbox_id, to: "out@example.net", body_text: "x", attachments },
  });
  const cases: [string, unknown, number][] = [
    [stranger.key, from(theirs, [{ email_id, attachment_id }]), 404],
    [limited.apiKey, from(own, [{ email_id, attachment_id }]), 404],
    [owner.key, from(own, [{ email_id, attachment_id: "att_99" }]), 404],
    [owner.key, from(own, [{ email_id: "none", attachment_id }]), 404],
    [owner.key, from(own, [{ email_id }]), 400],
    [owner.key, from(own, [{ attachment_id }]), 400],
    [owner.key, from(own, [{ email_id, attachment_id, content_type: "text/csv" }]), 400],
    [owner.key, from(own, [{ email_id, attachment_id, content: "aGk=", filename: "a" }]), 400],
  ];
  const other = await test.request("/v1/api/emails/none", { token: stranger.key });
  const unknown = (await other.json()).error;
  for (const [token, json, expected] of cases) {
    const { status, body } = await post(test, token, "/emails/send", json);
    assert.equal(status, expected, JSON.stringify(body));
  }
  const foreign = await post(test, stranger.key, "/emails/send", cases[0][1]);
  assert.deepEqual(foreign.body.error, unknown);
  for (const { key } of [owner, stranger]) {
    assert.deepEqual(
      await data(test.request("/v1/api/emails?direction=outbound", { token: key })),
      [],
    );
  }
});

// SPEC: files.scope
Deno.test("a file of a mail wants emails:read besides emails:send", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { box, email_id, ids: [attachment_id] } = await received(test, owner, csv);
  const made = await data(test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "x", scopes: ["emails:send"] },
  }));
  const json = {
    ...{ mailbox_id: box.mailbox_id, to: "out@example.net", body_text: "x" },
    attachments: [{ email_id, attachment_id }],
  };
  const { status, body } = await post(test, made.apiKey, "/emails/send", json);
  assert.deepEqual([status, body.error.details], [403, { required_scope: "emails:read" }]);
});

// SPEC: files.kept
Deno.test("the file of a mail that is deleted later is sent, and a repeated request gets the first answer", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { box, email_id, ids: [attachment_id] } = await received(test, owner, pdf);
  const send_at = new Date(test.clock.now() + 3_600_000).toISOString();
  const json = {
    ...{ mailbox_id: box.mailbox_id, to: "out@example.net", body_text: "x", send_at },
    ...{ attachments: [{ email_id, attachment_id }], idempotency_key: "k1" },
  };
  const first = await post(test, owner.key, "/emails/send", json);
  assert.equal(first.body.data.status, "scheduled");
  await data(test.request(`/v1/api/emails/${email_id}`, { method: "DELETE", token: owner.key }));
  await test.settle();
  const again = await post(test, owner.key, "/emails/send", json);
  assert.deepEqual(again, first);
  await test.advance(3_600_000);
  const [mail] = await data(test.request("/v1/api/emails", { token: owner.key }));
  const [file] = await filesOf(test, owner.key, mail.email_id);
  assert.deepEqual(file.content, pdf.content);
});

// SPEC: files.bounds
Deno.test("files by id that are together too large are refused before they are read, in a dry run too", async () => {
  await using test = await testService({
    instances: 1,
    plans: { pro: { maxEmailBytes: 400_000 } },
  });
  const owner = await account(test, "pro");
  const { box, email_id, ids: [attachment_id] } = await received(test, owner, pdf);
  const upload_id = await uploaded(test, owner.key, bytes(50_000));
  const { parsing } = test.service;
  const { attachments: decode } = parsing;
  let decoded = 0;
  parsing.attachments = (...given) => (decoded++, decode.apply(parsing, given));
  const fields = { mailbox_id: box.mailbox_id, to: "out@example.net", body_text: "x" };
  const attachments = [
    ...Array.from({ length: 4 }, () => ({ email_id, attachment_id })),
    { upload_id },
  ];
  for (const more of [{}, { dry_run: true }, { send_at: "2026-11-21T00:00:00Z" }]) {
    const { status, body } = await post(test, owner.key, "/emails/send", {
      ...{ ...fields, attachments, ...more },
    });
    assert.deepEqual([status, body.error.code], [413, "EMAIL_TOO_LARGE"], JSON.stringify(more));
  }
  assert.equal(decoded, 0);
  // Several files of one mail are decoded at once.
  const fitting = attachments.slice(2);
  const { status } = await post(test, owner.key, "/emails/send", {
    ...{ ...fields, attachments: fitting },
  });
  assert.equal(status, 201);
  assert.equal(decoded, 1);
});

Deno.test("a plan without a largest email takes no more by ids than any message can have", async () => {
  await using test = await testService({ plans: { pro: { maxEmailBytes: null } } });
  const owner = await account(test, "pro");
  const large = { ...pdf, content: bytes(2_600_000) };
  const { box, email_id, ids: [attachment_id] } = await received(test, owner, large);
  const attachments = Array.from({ length: 100 }, () => ({ email_id, attachment_id }));
  const fields = { mailbox_id: box.mailbox_id, to: "out@example.net", body_text: "x" };
  const { status, body } = await post(test, owner.key, "/emails/send", { ...fields, attachments });
  assert.deepEqual([status, body.error.code], [413, "EMAIL_TOO_LARGE"]);
  assert.equal(body.error.details.limit, 240 * 2 ** 20);
});

Deno.test("the bytes of files by id count in the memory of large answers before they are read, those of the body do not", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { box, email_id, ids: [attachment_id] } = await received(test, owner, pdf);
  const upload_id = await uploaded(test, owner.key, bytes(50_000));
  const reserved: number[] = [];
  const input = {
    ...{ mailbox_id: box.mailbox_id, to: "out@example.net", body_text: "x", dry_run: true },
    attachments: [
      { upload_id },
      { filename: "a.txt", content: btoa("x".repeat(1_000)) },
      { email_id, attachment_id },
    ],
  };
  await perform(sendEmail, test.service, { userId: owner.userId, plan: "enterprise" }, input, {
    surface: "rest",
    reserve: (size) => Promise.resolve(void reserved.push(size)),
  });
  assert.deepEqual(reserved, [50_000 + pdf.content.length]);
});
