import assert from "node:assert/strict";
import { readBounce } from "../../../mime/body/delivery_report.ts";
import { ownMs } from "../../own_time.ts";

interface Report {
  status: string;
  returned?: string;
  headers?: string;
}

/** A delivery report as a mail host writes it, with the given status part. */
function report({ status, returned = "text/rfc822-headers", headers = "" }: Report): Uint8Array {
  return new TextEncoder().encode([
    "From: Mail Delivery System <mailer-daemon@mx.example>",
    "To: agent@agents.example",
    "Subject: Undelivered Mail Returned to Sender",
    "Message-ID: <report-1@mx.example>",
    ...headers.split("\n").filter(Boolean),
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
    "",
    "--b1",
    "Content-Type: text/plain",
    "",
    "This is the mail system. Message-ID: <not-this@mx.example>",
    "",
    "--b1",
    "Content-Type: message/delivery-status",
    "",
    ...status.split("\n"),
    "",
    "--b1",
    `Content-Type: ${returned}`,
    "",
    "From: agent@agents.example",
    "Message-ID:",
    " <sent-1@agents.example>",
    "Subject: hello",
    "",
    "Message-ID: <in-the-body@evil.example>",
    "--b1--",
    "",
  ].join("\r\n"));
}

const failed = `Reporting-MTA: dns; mx.example

Original-Recipient: rfc822;ann@one.example
Final-Recipient: rfc822;ann@inner.one.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <ann@inner.one.example>
    unknown user`;

Deno.test("readBounce() finds the message, the recipient written to, and why it failed", async () => {
  const expected = {
    originalMessageId: "<sent-1@agents.example>",
    recipients: [{
      addresses: ["ann@one.example", "ann@inner.one.example"],
      outcome: "permanent",
      status: "5.1.1",
      diagnostic: "550 5.1.1 <ann@inner.one.example> unknown user",
    }],
  };
  for (const returned of ["text/rfc822-headers", "message/rfc822"]) {
    assert.deepEqual(await readBounce(report({ status: failed, returned })), expected, returned);
  }
});

Deno.test("readBounce() distinguishes a delay from a failure for each recipient", async () => {
  const status = `${failed}

Final-Recipient: RFC822; <bo@two.example>
Action: Delayed (will retry)
Status: 4.4.1

Final-Recipient: rfc822; cy@three.example
Action: delivered
Status: 2.0.0`;
  const bounce = await readBounce(report({ status }));
  assert.deepEqual(bounce?.recipients.map(({ addresses, outcome }) => [...addresses, outcome]), [
    ["ann@one.example", "ann@inner.one.example", "permanent"],
    ["bo@two.example", "delayed"],
  ]);
});

Deno.test("readBounce() uses In-Reply-To if the report returns no message", async () => {
  const headers = "In-Reply-To: <sent-2@agents.example>";
  const bounce = await readBounce(report({ status: failed, returned: "text/plain", headers }));
  assert.equal(bounce?.originalMessageId, "<sent-2@agents.example>");
});

Deno.test("readBounce() gives null for success, for other reports and for other mail", async () => {
  const delivered = failed.replace("Action: failed", "Action: delivered");
  assert.equal(await readBounce(report({ status: delivered })), null);
  const text = new TextDecoder().decode(report({ status: failed }));
  const encode = (changed: string) => new TextEncoder().encode(changed);
  assert.equal(
    await readBounce(encode(text.replace("delivery-status;", "feedback-report;"))),
    null,
  );
  assert.equal(
    await readBounce(encode(text.replace("multipart/report;", "multipart/mixed;"))),
    null,
  );
  assert.equal(await readBounce(encode("From: a@one.example\r\n\r\nAction: failed\r\n")), null);
  assert.equal(await readBounce(new Uint8Array()), null);
});

Deno.test("readBounce() reads 256 KiB of small parts fast", () => {
  const head = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n";
  const raw = new TextEncoder().encode(head + "--b\r\n\r\nx\r\n".repeat(25_000));
  // The least of five, so that other work of the machine does not count.
  const times = Array.from({ length: 5 }, () => {
    const begun = ownMs();
    assert.equal(readBounce(raw), null);
    return ownMs() - begun;
  });
  assert.ok(Math.min(...times) < 100, `${Math.min(...times)} ms`);
});
