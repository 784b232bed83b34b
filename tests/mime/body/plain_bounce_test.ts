import assert from "node:assert/strict";
import { bouncedRecipients } from "../../../mime/body/delivery_report.ts";

const head =
  "From: MAILER-DAEMON@mx.example\r\nTo: agent@agents.example\r\nSubject: failure notice\r\n";
const copy = "\nReturn-Path: <agent@agents.example>\nTo: ann@one.example\n\nbo@two.example\n";

/** The recipients of a notice, each with its code. */
function read(text: string, fields = "") {
  const raw = `${head}${fields}\r\n${text.replaceAll("\n", "\r\n")}`;
  return bouncedRecipients(new TextEncoder().encode(raw))
    .map(({ addresses, outcome, status }) => [...addresses, outcome, status]);
}

const notices: Record<string, string> = {
  qmail: `Hi. This is the qmail-send program at mx.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@one.example>:
5.9.20.1 does not like recipient.
Remote host said: 550 5.1.1 <ann@one.example>: no such user
Giving up on 5.9.20.1.

--- Below this line is a copy of the message.
${copy}`,
  Exim: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@one.example
    host mx.one.example [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<ann@one.example>:
    550 5.1.1 no such user

------ This is a copy of the message, including all the headers. ------
${copy}`,
  Postfix: `This is the mail system at host mx.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

                   The mail system

<ann@one.example>: host mx.one.example[192.0.2.1] said: 550 5.1.1 no such
    user (in reply to RCPT TO command)
`,
  sendmail: `The original message was received at Fri, 27 Nov 2026 10:00:00 GMT

   ----- The following addresses had permanent fatal errors -----
<ann@one.example>
    (reason: 550 5.1.1 no such user)

   ----- Transcript of session follows -----
${copy}`,
  Exchange: `Your message did not reach some or all of the intended recipients.

      Subject: hello

The following recipient(s) could not be reached:

      'ann@one.example' on 27.11.2026 10:00
            The e-mail account does not exist at the organization.
            <mx.one.example #5.1.1 smtp;550 no such user>
`,
  Gmail: `Delivery to the following recipient failed permanently:

     ann@one.example

Technical details of permanent failure:
550 5.1.1 no such user

----- Original message -----
${copy}`,
};

Deno.test("a notice in the plain text of a mail host fails the recipients above the copy of the mail", () => {
  for (const [host, text] of Object.entries(notices)) {
    assert.deepEqual(read(text), [["ann@one.example", "permanent", "5.1.1"]], host);
  }
});

Deno.test("a code in a notice is no part of an IP address", () => {
  const text = notices.qmail.replace("550 5.1.1", "550");
  assert.deepEqual(read(text), [["ann@one.example", "permanent", null]]);
});

Deno.test("X-Failed-Recipients names those who failed, with or without words that are known", () => {
  const field = "X-Failed-Recipients: ann@one.example,\r\n <bo@two.example>\r\n";
  assert.deepEqual(read("Leider nicht zustellbar (5.1.1).\n", field), [
    ["ann@one.example", "permanent", "5.1.1"],
    ["bo@two.example", "permanent", "5.1.1"],
  ]);
  assert.equal(read(notices.Exim, "X-Failed-Recipients: ann@one.example\r\n").length, 1);
});

Deno.test("a warning that a mail is late, a vacation notice and a mail about a failure are no notice", () => {
  const others = [
    "This message was created automatically by mail delivery software.\n" +
    "A message that you sent has not yet been delivered to one or more of its\n" +
    "recipients after more than 24 hours on the queue.\n\n  ann@one.example\n",
    "   ----- The following addresses had transient non-fatal errors -----\n<ann@one.example>\n",
    "I am away until Monday. Please write to bo@two.example.\n",
    "My mail could not be delivered. Can you help?\n\nann@one.example\n",
    "",
  ];
  for (const text of others) assert.deepEqual(read(text), [], text);
});
