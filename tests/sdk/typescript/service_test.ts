import assert from "node:assert/strict";
import { Letterbox, LetterboxError } from "../../../sdk/typescript/src/index.ts";
import { bounded } from "../../eventually.ts";
import { deliver, message } from "../../service.ts";
import { type ServedService, serveService } from "../served.ts";

const clientOf = ({ base, owner }: ServedService) =>
  new Letterbox({ baseUrl: base, apiKey: owner.key });

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

Deno.test("the TypeScript client signs up with a code", async () => {
  await using served = await serveService();
  const letterbox = clientOf(served);
  const { mailbox_id } = served.box;
  const since = new Date().toISOString();
  const waiting = letterbox.emails.wait({
    mailbox_id,
    since,
    require: "code",
    timeout_seconds: 20,
  });
  await served.arrive({ Subject: "Your code" }, "Your verification code is 482 913.\n");
  const { verification, email } = await bounded("the wait ends", waiting);
  assert.equal(verification?.best_code, "482913");
  assert.equal(email?.subject, "Your code");

  const expected = await letterbox.expectations.create({ mailbox_id, from_domain: "example.net" });
  assert.equal((await letterbox.expectations.get(expected.expectation_id)).status, "waiting");
  assert.deepEqual(await letterbox.expectations.delete(expected.expectation_id), { deleted: true });
});

Deno.test("the TypeScript client lists over pages, reads, labels, searches and deletes", async () => {
  await using served = await serveService();
  const letterbox = clientOf(served);
  const { mailbox_id } = served.box;
  const parts = [
    "--x",
    "Content-Type: text/plain",
    "",
    "See the note, ZX-48213.",
    "--x",
    'Content-Type: application/pdf; name="note.pdf"',
    'Content-Disposition: attachment; filename="note.pdf"',
    "",
    "%PDF",
    "--x--",
    "",
  ];
  const type = { "Content-Type": "multipart/mixed; boundary=x", "MIME-Version": "1.0" };
  const first = await served.arrive(type, parts.join("\n"));
  for (let n = 0; n < 4; n++) await served.arrive({ Subject: `Mail ${n}` });

  const emails = await all(letterbox.emails.list({ mailbox_id, limit: 2, order: "asc" }));
  assert.equal(emails.length, 5);
  assert.equal(emails[0].email_id, first);
  assert.deepEqual((await all(letterbox.mailboxes.list())).map((each) => each.mailbox_id), [
    mailbox_id,
  ]);

  const [note] = (await letterbox.emails.get(first)).attachments;
  const bytes = await new Response(await letterbox.emails.attachment(first, note.attachment_id))
    .text();
  assert.equal(bytes.trim(), "%PDF");
  assert.match(await new Response(await letterbox.emails.raw(first)).text(), /boundary=x/);

  assert.deepEqual((await letterbox.emails.update(first, { add_labels: ["Done"] })).labels, [
    "done",
  ]);
  const batch = await letterbox.emails.batch({ email_ids: [first], is_read: true });
  assert.deepEqual(batch, [{ email_id: first, ok: true }]);
  assert.equal((await letterbox.search({ query: "ZX-48213" })).results[0].email_id, first);
  const [claim] = await letterbox.claims.create(mailbox_id, { limit: 1 });
  assert.equal((await letterbox.claims.ack(claim.claim_id)).status, "acked");
  assert.deepEqual(await letterbox.emails.delete(first), { deleted: true });
  const gone = await letterbox.emails.get(first).catch((error) => error);
  assert.ok(gone instanceof LetterboxError && gone.code === "NOT_FOUND" && gone.status === 404);
  const wrong = await all(letterbox.emails.list({ mailbox_id, limit: 1_000 })).catch((each) =>
    each
  );
  assert.ok(wrong instanceof LetterboxError && "limit" in wrong.details, String(wrong));
});

Deno.test("the TypeScript client sends once, and events resume where a connection broke", async () => {
  await using served = await serveService();
  const cut = new AbortController();
  const letterbox = new Letterbox({
    baseUrl: served.base,
    apiKey: served.owner.key,
    fetch: (url, init) => fetch(url, cut.signal.aborted ? init : { ...init, signal: cut.signal }),
  });
  const { mailbox_id, email_address } = served.box;
  const stop = new AbortController();
  const seen: string[] = [];
  // The stream may open later than the mail is sent.
  const end = letterbox.changes.list({ after: "now" });
  await all(end);
  const after = end.cursor!;
  const following = (async () => {
    for await (const { event, email_id } of letterbox.events({ after }, { signal: stop.signal })) {
      seen.push(`${event} ${email_id}`);
      if (seen.length === 3) return;
    }
  })();
  const message = {
    mailbox_id,
    to: email_address,
    subject: "Hi",
    body_text: "Hi",
    idempotency_key: "k",
  };
  const sent = await letterbox.emails.send(message);
  assert.ok("email_id" in sent);
  assert.deepEqual(await letterbox.emails.send(message), sent);
  cut.abort();
  await served.test.settle();
  await bounded("three events", following, seen);
  assert.equal(new Set(seen).size, 3);
  assert.ok(seen.includes(`email.sent ${sent.email_id}`), String(seen));
  assert.equal((await all(letterbox.emails.list({ direction: "outbound" }))).length, 1);
});

Deno.test("the TypeScript client imports a message as its source had it, once", async () => {
  await using served = await serveService();
  const letterbox = clientOf(served);
  const { mailbox_id } = served.box;
  const content = new TextEncoder().encode("From: a@b.example\r\nSubject: Old\r\n\r\nHi\r\n");
  const received_at = new Date("2019-05-06T07:08:09Z");
  const state = { received_at, labels: ["Old"], is_read: true, direction: "outbound" } as const;
  const first = await letterbox.mailboxes.import(mailbox_id, content, state);
  const again = await letterbox.mailboxes.import(mailbox_id, new Blob([content]));
  assert.deepEqual([first.disposition, again.disposition], ["accepted", "duplicate"]);
  const email = await letterbox.emails.get(first.email_id!);
  assert.equal(email.received_at, "2019-05-06T07:08:09.000Z");
  assert.deepEqual(
    [email.labels, email.is_read, email.direction],
    [["imported", "old"], true, "outbound"],
  );
});

Deno.test("the TypeScript client uploads a file without base64, attaches it and a file of an email by their ids, and gets a link", async () => {
  await using served = await serveService();
  const letterbox = clientOf(served);
  const { mailbox_id, email_address } = served.box;
  const content = crypto.getRandomValues(new Uint8Array(60_000));
  const path = await Deno.makeTempFile({ suffix: ".pdf" });
  await Deno.writeFile(path, content);
  const uploads = [
    await letterbox.uploadFile({ content, filename: "a.pdf" }),
    await letterbox.uploadFile(path),
    await letterbox.uploadFile(new File([content], "c.pdf", { type: "application/pdf" })),
  ];
  await Deno.remove(path);
  assert.deepEqual(uploads.map(({ size }) => size), [60_000, 60_000, 60_000]);
  const sent = await letterbox.emails.send({
    ...{ mailbox_id, to: email_address, body_text: "See the files." },
    attachments: uploads.map(({ upload_id }) => ({ upload_id })),
  });
  const { attachments } = await letterbox.emails.get(sent.email_id!);
  assert.deepEqual(attachments.map(({ filename }) => filename), [
    ...["a.pdf", path.split("/").at(-1), "c.pdf"],
  ]);
  const again = await letterbox.drafts.create({
    ...{ mailbox_id, to: email_address, body_text: "See the file." },
    attachments: [{ email_id: sent.email_id!, attachment_id: attachments[1].attachment_id }],
  });
  assert.equal(again.attachments[0].size, 60_000);
  const { attachment_id } = attachments[0];
  const link = await letterbox.emails.attachmentLink(sent.email_id!, attachment_id);
  assert.deepEqual(await (await fetch(link.download_url)).bytes(), content);
});

Deno.test("the TypeScript client finds a conversation by whose turn it is, and mail by the address of its envelope", async () => {
  await using served = await serveService();
  const letterbox = clientOf(served);
  const { mailbox_id, email_address } = served.box;
  const tagged = email_address.replace("@", "+order-7@");
  const { email_id } = await deliver(served.test, tagged, message({ Subject: "Engine" }));
  await served.test.settle();
  const found = await all(letterbox.emails.list({ envelope_to: tagged.toUpperCase() }));
  assert.deepEqual(found.map((each) => each.email_id), [email_id]);
  const email = await letterbox.emails.get(email_id, { headers: true });
  assert.deepEqual(email.envelope_to, [tagged]);
  assert.ok(email.headers?.some(({ name, value }) => name === "Subject" && value === "Engine"));
  const [listed] = await all(letterbox.threads.list({ mailbox_id, waiting_for: "us" }));
  assert.equal(listed.last_email_id, email_id);
  assert.equal((await letterbox.threads.get(listed.thread_id)).waiting_for, "us");
});
