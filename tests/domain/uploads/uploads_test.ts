import assert from "node:assert/strict";
import * as keys from "../../../domain/store/keys.ts";
import { sweepOrphans } from "../../../domain/store/blobs.ts";
import { endOverdueUploads } from "../../../domain/uploads/upload.ts";
import { sweepRegularly } from "../../../workers/sweep.ts";
import { eventually } from "../../eventually.ts";
import { tool } from "../../contract/budgets.ts";
import { endless } from "../../routes/row_statuses.ts";
import { colleague } from "../accounts/members/colleague.ts";
import {
  account,
  data,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";
import {
  bytes,
  filesOf,
  newUpload,
  pathOf,
  put,
  rowsOfFiles,
  storageOf,
  uploaded,
} from "./uploading.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A send to the account's own mailbox with these attachments. */
async function sendFiles(
  test: TestService,
  token: string,
  box: { mailbox_id: string; email_address: string },
  attachments: unknown[],
  more: Record<string, unknown> = {},
) {
  const json = {
    mailbox_id: box.mailbox_id,
    to: box.email_address,
    body_text: "See the file.",
    attachments,
    ...more,
  };
  const answer = await test.request("/v1/api/emails/send", { token, json });
  return { status: answer.status, body: await answer.json() };
}

async function keyWith(test: TestService, owner: TestAccount, json: Record<string, unknown>) {
  const made = await data(
    test.request("/v1/api/keys", { token: owner.accessToken, json: { name: "x", ...json } }),
  );
  return { token: made.apiKey as string, keyId: made.keyId as string };
}

// SPEC: uploads.send
Deno.test("a file that is sent to upload_url without a key is attached by its upload_id, byte for byte", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const content = bytes(2_000_000);
  const before = await storageOf(test, owner);
  const made = await newUpload(test, owner.key, { filename: "Größe.pdf" });
  assert.deepEqual(Object.keys(made), ["upload_id", "upload_url", "expires_at"]);
  assert.equal(Date.parse(made.expires_at), test.clock.now() + 15 * minuteMs);
  assert.equal(await storageOf(test, owner), before);
  const stored = await put(test, made.upload_url, content);
  assert.deepEqual(stored.body, {
    success: true,
    data: { upload_id: made.upload_id, size: content.length },
  });
  assert.equal(stored.headers.get("cache-control"), "no-store");
  assert.equal(stored.headers.get("x-content-type-options"), "nosniff");
  assert.equal(await storageOf(test, owner), before + content.length);
  const { status, body } = await sendFiles(test, owner.key, box, [{ upload_id: made.upload_id }]);
  assert.equal(status, 201);
  await test.settle();
  const { size } = await data(
    test.request(`/v1/api/emails/${body.data.email_id}`, { token: owner.key }),
  );
  // The mail is there twice: sent, and received. The upload is gone.
  assert.equal(await storageOf(test, owner) - before, 2 * size);
  assert.equal((await rowsOfFiles(test.kv)).uploads, undefined);
  const [received] = await data(
    test.request("/v1/api/emails?direction=inbound", { token: owner.key }),
  );
  for (const id of [body.data.email_id, received.email_id]) {
    assert.deepEqual(await filesOf(test, owner.key, id), [
      { filename: "Größe.pdf", content_type: "application/pdf", content },
    ]);
  }
});

Deno.test("create_upload makes an upload over MCP too, and the tools of the full and the standard toolset attach it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address: to } = await mailbox(test, owner);
  const content = bytes(50_000);
  for (const url of ["/v1/mcp", "/v1/mcp?toolset=full"]) {
    const made = await tool(test, owner, "create_upload", { filename: "a.pdf" });
    assert.equal((await put(test, made.upload_url, content)).status, 200);
    const attachments = [{ upload_id: made.upload_id }];
    const args = { mailbox_id, to, body_text: "x", attachments };
    const { email_id } = await tool(test, owner, "send_email", args, { url });
    const [file] = await filesOf(test, owner.key, email_id);
    const again = [{ email_id, attachment_id: "att_2" }];
    const reply = { email_id, body_text: "x", attachments: again };
    const { email_id: answer } = await tool(test, owner, "reply_email", reply, { url });
    assert.deepEqual(await filesOf(test, owner.key, answer), [file]);
    assert.deepEqual(file.content, content);
  }
});

// SPEC: uploads.names
Deno.test("name and type of an upload are those of the message, else its own, else the usual ones; a file may be empty", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const own = { filename: "own.csv", content_type: "text/tab-separated-values" };
  const given: [Record<string, unknown>, Record<string, unknown>, [string, string]][] = [
    [own, {}, ["own.csv", "text/tab-separated-values"]],
    [own, { filename: "other.txt" }, ["other.txt", "text/tab-separated-values"]],
    [own, { content_type: "text/csv" }, ["own.csv", "text/csv"]],
    [{}, { filename: "sheet.csv" }, ["sheet.csv", "text/csv"]],
    [{}, {}, ["attachment", "application/octet-stream"]],
  ];
  for (const [fields, more, expected] of given) {
    const upload_id = await uploaded(test, owner.key, bytes(0), fields);
    const { body } = await sendFiles(test, owner.key, box, [{ upload_id, ...more }]);
    const [file] = await filesOf(test, owner.key, body.data.email_id);
    assert.deepEqual([file.filename, file.content_type, file.content.length], [...expected, 0]);
  }
  for (const json of [{ filename: "a\nb" }, { content_type: "multipart/mixed" }, { name: "a" }]) {
    const answer = await test.request("/v1/api/uploads", { token: owner.key, json });
    assert.equal(answer.status, 400);
    await answer.body?.cancel();
  }
});

// SPEC: uploads.once
Deno.test("the bytes of an upload come once: again is CONFLICT, and of two at the same time one wins", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { upload_url } = await newUpload(test, owner.key);
  const both = await Promise.all([
    put(test, upload_url, bytes(900_000)),
    put(test, upload_url, bytes(950_000, 2)),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  const won = both.find(({ status }) => status === 200)!.body.data.size;
  const again = await put(test, upload_url, bytes(10));
  assert.deepEqual([again.status, again.body.error.code], [409, "CONFLICT"]);
  await test.settle();
  assert.equal(await storageOf(test, owner), won);
  assert.equal((await rowsOfFiles(test.kv)).blobs_pending, undefined);
  assert.equal((await rowsOfFiles(test.kv)).blob_chunks, Math.ceil(won / (60 * 1024)));
});

// SPEC: uploads.time
Deno.test("bytes come within 15 minutes and are attached within 24 hours; after that they are gone, and their storage is free", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const late = await newUpload(test, owner.key);
  await test.advance(15 * minuteMs);
  assert.equal((await put(test, late.upload_url, bytes(10))).status, 404);
  const upload_id = await uploaded(test, owner.key, bytes(200_000));
  await test.advance(24 * hourMs - 1);
  const dry = await sendFiles(test, owner.key, box, [{ upload_id }], { dry_run: true });
  assert.equal(dry.status, 200);
  await test.advance(1);
  const { status, body } = await sendFiles(test, owner.key, box, [{ upload_id }]);
  assert.deepEqual([status, body.error.code], [404, "NOT_FOUND"]);
  const again = await uploaded(test, owner.key, bytes(10));
  assert.equal(await endOverdueUploads(test.service), 2);
  await test.settle();
  assert.equal(await storageOf(test, owner), 10);
  assert.deepEqual(await rowsOfFiles(test.kv), { blob_chunks: 1, uploads: 1 });
  // A row that cannot be read does not hide the others.
  await test.service.database.transact((tx) => {
    tx.set(keys.upload(owner.userId, "0"), null);
  });
  await newUpload(test, owner.key);
  await test.advance(25 * hourMs);
  assert.equal(await endOverdueUploads(test.service), 2);
  assert.deepEqual(await rowsOfFiles(test.kv), { uploads: 1 });
  assert.equal((await sendFiles(test, owner.key, box, [{ upload_id: again }])).status, 404);
});

Deno.test("a running service removes an upload within 15 minutes after its time", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  await uploaded(test, owner.key, bytes(200_000));
  const end = sweepRegularly(test.service);
  await test.advance(24 * hourMs);
  await eventually("the upload is removed", async () => {
    // The next sweep is 15 minutes after the end of the one before, which takes real time.
    await test.advance(15 * minuteMs);
    return Object.keys(await rowsOfFiles(test.kv)).length === 0;
  }, test.log);
  assert.equal(await storageOf(test, owner), 0);
  await end();
});

// SPEC: uploads.size
Deno.test("a file above the plan's largest mail is 413, whether it says its size or not, and leaves nothing", async () => {
  await using test = await testService({ plans: { pro: { maxEmailBytes: 300_000 } } });
  const owner = await account(test, "pro");
  const { upload_url } = await newUpload(test, owner.key);
  const chunked = () => ReadableStream.from([bytes(200_000), bytes(100_001)]);
  for (
    const [body, headers] of [
      [bytes(300_001), { "content-length": "300001" }],
      [chunked(), {}],
    ] as const
  ) {
    const refused = await put(test, upload_url, body as BodyInit, { ...headers });
    assert.deepEqual([refused.status, refused.body.error.code], [413, "PAYLOAD_TOO_LARGE"]);
    assert.deepEqual(refused.body.error.details, { limit: 300_000 });
  }
  assert.deepEqual(await rowsOfFiles(test.kv), { uploads: 1 });
  assert.equal((await put(test, upload_url, bytes(300_000))).status, 200);
});

// SPEC: uploads.storage
Deno.test("a file for which the storage has no room is 403, whether it says its size or not; a mail may take the room of its uploads", async () => {
  const plans = { pro: { storageBytes: 1_000_000, maxEmailBytes: 900_000 } };
  await using test = await testService({ plans });
  const owner = await account(test, "pro"), other = await account(test);
  const box = await mailbox(test, owner), elsewhere = await mailbox(test, other);
  const upload_id = await uploaded(test, owner.key, bytes(600_000));
  const { upload_url } = await newUpload(test, owner.key);
  const declared: Record<string, string>[] = [{ "content-length": "400001" }, {}];
  for (const headers of declared) {
    const refused = await put(test, upload_url, bytes(400_001), headers);
    assert.deepEqual([refused.status, refused.body.error.code], [403, "FORBIDDEN"]);
    assert.deepEqual(refused.body.error.details, {
      ...{ limit: 1_000_000, used: 600_000, plan: "pro" },
    });
  }
  assert.equal(await storageOf(test, owner), 600_000);
  // As base64 it is larger than what is left beside the upload.
  const sent = await sendFiles(test, owner.key, box, [{ upload_id }], {
    to: elsewhere.email_address,
  });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
});

// SPEC: uploads.account
Deno.test("an upload is used by its account alone, with bytes and once in a message; what is wrong changes nothing", async () => {
  await using test = await testService();
  const [owner, stranger] = [await account(test), await account(test)];
  const [box, theirs] = [await mailbox(test, owner), await mailbox(test, stranger)];
  const upload_id = await uploaded(test, owner.key, bytes(1_000));
  const empty = await newUpload(test, owner.key);
  const many = Array.from({ length: 21 }, () => ({ upload_id }));
  const foreign = await sendFiles(test, stranger.key, theirs, [{ upload_id }]);
  assert.deepEqual([foreign.status, foreign.body.error.code], [404, "NOT_FOUND"]);
  const unknown = await sendFiles(test, stranger.key, theirs, [{ upload_id: "none" }]);
  assert.deepEqual(unknown.body, foreign.body);
  const wrong: [unknown[], string][] = [
    [[{ upload_id: empty.upload_id }], "attachments.0.upload_id"],
    [[{ upload_id }, { upload_id }], "attachments.0.upload_id"],
    [many, "attachments"],
    [[{ upload_id, content: "aGk=", filename: "a" }], "attachments.0.upload_id"],
    [[{ upload_id, email_id: "e1", attachment_id: "att_2" }], "attachments.0.upload_id"],
    [[{ upload_id, name: "a" }], "attachments.0.name"],
    [[{}], "attachments.0.content"],
  ];
  for (const [attachments, field] of wrong) {
    const { status, body } = await sendFiles(test, owner.key, box, attachments);
    assert.equal(status, 400, JSON.stringify(body));
    assert.ok(field in body.error.details, JSON.stringify(body));
  }
  assert.equal((await rowsOfFiles(test.kv)).uploads, 2);
  const used = await sendFiles(test, owner.key, box, [{ upload_id }]);
  assert.equal(used.status, 201);
  assert.equal((await sendFiles(test, owner.key, box, [{ upload_id }])).status, 404);
});

// SPEC: uploads.key_ends
Deno.test("an upload ends with the key that made it and with that key's maker, and a key's expiry bounds it; a session's does not end with it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const maker = await keyWith(test, owner, {});
  const made = (await data(
    test.request("/v1/api/keys", { token: maker.token, json: { name: "made" } }),
  )).apiKey;
  const short = await keyWith(test, owner, { expirationDays: 1 });
  const ids = [
    await uploaded(test, maker.token, bytes(300_000)),
    await uploaded(test, made, bytes(300_000)),
  ];
  const open = await newUpload(test, maker.token);
  const lasting = await uploaded(test, owner.accessToken, bytes(1_000));
  await test.advance(30 * minuteMs);
  const expiring = await uploaded(test, short.token, bytes(1_000));
  const fresh = await newUpload(test, maker.token);
  const revoked = await test.request(`/v1/api/keys/${maker.keyId}`, {
    method: "DELETE",
    token: owner.accessToken,
  });
  assert.equal(revoked.status, 200);
  for (const { upload_url } of [open, fresh]) {
    assert.equal((await put(test, upload_url, bytes(10))).status, 404);
  }
  for (const upload_id of ids) {
    assert.equal((await sendFiles(test, owner.key, box, [{ upload_id }])).status, 404);
  }
  await test.settle();
  assert.equal(await storageOf(test, owner), 2_000);
  assert.equal((await rowsOfFiles(test.kv)).uploads, 2);
  const logout = await test.request("/api/auth/logout", {
    method: "POST",
    token: owner.accessToken,
  });
  assert.equal(logout.status, 200);
  assert.equal((await sendFiles(test, owner.key, box, [{ upload_id: lasting }])).status, 201);
  await test.settle();
  const sentBytes = await storageOf(test, owner) - 1_000;
  await test.advance(23 * hourMs + 30 * minuteMs);
  const late = await sendFiles(test, owner.key, box, [{ upload_id: expiring }]);
  assert.equal(late.status, 404);
  assert.equal(await endOverdueUploads(test.service), 1);
  assert.equal(await storageOf(test, owner), sentBytes);
});

// SPEC: uploads.scope
Deno.test("an upload wants emails:send; a key that is limited to mailboxes makes and uses uploads of its account", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const reader = await keyWith(test, owner, { scopes: ["emails:read"] });
  const refused = await test.request("/v1/api/uploads", { token: reader.token, json: {} });
  assert.equal(refused.status, 403);
  assert.deepEqual((await refused.json()).error.details, { required_scope: "emails:send" });
  const limited = await keyWith(test, owner, {
    scopes: ["emails:send"],
    mailboxIds: [box.mailbox_id],
  });
  const upload_id = await uploaded(test, limited.token, bytes(10));
  assert.equal((await sendFiles(test, limited.token, box, [{ upload_id }])).status, 201);
});

// SPEC: uploads.kept
Deno.test("a dry run uses nothing up; drafts, later and held mail use an upload up and keep its bytes", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const content = bytes(300_000);
  const upload = () => uploaded(test, owner.key, content, { filename: "a.bin" });
  const upload_id = await upload();
  const dry = await sendFiles(test, owner.key, box, [{ upload_id }], { dry_run: true });
  assert.equal(dry.body.data.would, "send");
  const { content_hash } = dry.body.data;
  const other = await sendFiles(test, owner.key, box, [{ upload_id }], { content_hash: "0" });
  assert.equal(other.status, 409);
  const sent = await sendFiles(test, owner.key, box, [{ upload_id }], { content_hash });
  assert.equal(sent.status, 201);

  const send_at = new Date(test.clock.now() + hourMs).toISOString();
  const later = await sendFiles(test, owner.key, box, [{ upload_id: await upload() }], { send_at });
  assert.equal(later.body.data.status, "scheduled");
  assert.equal(later.body.data.content_hash, content_hash);
  const policy = `/v1/api/mailboxes/${box.mailbox_id}/policy`;
  const hold = (approval: string) =>
    data(test.request(policy, { method: "PUT", token: owner.accessToken, json: { approval } }));
  await hold("always");
  const held = await sendFiles(test, owner.key, box, [{ upload_id: await upload() }]);
  assert.equal(held.body.data.status, "pending_approval");
  const { draft_id } = held.body.data;
  const approved = await data(test.request(`/v1/api/drafts/${draft_id}/approve`, {
    token: owner.accessToken,
    json: { content_hash },
  }));
  await hold("never");
  const fields = { mailbox_id: box.mailbox_id, to: box.email_address, body_text: "See the file." };
  const draft = await data(test.request("/v1/api/drafts", {
    token: owner.key,
    json: { ...fields, attachments: [{ upload_id: await upload() }] },
  }));
  assert.equal(draft.content_hash, content_hash);
  const changed = await data(test.request(`/v1/api/drafts/${draft.draft_id}`, {
    method: "PATCH",
    token: owner.key,
    json: { attachments: [{ upload_id: await upload(), filename: "b.bin" }] },
  }));
  assert.equal(changed.attachments[0].filename, "b.bin");
  assert.equal((await rowsOfFiles(test.kv)).uploads, undefined);
  const { email_id } = await data(
    test.request(`/v1/api/drafts/${draft.draft_id}/send`, { token: owner.key, json: {} }),
  );
  await test.advance(hourMs);
  const { email_id: scheduled } = await data(
    test.request(`/v1/api/drafts/${later.body.data.draft_id}`, { token: owner.key }),
  );
  for (const id of [sent.body.data.email_id, approved.email_id, email_id, scheduled]) {
    const [file] = await filesOf(test, owner.key, id);
    assert.deepEqual(file.content, content);
  }
});

// SPEC: uploads.repeated
Deno.test("a repeated request gets the first answer after its upload was used, and so do requests at the same time", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const attachments = [{ upload_id: await uploaded(test, owner.key, bytes(500_000)) }];
  const once = { idempotency_key: "k1" };
  const all = await Promise.all(
    Array.from({ length: 5 }, () => sendFiles(test, owner.key, box, attachments, once)),
  );
  await test.advance(hourMs);
  all.push(await sendFiles(test, owner.key, box, attachments, once));
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(all.map(({ body }) => body.data.email_id)).size, 1);
  const other = await sendFiles(test, owner.key, box, [{ upload_id: "other" }], once);
  assert.deepEqual([other.status, other.body.error.code], [409, "CONFLICT"]);
  const upload_id = await uploaded(test, owner.key, bytes(10));
  const json = {
    ...{ mailbox_id: box.mailbox_id, to: box.email_address, body_text: "x" },
    ...{ attachments: [{ upload_id }], idempotency_key: "k2" },
  };
  const drafts = [];
  for (let n = 0; n < 2; n++) {
    drafts.push(await data(test.request("/v1/api/drafts", { token: owner.key, json })));
  }
  assert.equal(drafts[0].draft_id, drafts[1].draft_id);
  const without = await sendFiles(test, owner.key, box, attachments);
  assert.equal(without.status, 404);
});

Deno.test("one upload in two messages at the same time is in one of them", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const upload_id = await uploaded(test, owner.key, bytes(500_000));
  const all = await Promise.all(
    Array.from({ length: 4 }, () => sendFiles(test, owner.key, box, [{ upload_id }])),
  );
  assert.deepEqual(all.map(({ status }) => status).sort(), [201, 404, 404, 404]);
  await test.settle();
  const mails = await data(test.request("/v1/api/emails", { token: owner.key }));
  const sizes = mails.map(({ size }: { size: number }) => size);
  assert.equal(await storageOf(test, owner), sizes.reduce((a: number, b: number) => a + b, 0));
});

// SPEC: uploads.number
Deno.test("a message has 20 uploads and 50 recipients in one commit, and an account has at most 1,000 uploads that wait", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const policy = `/v1/api/mailboxes/${box.mailbox_id}/policy`;
  await data(test.request(policy, {
    ...{ method: "PUT", token: owner.accessToken },
    json: { approval: "new_recipients", allow_recipients: ["@example.net"] },
  }));
  const attachments = [];
  for (let n = 0; n < 20; n++) {
    attachments.push({ upload_id: await uploaded(test, owner.key, bytes(70_000, n + 1)) });
  }
  const to = Array.from({ length: 50 }, (_, n) => `r${n}@example.net`);
  const { status, body } = await sendFiles(test, owner.key, box, attachments, { to });
  assert.equal(status, 201, JSON.stringify(body));
  await test.settle();
  assert.equal((await rowsOfFiles(test.kv)).uploads, undefined);

  const { userId, keyId } = owner;
  const now = test.clock.now();
  for (let n = 0; n < 1_000; n += 100) {
    await test.service.database.transact((tx) => {
      for (let each = n; each < n + 100; each++) {
        const uploadId = `${each}`.padStart(4, "0");
        const about = { uploadId, userId, keyId, createdAt: now, expiresAt: now + minuteMs };
        const upload = { ...about, content: null, makers: [], issuerExpiresAt: null };
        tx.set(keys.upload(userId, uploadId), upload);
      }
    });
  }
  const full = await test.request("/v1/api/uploads", { token: owner.key, json: {} });
  assert.equal(full.status, 403);
  assert.deepEqual((await full.json()).error.details, { count: 1_000, limit: 1_000 });
  await test.advance(minuteMs);
  await newUpload(test, owner.key);
});

// SPEC: uploads.body
Deno.test("bytes that come too slowly, break off, or come as a form, a part or compressed are refused and leave nothing", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { upload_url } = await newUpload(test, owner.key);
  const { body, isRead } = endless();
  const slow = put(test, upload_url, body);
  await isRead();
  await test.advance(minuteMs);
  assert.equal((await slow).status, 408);
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(bytes(1_500_000)),
    pull: () => Promise.reject(new Error("the connection is gone")),
  });
  assert.equal((await put(test, upload_url, broken)).status, 400);
  const form = await put(test, upload_url, "--b", {
    "content-type": "multipart/form-data; boundary=b",
  });
  assert.equal(form.status, 415);
  assert.equal((await put(test, upload_url, "x", { "content-encoding": "gzip" })).status, 415);
  const part = await put(test, upload_url, "x", { "content-range": "bytes 0-0/2" });
  assert.deepEqual([part.status, part.body.error.code], [400, "BAD_REQUEST"]);
  assert.deepEqual(await rowsOfFiles(test.kv), { uploads: 1 });
  const query = await test.request(`${pathOf(upload_url)}?x=1`, { method: "PUT", body: "x" });
  assert.equal(query.status, 400);
  await query.body?.cancel();
  assert.equal((await put(test, upload_url, "x")).status, 200);
});

Deno.test("bytes that are still coming after 15 minutes are refused then, not at their end", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { upload_url } = await newUpload(test, owner.key);
  let pieces = 0;
  const endlessly = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      test.clock.advance(30_000);
      pieces++;
      controller.enqueue(bytes(70_000));
    },
  }, { highWaterMark: 0 });
  assert.equal((await put(test, upload_url, endlessly)).status, 404);
  assert.equal(pieces, 30);
  assert.deepEqual(await rowsOfFiles(test.kv), { uploads: 1 });
});

// SPEC: uploads.secret
Deno.test("a URL that this service did not sign is 404; the URL stands in no log and no audit", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { upload_id, upload_url } = await newUpload(test, owner.key);
  const other = await newUpload(test, owner.key);
  const [userId, , mac] = upload_url.split("/").at(-1)!.split(".");
  const wrong = [
    `${userId}.${upload_id}`,
    `${userId}.${upload_id}.`,
    `${userId}.${other.upload_id}.${mac}`,
    `${userId}.${upload_id}.${mac.slice(0, -1)}${mac.endsWith("A") ? "E" : "A"}`,
    "x",
    ".",
    "x".repeat(5_000),
  ];
  for (const token of wrong) {
    const { status } = await put(test, `http://x/v1/api/uploads/${token}`, bytes(10));
    assert.equal(status, 404, token.slice(0, 200));
  }
  // A failure of the service is logged with the template of the route.
  const { transact } = test.service.database;
  test.service.database.transact = () => Promise.reject(new TypeError("secret"));
  assert.equal((await put(test, upload_url, bytes(10))).status, 500);
  test.service.database.transact = transact;
  assert.equal((await put(test, upload_url, bytes(10))).status, 200);
  await sendFiles(test, owner.key, box, [{ upload_id }]);
  await test.settle();
  await test.service.audit.flush();
  const rows = await data(test.request("/v1/api/audit?limit=100", { token: owner.accessToken }));
  const actions = rows.map(({ action }: { action: string }) => action);
  assert.ok(actions.includes("create_upload") && actions.includes("put_upload"), actions.join());
  const put_ = rows.find(({ action }: { action: string }) => action === "put_upload");
  assert.deepEqual(put_.actor, { key_id: owner.keyId });
  const metrics = test.service.metrics.requests;
  for (const text of [JSON.stringify(rows), JSON.stringify(test.log), JSON.stringify(metrics)]) {
    assert.ok(!text.includes(mac), text.slice(0, 500));
  }
  assert.match(JSON.stringify(test.log), /PUT \/v1\/api\/uploads\/:token/);
});

// SPEC: uploads.end_of_account
Deno.test("the end of an account removes its uploads and their bytes", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  await uploaded(test, owner.key, bytes(200_000));
  await uploaded(test, owner.key, bytes(10));
  const { upload_url } = await newUpload(test, owner.key);
  const json = { confirm_email: owner.email, password: owner.password };
  const ended = await test.request("/api/account", {
    ...{ method: "DELETE", token: owner.accessToken, json },
  });
  assert.equal(ended.status, 200);
  assert.equal((await put(test, upload_url, bytes(10))).status, 404);
  await test.advance(5 * minuteMs);
  await sweepOrphans(test.service.database, test.clock.now() + 1);
  assert.deepEqual(await rowsOfFiles(test.kv), {});
});

Deno.test("the bytes of an upload that a member made are the member's in the audit, not the owner's", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { accessToken, memberId } = await colleague(test, owner, "admin");
  const made = await test.request("/api/uploads", { token: accessToken, json: {} });
  const { upload_url } = await data(made);
  assert.equal((await put(test, upload_url, bytes(9))).status, 200);
  await test.advance(2_000);
  const rows = await data(test.request("/api/audit", { token: owner.accessToken }));
  const received = rows.find(({ action }: { action: string }) => action === "put_upload");
  assert.equal(received.actor.member_id, memberId);
});
