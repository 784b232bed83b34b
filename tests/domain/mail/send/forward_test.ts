import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";
import { storedMail } from "./sending.ts";
import { callsOf, given } from "./drafts/approvals.ts";

const original = [
  'From: "Ada, L." <ada@example.net>',
  "To: agent@agents.test",
  "Subject: Re: WG: Figures =?utf-8?q?=E2=82=AC?=",
  "Message-ID: <f1@example.net>",
  "Date: Fri, 20 Nov 2026 09:00:00 +0000",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/html; charset=utf-8",
  "",
  "<html><body class=x><p>See <b>below</b>.</p></body></html>",
  "--b",
  'Content-Type: application/pdf; name="a.pdf"',
  "Content-Disposition: attachment; filename=a.pdf",
  "Content-Transfer-Encoding: base64",
  "",
  "JVBERi0=",
  "--b--",
  "",
].join("\r\n");

// SPEC: forward.inline
Deno.test("an inline forward quotes the email below the new text, with its attachments", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const { email_id } = await deliver(test, box.email_address, original);
  await test.settle();
  const path = `/emails/${email_id}/forward`;
  const json = { to: "Grace <grace@example.org>", body_text: "For <you>." };
  assert.equal((await callsOf(test, other).agent("POST", path, json)).status, 404);
  const sent = await given(agent("POST", path, json));
  assert.deepEqual([sent.subject, sent.to, sent.status], [
    "Fwd: Figures €",
    ["grace@example.org"],
    "stored",
  ]);
  const parent = await given(agent("GET", `/emails/${email_id}`));
  assert.notEqual(sent.thread_id, parent.thread_id);
  const { mail } = await storedMail(test, owner, sent.email_id);
  assert.equal(mail.inReplyTo, undefined);
  assert.match(
    mail.text!.replaceAll("\r\n", "\n"),
    /^For <you>\.\n\n-+ Forwarded message -+\nFrom: Ada, L\. <ada@example\.net>\nDate: Fri, 20 Nov 2026 09:00:00 GMT\nSubject: .*\nTo: agent@agents\.test\n\nSee below\./,
  );
  assert.match(
    mail.html!,
    /^<html><body class=x><div style="white-space: pre-wrap">For &lt;you&gt;/,
  );
  assert.match(mail.html!, /Ada, L\. &lt;ada@example\.net&gt;.*<p>See <b>below<\/b>/s);
  assert.deepEqual(mail.attachments.map(({ filename, mimeType }) => [filename, mimeType]), [
    ["a.pdf", "application/pdf"],
  ]);
  const bare = await given(agent("POST", path, { ...json, include_attachments: false }));
  assert.equal((await storedMail(test, owner, bare.email_id)).mail.attachments.length, 0);
});

Deno.test("an inline forward shows the pictures of the HTML in their places, also after its approval", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent, person, policy } = callsOf(test, owner);
  const picture = (id: string) =>
    `--b\r\nContent-Type: image/png; name=p.png\r\nContent-ID: ${id}\r\n\r\npng\r\n`;
  const { email_id } = await deliver(
    test,
    box.email_address,
    "From: ada@example.net\r\nContent-Type: multipart/related; boundary=b\r\n\r\n" +
      '--b\r\nContent-Type: text/html\r\n\r\n<img src="cid:p.1@x">\r\n' +
      `${picture("<p.1@x>")}${picture("<other@x>")}--b--\r\n`,
  );
  await test.settle();
  const path = `/emails/${email_id}/forward`;
  const placesOf = async (id: string) =>
    (await storedMail(test, owner, id)).mail.attachments.map((one) => [
      one.disposition,
      one.contentId,
    ]);
  const places = [["inline", "<p.1@x>"], ["attachment", undefined]];
  const sent = await given(agent("POST", path, { to: "a@b.example" }));
  assert.deepEqual(await placesOf(sent.email_id), places);
  await policy(box.mailbox_id, { approval: "always" });
  const { draft_id } = await given(agent("POST", path, { to: "a@b.example" }));
  const { content_hash } = await given(agent("GET", `/drafts/${draft_id}`));
  const approved = await given(person("POST", `/drafts/${draft_id}/approve`, { content_hash }));
  assert.deepEqual(await placesOf(approved.email_id), places);
});

// SPEC: forward.attachment
Deno.test("a forward as attachment has the original message, byte for byte", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  for (const raw of [original, message({ Subject: "Grüße" }, "Zeile ä\n.\n\nFrom x\n")]) {
    const { email_id } = await deliver(test, box.email_address, raw);
    await test.settle();
    const sent = await given(agent("POST", `/emails/${email_id}/forward`, {
      ...{ to: "grace@example.org", as: "attachment" },
    }));
    await test.settle();
    const email = await given(agent("GET", `/emails/${sent.email_id}`));
    const [attached] = email.attachments;
    assert.equal(attached.content_type, "message/rfc822");
    const download = await test.request(
      `/v1/api/emails/${sent.email_id}/attachments/${attached.attachment_id}`,
      { token: owner.key },
    );
    assert.equal(await download.text(), raw);
    const whole = await test.request(`/v1/api/emails/${sent.email_id}/raw`, { token: owner.key });
    const mail = await PostalMime.parse(await whole.arrayBuffer(), {
      forceRfc822Attachments: true,
    });
    assert.equal(mail.attachments[0].mimeType, "message/rfc822");
  }
});

Deno.test("the subject and the names of files of a forward are not cut inside a character", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const written = (text: string) => `=?utf-8?B?${new TextEncoder().encode(text).toBase64()}?=`;
  const smiles = "\u{1f600}".repeat(600);
  const raw = original
    .replace(/Subject: .*/, `Subject: ${written(`xx${smiles}`)}`)
    .replace("filename=a.pdf", `filename*=utf-8''x${encodeURIComponent(smiles.slice(0, 240))}`);
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  for (const as of ["inline", "attachment"]) {
    const json = { to: "a@b.example", as };
    const { email_id: sent } = await given(agent("POST", `/emails/${email_id}/forward`, json));
    const { subject, attachments } = await given(agent("GET", `/emails/${sent}`));
    assert.ok(subject.isWellFormed(), `the subject ${as}`);
    const [{ filename }] = attachments;
    assert.doesNotMatch(filename, /\ufffd/, `the name ${as}`);
    assert.ok(filename.isWellFormed(), `the name ${as}`);
  }
});

Deno.test("a key can forward only what it may read: emails:send alone is not enough", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  const made = await test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "x", scopes: ["emails:send"] },
  });
  const refused = await test.request(`/v1/api/emails/${email_id}/forward`, {
    token: (await made.json()).data.apiKey,
    json: { to: "a@b.example" },
  });
  assert.equal(refused.status, 403);
  assert.deepEqual((await refused.json()).error.details, { required_scope: "emails:read" });
});
