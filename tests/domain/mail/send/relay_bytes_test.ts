import assert from "node:assert/strict";
import { isAscii } from "node:buffer";
import PostalMime from "postal-mime";
import { createSmtpMailer } from "../../../../adapters/mailer/smtp.ts";
import type { DkimKey } from "../../../../mime/compose/dkim.ts";
import { FakeDns } from "../../../adapters/dns/dns_fake.ts";
import { startSmtpRelay } from "../../../adapters/mailer/smtp_relay.ts";
import { dkimVerdict } from "../../../mime/compose/dkim_verdict.ts";
import { account, deliver, mailbox, testService } from "../../../service.ts";
import { addDomain, verifyDomain } from "../../custom_domains/domains.ts";
import { submitting } from "../../../routes/inbound/submission.ts";
import { post, shown } from "./sending.ts";

const head =
  "From: Ada <ada@example.net>\r\nTo: a@agents.test\r\nSubject: Grüße\r\nMIME-Version: 1.0\r\n";
const text = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n";
const eightBit = `${head}${text}Grüße\r\n`;
const longLine = `${head}${text}${"y".repeat(1_200)} Ende\r\n`;
const signed =
  `${head}Content-Type: multipart/signed; boundary=s; protocol="application/x"\r\n\r\n` +
  `--s\r\n${text}Grüße\r\n--s\r\nContent-Type: application/x\r\n\r\nx\r\n--s--\r\n`;

/** A service with a relay that takes bytes above 127 only if it says so. */
async function serviceWith(hide8BITMIME: boolean) {
  const relay = await startSmtpRelay({}, { hide8BITMIME });
  const mailer = createSmtpMailer(relay.url, "mx.agents.example");
  const dns = new FakeDns();
  const test = await testService({ parts: { mailer, dns } });
  return {
    ...{ test, relay, dns },
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      mailer.close();
      await relay.close();
    },
  };
}

/** The attached message as a relay got it: how it is declared, and what another parser reads. */
async function attachedTo(raw: Uint8Array) {
  const wire = new TextDecoder("latin1").decode(raw);
  const [, header = ""] = /\r\n(Content-Type: message\/rfc822[^]*?)\r\n\r\n/.exec(wire) ?? [];
  const { attachments } = await PostalMime.parse(raw, { forceRfc822Attachments: true });
  const bytes = new Uint8Array(attachments[0].content as ArrayBuffer);
  const inner = await PostalMime.parse(bytes);
  const longest = Math.max(...wire.split("\r\n").map((line) => line.length));
  return { wire, header, bytes, inner, longest, type: attachments[0].mimeType };
}

// SPEC: forward.attachment
// SPEC: send.seven_bits
Deno.test("a forward as attachment is in seven bits and short lines for a relay without 8BITMIME, and unchanged for another", async () => {
  for (const hides of [true, false]) {
    await using world = await serviceWith(hides);
    const { test, relay } = world;
    const owner = await account(test), box = await mailbox(test, owner);
    for (const original of [eightBit, longLine, signed]) {
      const { email_id } = await deliver(test, box.email_address, original);
      await test.settle();
      const path = `/v1/api/emails/${email_id}/forward`;
      const json = { to: "bo@one.example", as: "attachment", body_text: "see" };
      const { body: { data: sent } } = await post(test, owner, path, json);
      await test.settle();
      assert.equal((await shown(test, owner, `/v1/api/emails/${sent.email_id}`)).status, "sent");
      const got = await attachedTo(relay.taken.at(-1)!.raw);
      assert.ok(got.longest <= 998, `a line of ${got.longest}`);
      assert.doesNotMatch(got.header, /base64|quoted-printable/);
      if (hides) assert.ok(isAscii(relay.taken.at(-1)!.raw));
      // A signed part cannot be encoded anew: its message goes as a file.
      const isFile = original === signed && hides;
      assert.equal(got.type, isFile ? "application/octet-stream" : "message/rfc822");
      if (isFile || (original !== longLine && !hides)) {
        const lines = new TextDecoder().decode(got.bytes).replace(/\r?\n/g, "\r\n");
        assert.equal(lines.trimEnd(), original.trimEnd());
      }
      const { text: words } = await PostalMime.parse(original);
      assert.deepEqual([got.inner.subject, got.inner.text?.trim()], ["Grüße", words?.trim()]);
    }
  }
});

// SPEC: send.dkim
Deno.test("what a relay without 8BITMIME gets is signed as it is sent", async () => {
  await using world = await serviceWith(true);
  const { test, relay, dns } = world;
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  dns.publish("own.example", { txt: [domain.verification_token] });
  await verifyDomain(test, owner, domain);
  const box = await mailbox(test, owner, "agent-own", "own.example");
  const { email_id } = await deliver(test, box.email_address, eightBit);
  await test.settle();
  const json = { to: "bo@one.example", as: "attachment", body_text: "see" };
  await post(test, owner, `/v1/api/emails/${email_id}/forward`, json);
  await test.settle();
  const [{ value: key }] = await Array.fromAsync(test.kv.list<DkimKey>({ prefix: ["dkim_keys"] }));
  const raw = new TextDecoder("latin1").decode(relay.taken[0].raw);
  assert.deepEqual(dkimVerdict(key, raw), { domain: "own.example", body: true, signature: true });
  assert.equal(raw.match(/^DKIM-Signature:/gm)?.length, 1);
});

// SPEC: send.seven_bits
Deno.test("submitted mail of 8 bits is encoded anew for a relay without 8BITMIME; mail that is signed fails there, and says why", async () => {
  for (const hides of [true, false]) {
    await using world = await serviceWith(hides);
    const { test, relay } = world;
    await using smtp = await submitting(test);
    const states = async (content: string) => {
      const raw = content.replace("Ada <ada@example.net>", smtp.box.email_address);
      const envelope = { from: smtp.box.email_address, to: ["bo@one.example"] };
      await smtp.send({ envelope, raw });
      await test.settle();
      const [{ email_id }] = await smtp.emails();
      const { status, delivery } = await shown(test, smtp.owner, `/v1/api/emails/${email_id}`);
      return { status, response: delivery[0].response as string };
    };
    assert.equal((await states(eightBit)).status, "sent");
    const { raw } = relay.taken[0];
    assert.equal(isAscii(raw), hides);
    const { subject, text: words } = await PostalMime.parse(raw);
    assert.deepEqual([subject, words?.trim()], ["Grüße", "Grüße"]);
    const wire = new TextDecoder().decode(raw);
    assert.match(wire, /^Subject: =\?UTF-8\?B\?/m, "its header is ASCII for every relay");
    const { status, response } = await states(signed);
    assert.equal(status, hides ? "failed" : "sent");
    if (hides) assert.match(response, /^554 5\.6\.3 .*it is signed/);
  }
});
