import assert from "node:assert/strict";
import { bouncedRecipients } from "../../../mime/body/delivery_report.ts";
import { ownMs } from "../../own_time.ts";
import { nightly } from "../../nightly.ts";

/** A delivery report as a mail host writes it, with the given status part. */
function report(status: string): Uint8Array {
  return new TextEncoder().encode([
    "From: Mail Delivery System <mailer-daemon@mx.example>",
    "To: agent@agents.example",
    "Subject: Undelivered Mail Returned to Sender",
    "Message-ID: <report-1@mx.example>",
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
    "Content-Type: text/rfc822-headers",
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

Deno.test("bouncedRecipients() finds the recipient written to, and why it failed", () => {
  const expected = [{
    addresses: ["ann@one.example", "ann@inner.one.example"],
    outcome: "permanent",
    status: "5.1.1",
    diagnostic: "550 5.1.1 <ann@inner.one.example> unknown user",
  }];
  assert.deepEqual(bouncedRecipients(report(failed)), expected);
});

Deno.test("bouncedRecipients() distinguishes a delay from a failure for each recipient", () => {
  const status = `${failed}

Final-Recipient: RFC822; <bo@two.example>
Action: Delayed (will retry)
Status: 4.4.1

Final-Recipient: rfc822; cy@three.example
Action: delivered
Status: 2.0.0`;
  const bounced = bouncedRecipients(report(status));
  assert.deepEqual(bounced.map(({ addresses, outcome }) => [...addresses, outcome]), [
    ["ann@one.example", "ann@inner.one.example", "permanent"],
    ["bo@two.example", "delayed"],
  ]);
});

Deno.test("bouncedRecipients() reads what some hosts write otherwise", () => {
  const read = (...fields: string[]) =>
    bouncedRecipients(report(`Reporting-MTA: dns; mx.example\n\n${fields.join("\n")}`)).map((
      { addresses, outcome, status },
    ) => [...addresses, outcome, status]);
  const to = "Final-Recipient: rfc822; bo@two.example";
  // Without Action the class of the status counts.
  assert.deepEqual(read(to, "Status: 5.2.2"), [["bo@two.example", "permanent", "5.2.2"]]);
  assert.deepEqual(read(to, "Status: 4.2.2"), [["bo@two.example", "delayed", "4.2.2"]]);
  assert.deepEqual(read(to, "Status: 2.0.0"), []);
  assert.deepEqual(read(to), []);
  // Every object of JavaScript has a property of this name.
  assert.deepEqual(read(to, "Action: constructor", "Status: 5.1.1"), []);
  // The answer of SMTP before the code, and a comment after the code or the address.
  const permanent = [["bo@two.example", "permanent", "5.1.1"]];
  assert.deepEqual(read(to, "Action: failed", "Status: 550 5.1.1"), permanent);
  assert.deepEqual(read(to, "Action: failed", "Status: 5.1.1 (bad mailbox)"), permanent);
  assert.deepEqual(read(`${to} (Bo Bee)`, "Action: failed", "Status: 5.1.1"), permanent);
  assert.deepEqual(
    read("Final-Recipient: rfc822;<bo@two.example> (Bo)", "Action: failed", "Status: 5.1.1"),
    permanent,
  );
});

Deno.test("bouncedRecipients() gives none for success, for other reports and for other mail", () => {
  assert.deepEqual(
    bouncedRecipients(report(failed.replace("Action: failed", "Action: delivered"))),
    [],
  );
  const text = new TextDecoder().decode(report(failed));
  const none = [
    text.replace("delivery-status;", "feedback-report;"),
    text.replace("message/delivery-status", "message/rfc822"),
    "From: a@one.example\r\n\r\nAction: failed\r\n",
    "",
  ];
  for (const other of none) {
    assert.deepEqual(bouncedRecipients(new TextEncoder().encode(other)), []);
  }
});

Deno.test("bouncedRecipients() reads the status whatever the message around it is called", () => {
  const text = new TextDecoder().decode(report(failed));
  const declared = 'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"';
  const [, body] = text.split(declared);
  const forms = {
    "no report-type": text.replace(" report-type=delivery-status;", ""),
    "a first part without a header": text.replace("Content-Type: text/plain\r\n\r\n", "\r\n"),
    "another multipart": text.replace("multipart/report;", "multipart/mixed;"),
    "a status without a type": text.replace("Content-Type: message/delivery-status\r\n", ""),
    "a status that is called text": text.replace("message/delivery-status", "text/plain"),
    "a status alone": text.replace(declared, "Content-Type: message/delivery-status")
      .replace(body, `\r\n\r\n${failed.replaceAll("\n", "\r\n")}\r\n`),
    "a report with a footer below it": text.replace(
      declared,
      `Content-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n${declared}`,
    ) + "\r\n--o\r\n\r\nChecked for viruses.\r\n--o--\r\n",
  };
  for (const [what, form] of Object.entries(forms)) {
    const found = bouncedRecipients(new TextEncoder().encode(form));
    assert.deepEqual(found.map(({ addresses, status }) => [addresses[0], status]), [
      ["ann@one.example", "5.1.1"],
    ], what);
  }
  // A report that somebody sends on is none.
  const sentOn = `Content-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n\r\nSee.\r\n--o\r\n` +
    `Content-Type: message/rfc822\r\n\r\n${text}\r\n--o--\r\n`;
  assert.deepEqual(bouncedRecipients(new TextEncoder().encode(sentOn)), []);
});

nightly("bouncedRecipients() reads 256 KiB of small parts fast", () => {
  const head = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n";
  const raw = new TextEncoder().encode(head + "--b\r\n\r\nx\r\n".repeat(25_000));
  // The least of five, so that other work of the machine does not count.
  const times = Array.from({ length: 5 }, () => {
    const begun = ownMs();
    assert.deepEqual(bouncedRecipients(raw), []);
    return ownMs() - begun;
  });
  assert.ok(Math.min(...times) < 100, `${Math.min(...times)} ms`);
});
