import PostalMime from "postal-mime";
import type { Mailer } from "../../../../domain/ports/mailer.ts";
import { createSmtpMailer } from "../../../../adapters/mailer/smtp.ts";
import { readWholeBlob } from "../../../../domain/store/blobs.ts";
import { storedEmail } from "../../../../domain/mail/record/read_email.ts";
import {
  type RelayScript,
  type SmtpRelay,
  startSmtpRelay,
} from "../../../adapters/mailer/smtp_relay.ts";
import {
  deliver,
  type TestAccount,
  type TestOptions,
  type TestService,
  testService,
} from "../../../service.ts";

/** The fields of a record that these tests use. */
export interface SentRecord {
  email_id: string;
  message_id: string;
  thread_id: string;
  mailbox_id: string;
  status: string;
  from: string;
  to: string[];
  cc: string[];
  subject: string;
  created_at: string;
}

/** A service that sends through a scripted SMTP server on loopback. */
export async function relayedService(
  script: RelayScript = {},
  options: TestOptions = {},
): Promise<{ test: TestService; relay: SmtpRelay } & AsyncDisposable> {
  const relay = await startSmtpRelay(script);
  const mailer: Mailer = createSmtpMailer(relay.url, "mx.agents.example");
  const test = await testService({ ...options, parts: { mailer, ...options.parts } });
  return {
    test,
    relay,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      mailer.close();
      await relay.close();
    },
  };
}

export async function post(
  test: TestService,
  owner: TestAccount,
  path: string,
  json: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  const response = await test.request(path, { json, token: owner.key, headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export async function send(
  test: TestService,
  owner: TestAccount,
  json: Record<string, unknown>,
): Promise<SentRecord> {
  const { status, body } = await post(test, owner, "/v1/api/emails/send", json);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data;
}

export async function reply(
  test: TestService,
  owner: TestAccount,
  emailId: string,
  json: Record<string, unknown>,
): Promise<SentRecord> {
  const { status, body } = await post(test, owner, `/v1/api/emails/${emailId}/reply`, json);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data;
}

// deno-lint-ignore no-explicit-any -- tests look at whatever came back
export async function shown(test: TestService, owner: TestAccount, path: string): Promise<any> {
  const response = await test.request(path, { token: owner.key });
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body.data;
}

/** The stored bytes of an email, read back by another parser than the one that wrote them. */
export async function storedMail(test: TestService, owner: TestAccount, emailId: string) {
  const email = await storedEmail(test.service.database, owner.userId, emailId);
  if (!email) throw new Error(`no email ${emailId}`);
  const raw = await readWholeBlob(test.service.database, email.raw);
  return { raw, mail: await PostalMime.parse(raw) };
}

/** The envelope sender with which the relay got the mail for a recipient. */
export function returnOf({ taken }: SmtpRelay, recipient: string): string {
  const found = taken.find(({ to }) =>
    to.some((each) => each.toLowerCase() === recipient.toLowerCase())
  );
  return found?.from ?? `nothing was sent to ${recipient}`;
}

/** A delivery report in the form of a mail host. */
export function report(messageId: string, recipient: string, action = "failed", n = 1): string {
  return `From: mailer-daemon@mx.example
To: agent@agents.test
Subject: Undelivered Mail Returned to Sender (${n})
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: text/plain

I am sorry.

--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; ${recipient}
Action: ${action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such user

--b1
Content-Type: text/rfc822-headers

Message-ID: ${messageId}

--b1--
`.replaceAll("\n", "\r\n");
}

/** Delivers a report from the null sender. */
export function bounceTo(test: TestService, address: string, raw: string) {
  return deliver(test, address, raw, { "x-envelope-from": "" });
}
