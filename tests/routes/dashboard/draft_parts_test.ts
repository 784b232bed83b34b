import assert from "node:assert/strict";
import { account, data, mailbox, testService } from "../../service.ts";

const html = "<p onclick=a()>Pay<script>a()</script><img src='https://evil.example/a.png'></p>";
const attachment = {
  ...{ filename: "Preis \u201cneu\u201d.html", content_type: "text/html" },
  content: btoa("<script>alert(1)</script>"),
};

// SPEC: dashboard.draft_parts
Deno.test("whoever approves a draft sees the HTML of exactly its content as mail is shown, and opens its attachments", async () => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const draft = await data(test.request("/v1/api/drafts", {
    token: owner.key,
    json: {
      ...{ mailbox_id, to: "ada@example.net", subject: "s", body_text: "The text." },
      ...{ body_html: html, attachments: [attachment] },
    },
  }));
  const path = `/api/drafts/${draft.draft_id}`;
  const shown = `${path}/html?content_hash=${draft.content_hash}`;
  const file = `${path}/attachments/${draft.attachments[0].sha256}`;
  const ask = (path: string, token = owner.accessToken) => test.request(path, { token });

  const answer = await ask(shown);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(answer.headers.get("content-security-policy")!, /default-src 'none'.* sandbox /);
  const document = await answer.text();
  assert.match(document, /<body data-blocked-images="1">\s*<p>Pay/);
  assert.doesNotMatch(document, /script|onclick|evil\.example/);
  assert.match(await (await ask(`${shown}&images=remote`)).text(), /https:\/\/evil\.example/);

  const download = await ask(file);
  assert.equal(download.status, 200);
  assert.equal(download.headers.get("content-type"), "application/octet-stream");
  assert.match(download.headers.get("content-disposition")!, /^attachment; .*Preis%20%E2%80%9Cneu/);
  assert.equal(download.headers.get("content-security-policy"), "sandbox; default-src 'none'");
  assert.equal(await download.text(), "<script>alert(1)</script>");

  const statuses = async (paths: string[], token?: string) =>
    await Promise.all(paths.map(async (each) => (await ask(each, token)).status));
  assert.deepEqual(await statuses([shown, file], stranger.accessToken), [404, 404]);
  assert.deepEqual(await statuses([shown, file], owner.key), [401, 401]);
  assert.deepEqual(
    await statuses([`${path}/html`, `${shown}&images=all`, `${file}?a=b`, `${path}/attachments/0`]),
    [400, 400, 400, 404],
  );
  await test.advance(2_000);
  const audit = await data(test.request("/api/audit?action=get_draft", {
    token: owner.accessToken,
  }));
  assert.equal(audit.length, 3);
  assert.equal(audit[0].mailbox_id, mailbox_id);

  const changed = { method: "PATCH", token: owner.key, json: { body_html: "<p>Pay me</p>" } };
  assert.equal((await test.request(`/v1${path}`, changed)).status, 200);
  assert.deepEqual(await statuses([shown, file]), [409, 200]);
  const ended = { method: "DELETE", token: owner.key };
  assert.equal((await test.request(`/v1${path}`, ended)).status, 200);
  assert.deepEqual(await statuses([shown, file]), [409, 409]);
});

// SPEC: dashboard.draft_parts
Deno.test("a draft without HTML shows its text, with the reason", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const draft = await data(test.request("/v1/api/drafts", {
    token: owner.key,
    json: { mailbox_id, to: "ada@example.net", subject: "s", body_text: "Only <b>text</b>." },
  }));
  const path = `/api/drafts/${draft.draft_id}/html?content_hash=${draft.content_hash}`;
  const shown = await (await test.request(path, { token: owner.accessToken })).text();
  assert.match(shown, /This draft has no HTML\. This is its text:/);
  assert.match(shown, /Only &lt;b&gt;text&lt;\/b&gt;\./);
});
