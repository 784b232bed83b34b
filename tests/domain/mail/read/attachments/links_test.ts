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
import { bytes, pathOf } from "../../../uploads/uploading.ts";
import { post } from "../../../../routes/mcp/post.ts";

const content = bytes(150_000);

async function mailWithFile(
  test: TestService,
  owner: TestAccount,
  file = content,
  type = "text/html",
) {
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(
    test,
    box.email_address,
    "From: ada@example.net\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHi\r\n" +
      `--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename="a.html"\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${
        file.toBase64().replace(/.{76}/g, "$&\r\n")
      }\r\n--b--\r\n`,
  );
  await test.settle();
  return { box, email_id, path: `/v1/api/emails/${email_id}/attachments/att_2` };
}

async function linkOf(test: TestService, path: string, token: string): Promise<string> {
  return (await data(test.request(`${path}/link`, { token }))).download_url;
}

async function status(test: TestService, url: string, init: RequestInit = {}): Promise<number> {
  const answer = await test.request(pathOf(url), init);
  await answer.body?.cancel();
  return answer.status;
}

async function newKey(test: TestService, owner: TestAccount, json: Record<string, unknown> = {}) {
  const made = { name: "x", ...json };
  return await data(test.request("/v1/api/keys", { token: owner.accessToken, json: made }));
}

// SPEC: attachments.link
Deno.test("a link answers the bytes of its file without a key for 15 minutes, as a download that no browser runs or stores", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { path, email_id } = await mailWithFile(test, owner);
  const link = await data(test.request(`${path}/link`, { token: owner.key }));
  assert.deepEqual(Object.keys(link), ["download_url", "expires_at"]);
  assert.equal(Date.parse(link.expires_at), test.clock.now() + 15 * 60_000);
  assert.ok(link.download_url.startsWith(`${test.service.settings.BASE_URL}/v1/api/downloads/`));
  const commits = (await test.kv.get(["meta", "url_secret"])).versionstamp;
  for (let n = 0; n < 2; n++) {
    const answer = await test.request(pathOf(link.download_url));
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.bytes(), content);
    const shown = [
      "cache-control",
      "x-content-type-options",
      "content-type",
      "content-disposition",
    ];
    assert.deepEqual(shown.map((name) => answer.headers.get(name)), [
      "no-store",
      "nosniff",
      "application/octet-stream",
      "attachment; filename*=UTF-8''a.html",
    ]);
    assert.match(answer.headers.get("content-security-policy")!, /^sandbox/);
  }
  const head = await test.request(pathOf(link.download_url), { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-disposition"), "attachment; filename*=UTF-8''a.html");
  await head.body?.cancel();
  assert.equal((await test.kv.get(["meta", "url_secret"])).versionstamp, commits);

  // It is for that file alone.
  const token = pathOf(link.download_url).split("/").at(-1)!;
  const [userId, email, attachment, issuer, expires, mac] = token.split(".");
  assert.deepEqual([email, attachment], [email_id, "att_2"]);
  const other = [
    [userId, email, "att_1", issuer, expires, mac],
    [userId, email, attachment, issuer, String(Number(expires) + 1), mac],
    [userId, email, attachment, `s${issuer.slice(1)}`, expires, mac],
    [userId, email, attachment, issuer, expires],
    ["x"],
  ];
  for (const fields of other) {
    assert.equal(await status(test, `http://x/v1/api/downloads/${fields.join(".")}`), 404);
  }
  // The token of an upload is none of a download.
  const upload = await data(test.request("/v1/api/uploads", { token: owner.key, json: {} }));
  const moved = pathOf(upload.upload_url).replace("uploads", "downloads");
  assert.equal(await status(test, `http://x${moved}`), 404);
  assert.equal(await status(test, `${link.download_url}`, { method: "PUT", body: "x" }), 405);
  await test.advance(15 * 60_000 - 1);
  assert.equal(await status(test, link.download_url), 200);
  await test.advance(1);
  assert.equal(await status(test, link.download_url), 404);
});

// SPEC: attachments.link_ends
Deno.test("a link ends with its email, with its mailbox, and with the key or session that made it", async () => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const { path, box } = await mailWithFile(test, owner);
  const gone = await mailWithFile(test, owner);
  const [key, maker] = [await newKey(test, owner), await newKey(test, owner)];
  const made = await data(
    test.request("/v1/api/keys", { token: maker.apiKey, json: { name: "made" } }),
  );
  const limited = await newKey(test, owner, { mailboxIds: [box.mailbox_id] });
  const [byKey, byMade, byOther, bySession, ofGone, byLimited] = [
    await linkOf(test, path, key.apiKey),
    await linkOf(test, path, made.apiKey),
    await linkOf(test, path, owner.key),
    await linkOf(test, path, owner.accessToken),
    await linkOf(test, gone.path, owner.key),
    await linkOf(test, path, limited.apiKey),
  ];
  const cookie = { headers: { cookie: owner.cookie } };
  const byCookie = (await data(test.request(`${path.slice(3)}/link`, cookie))).download_url;
  const all = [byKey, byMade, byOther, bySession, ofGone, byLimited, byCookie];
  for (const url of all) assert.equal(await status(test, url), 200);
  const remove = (keyId: string) =>
    data(test.request(`/v1/api/keys/${keyId}`, { method: "DELETE", token: owner.accessToken }));
  await remove(key.keyId);
  await remove(maker.keyId);
  assert.deepEqual([await status(test, byKey), await status(test, byMade)], [404, 404]);
  await data(
    test.request(gone.path.replace(/\/attachments.*/, ""), { method: "DELETE", token: owner.key }),
  );
  assert.equal(await status(test, ofGone), 404);
  await data(test.request("/api/auth/logout", { method: "POST", token: owner.accessToken }))
    .catch(() => {});
  assert.deepEqual([await status(test, bySession), await status(test, byCookie)], [404, 404]);
  assert.equal(await status(test, byOther), 200);
  const ended = await test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
    ...{ method: "DELETE", token: owner.key },
    json: { confirm_email_address: box.email_address },
  });
  assert.equal(ended.status, 200);
  assert.deepEqual([await status(test, byOther), await status(test, byLimited)], [404, 404]);
  for (const token of [stranger.key, owner.key]) {
    const answer = await test.request(`${path}/link`, { token });
    assert.equal(answer.status, 404);
    await answer.body?.cancel();
  }
});

Deno.test("a link wants emails:read and a mailbox that the caller sees, and lasts no longer than its key", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { path } = await mailWithFile(test, owner);
  const elsewhere = await mailbox(test, owner);
  const sender = await newKey(test, owner, { scopes: ["emails:send"] });
  const limited = await newKey(test, owner, { mailboxIds: [elsewhere.mailbox_id] });
  const short = await newKey(test, owner, { expirationDays: 1 });
  const ask = async (token: string, from = path) => {
    const answer = await test.request(`${from}/link`, { token });
    await answer.body?.cancel();
    return answer.status;
  };
  assert.equal(await ask(sender.apiKey), 403);
  assert.equal(await ask(limited.apiKey), 404);
  assert.equal(await ask(owner.key, path.replace("att_2", "att_9")), 404);
  await test.advance(86_400_000 - 60_000);
  const link = await data(test.request(`${path}/link`, { token: short.apiKey }));
  assert.equal(Date.parse(link.expires_at), test.clock.now() + 60_000);
  await test.advance(60_000);
  assert.equal(await status(test, link.download_url), 404);
});

// SPEC: attachments.link_secret
Deno.test("a link stands in no log, no audit and no label; its download has a row of the key that made it", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { path, email_id } = await mailWithFile(test, owner);
  const url = await linkOf(test, path, owner.key);
  assert.equal(await status(test, url), 200);
  const { get } = test.service.database;
  test.service.database.get = () => Promise.reject(new TypeError("secret"));
  assert.equal(await status(test, url), 500);
  test.service.database.get = get;
  await test.service.audit.flush();
  const rows = await data(
    test.request(`/v1/api/audit?email_id=${email_id}`, { token: owner.accessToken }),
  );
  const about = rows.map(({ action, actor, email_id }: Record<string, unknown>) => [
    ...[action, actor, email_id],
  ]);
  assert.deepEqual(about, [
    ["get_attachment", { key_id: owner.keyId }, email_id],
    ["get_attachment_link", { key_id: owner.keyId }, email_id],
  ]);
  const mac = url.split(".").at(-1)!;
  const page = await test.request("/operator/metrics", { token: "operator-token-of-the-tests" });
  const metrics = await page.text();
  assert.match(metrics, /route="\/v1\/api\/downloads\/:token"/);
  for (const text of [JSON.stringify(rows), JSON.stringify(test.log), metrics]) {
    assert.ok(!text.includes(mac));
  }
  assert.match(JSON.stringify(test.log), /GET \/v1\/api\/downloads\/:token/);
});

async function getAttachment(test: TestService, token: string, args: Record<string, unknown>) {
  const call = { name: "get_attachment", arguments: args };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
  const { body } = await post(test, token, message, { path: "/v1/mcp?toolset=full" });
  return body.result;
}

// SPEC: attachments.tool_link
Deno.test("get_attachment has a download_url for every file, in the details of NO_TEXT too", async () => {
  await using test = await testService();
  const owner = await account(test);
  const text = new TextEncoder().encode("<p>Words</p>");
  const page = await mailWithFile(test, owner, text);
  const blob = await mailWithFile(test, owner, content, "application/octet-stream; name=a.bin");
  const ids = { email_id: page.email_id, attachment_id: "att_2" };
  const { structuredContent } = await getAttachment(test, owner.key, ids);
  assert.equal(structuredContent.text, "Words");
  const download = await test.request(pathOf(structuredContent.download_url));
  assert.deepEqual(await download.bytes(), text);
  const none = await getAttachment(test, owner.key, {
    ...{ email_id: blob.email_id, attachment_id: "att_2", as: "image" },
  });
  const { error } = JSON.parse(none.content[0].text);
  assert.equal(error.code, "NO_TEXT");
  assert.equal(await status(test, error.details.download_url), 200);
  const rest = await data(test.request(`${page.path}?format=text`, { token: owner.key }));
  assert.equal(await status(test, rest.download_url), 200);
  const unknown = await test.request(`${page.path}?format=text&as=image`, { token: owner.key });
  assert.equal(unknown.status, 400);
  await unknown.body?.cancel();
});

// SPEC: attachments.as_link
Deno.test("as: link answers a link to every file, as a resource_link block too", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const type of ["application/octet-stream; name=a.bin", "text/html; name=a.html"]) {
    const { email_id } = await mailWithFile(test, owner, content, type);
    const ids = { email_id, attachment_id: "att_2" };
    const { isError, structuredContent, content: blocks } = await getAttachment(test, owner.key, {
      ...{ ...ids, as: "link" },
    });
    assert.equal(isError, undefined);
    const { text, download_url } = structuredContent;
    assert.equal(text, "");
    const [link, json] = blocks;
    assert.deepEqual(JSON.parse(json.text), structuredContent);
    assert.deepEqual([link.type, link.uri, link.size], [
      "resource_link",
      download_url,
      content.length,
    ]);
    assert.ok(link.name && link.mimeType);
    const download = await test.request(pathOf(download_url));
    assert.deepEqual(await download.bytes(), content);
  }
});

// SPEC: attachments.image
Deno.test("as: image shows a PNG, JPEG, GIF or WebP by its first bytes, of at most 1 MiB, as an image block; else NO_TEXT", async () => {
  await using test = await testService();
  const owner = await account(test);
  const ascii = (text: string) => Uint8Array.from(text, (each) => each.charCodeAt(0));
  const images: [Uint8Array, string | null][] = [
    [ascii("\x89PNG\r\n\x1a\nrest"), "image/png"],
    [ascii("\xff\xd8\xff\xe0rest"), "image/jpeg"],
    [ascii("GIF87arest"), "image/gif"],
    [ascii("GIF89arest"), "image/gif"],
    [ascii("RIFF\n\n\n\nWEBPrest"), "image/webp"],
    [ascii("RIFF....WAVErest"), null],
    [ascii("<svg xmlns='http://www.w3.org/2000/svg'/>"), null],
    [ascii("\x89PN"), null],
    [ascii(`\x89PNG\r\n\x1a\n${"x".repeat(2 ** 20 - 8)}`), "image/png"],
    [ascii(`\x89PNG\r\n\x1a\n${"x".repeat(2 ** 20 - 7)}`), null],
  ];
  for (const [file, type] of images) {
    // The content type of the sender says nothing.
    const { email_id } = await mailWithFile(
      ...[test, owner, file as Uint8Array<ArrayBuffer>, type ? "text/plain" : "image/png"] as const,
    );
    const result = await getAttachment(test, owner.key, {
      ...{ email_id, attachment_id: "att_2", as: "image", max_chars: 2_000 },
    });
    if (type === null) {
      assert.equal(JSON.parse(result.content[0].text).error.code, "NO_TEXT");
      continue;
    }
    const [image, text] = result.content;
    assert.deepEqual(image, { type: "image", data: file.toBase64(), mimeType: type });
    assert.deepEqual(JSON.parse(text.text), result.structuredContent);
    assert.equal(result.structuredContent.text, "");
    assert.equal(await status(test, result.structuredContent.download_url), 200);
  }
});
