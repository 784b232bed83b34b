import assert from "node:assert/strict";
import { Hono } from "hono";
import { begin } from "../../../routes/http/begin.ts";
import { clientFinder } from "../../../routes/http/client.ts";
import { mountSes } from "../../../routes/inbound/providers/ses.ts";
import { Intake } from "../../../routes/http/bodies/intake.ts";
import { failure } from "../../../routes/http/failures.ts";
import {
  account,
  data,
  FakeClock,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";
import {
  certificate,
  certificateUrl,
  formPost,
  type Mail,
  mailgunFields,
  mailgunPost,
  type Post,
  postmarkPost,
  providerEnv,
  sendgridPost,
  sesMessage,
  sesPost,
  snsPost,
} from "./provider_posts.ts";
import type { Env } from "../../../routes/http/env.ts";

const start = Date.parse("2027-01-05T10:00:00.000Z");

// All tests share the service; the last one closes it.
const options = { sanitizeOps: false, sanitizeResources: false };

interface Setup extends AsyncDisposable {
  test: TestService;
  owner: TestAccount;
  box: { mailbox_id: string; email_address: string };
  /** URLs that the SES route fetched. */
  fetched: string[];
  /** What it gets. */
  certificate: { text: string };
  send(post: Post): Promise<Response>;
}

interface Shared {
  test: TestService;
  owner: TestAccount;
  fetched: string[];
  certificate: { text: string };
  ses: Hono<Env>;
}
let shared: Promise<Shared> | undefined;

async function open(): Promise<Shared> {
  const test = await testService({ env: providerEnv, parts: { clock: new FakeClock(start) } });
  const owner = await account(test);
  const fetched: string[] = [];
  const served = { text: certificate };
  const ses = new Hono<Env>();
  ses.use(begin(test.service, new Intake(test.service.clock), clientFinder(test.service)));
  ses.onError((error, c) => failure(c, error, test.service));
  mountSes(ses, test.service, (url) => {
    fetched.push(url);
    return Promise.resolve(served.text);
  });
  return { test, owner, fetched, certificate: served, ses };
}

/** A mailbox on the shared service, or (`fresh`) on one whose clock the test may move. */
async function setup(fresh = false): Promise<Setup> {
  const { test, owner, fetched, certificate, ses } = await (fresh ? open() : shared ??= open());
  const box = await mailbox(test, owner);
  return {
    test,
    owner,
    box,
    fetched,
    certificate,
    send: async ({ path, headers, body }) =>
      path === "/inbound/ses"
        ? await ses.request(path, { method: "POST", headers, body })
        : await test.request(path, { method: "POST", headers, body }),
    [Symbol.asyncDispose]: async () => {
      if (fresh) await test[Symbol.asyncDispose]();
    },
  };
}

async function rows({ test, owner, box }: Setup) {
  const path = `/v1/api/arrivals?limit=100&mailbox_id=${box.mailbox_id}`;
  const answer = await test.request(path, { token: owner.key });
  return (await answer.json()).data as {
    source: string;
    sender: string;
    disposition: string;
    code: string | null;
    email_id: string | null;
  }[];
}

async function rawOf({ test, owner }: Setup, emailId: string | null): Promise<Uint8Array> {
  const answer = await test.request(`/v1/api/emails/${emailId}/raw`, { token: owner.key });
  return await answer.bytes();
}

/** Eight-bit mail that is not UTF-8, with bytes that decoders often change. */
const eightBit = Uint8Array.from(
  [..."Subject: caf\xe9\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n\xff\xfe\x00 na\xefve\n+%41&\r\n"],
  (c) => c.charCodeAt(0),
);
const utf8 = new TextEncoder().encode("Subject: café\r\n\r\nnaïve\r\n");

const providers: { name: string; post: (mail: Mail) => Post; refused: number; raw: Uint8Array }[] =
  [
    { name: "mailgun", post: mailgunPost, refused: 406, raw: eightBit },
    { name: "sendgrid", post: sendgridPost, refused: 200, raw: eightBit },
    // JSON is text: Postmark itself does not keep eight-bit mail that is not UTF-8.
    { name: "postmark", post: postmarkPost, refused: 403, raw: utf8 },
    { name: "ses", post: sesPost, refused: 200, raw: eightBit },
  ];

Deno.test(
  "the verdict uses the facts of SES and SendGrid outside of the message, and no headers",
  options,
  async () => {
    await using it = await setup();
    const raw = new TextEncoder().encode(
      "Authentication-Results: mx; dmarc=pass\r\nReceived-SPF: pass\r\nFrom: ada@example.net\r\n\r\nHello.\r\n",
    );
    const findings = {
      form: { SPF: "pass", dkim: "{@evil.example : pass}" },
      receipt: { spfVerdict: { status: "PASS" }, dmarcVerdict: { status: "FAIL" } },
    };
    const verdicts: Record<string, unknown> = {};
    for (const { name, post } of providers) {
      const mail = { to: it.box.email_address, raw, now: start, findings, id: `auth-${name}` };
      const body = await (await it.send(post(mail))).json();
      await it.test.settle();
      const { email_id } = body.data.results[0];
      // The same bytes would be one email, so each provider gets different ones.
      raw[raw.length - 3]++;
      const path = `/v1/api/emails/${email_id}`;
      const { auth } = await data(it.test.request(path, { token: it.owner.key }));
      verdicts[name] = [auth.verdict, auth.spf, auth.dkim, auth.dmarc, auth.source].join(" ");
    }
    assert.deepEqual(verdicts, {
      mailgun: "none none none none checked",
      sendgrid: "pass pass pass none provider",
      postmark: "none none none none checked",
      ses: "fail pass none fail provider",
    });
  },
);

for (const { name, post, refused, raw } of providers) {
  // SPEC: inbound.providers
  Deno.test(
    `${name}: a message is stored byte for byte, with the envelope's sender and recipient`,
    options,
    async () => {
      await using it = await setup();
      const answer = await it.send(post({ to: it.box.email_address, raw, now: start }));
      const body = await answer.json();
      assert.equal(answer.status, 200);
      assert.deepEqual(body, {
        success: true,
        data: {
          results: [{
            recipient: it.box.email_address,
            disposition: "accepted",
            email_id: body.data.results[0].email_id,
          }],
        },
      });
      const [row] = await rows(it);
      assert.equal(row.source, name);
      assert.deepEqual(await rawOf(it, row.email_id), raw);
    },
  );

  // SPEC: inbound.provider_refusal
  Deno.test(
    `${name}: an unknown recipient is refused permanently with ${refused}`,
    options,
    async () => {
      await using it = await setup();
      const answer = await it.send(post({ to: "nobody@agents.test", raw, now: start }));
      assert.equal(answer.status, refused);
      const body = await answer.json();
      const results = refused === 200 ? body.data.results : body.error.details.results;
      assert.deepEqual(results, [{
        recipient: "nobody@agents.test",
        disposition: "rejected",
        code: "UNKNOWN_RECIPIENT",
      }]);
    },
  );

  // SPEC: inbound.provider_refusal
  Deno.test(
    `${name}: a malformed recipient is refused alone, and the others get the message`,
    options,
    async () => {
      await using it = await setup();
      const malformed = "no address@agents.test";
      const { email_address: to } = it.box;
      const answer = await it.send(post({ to: malformed, others: [to], raw, now: start }));
      assert.equal(answer.status, 200);
      const { results } = (await answer.json()).data;
      assert.deepEqual(results, [
        { recipient: to, disposition: "accepted", email_id: results[0].email_id },
        { recipient: malformed, disposition: "rejected", code: "UNKNOWN_RECIPIENT" },
      ]);
      assert.deepEqual(await rawOf(it, results[0].email_id), raw);
    },
  );

  // SPEC: inbound.unavailable
  Deno.test(
    `${name}: an error of the service is 503, and a retry delivers the message`,
    options,
    async () => {
      await using it = await setup(true);
      const { database } = it.test.service;
      const sent = post({ to: it.box.email_address, raw, now: start });
      const locked = () => Promise.reject(new Error("database is locked"));
      const { write } = database;
      const commit = Deno.AtomicOperation.prototype.commit;
      Deno.AtomicOperation.prototype.commit = locked;
      database.write = locked;
      const answer = await it.send(sent);
      Deno.AtomicOperation.prototype.commit = commit;
      database.write = write;
      assert.equal(answer.status, 503);
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
      await answer.body?.cancel();
      const again = await it.send(sent);
      assert.equal((await again.json()).data.results[0].disposition, "accepted");
    },
  );

  Deno.test(
    `${name}: a body changed by one byte, or no signature, is 401, and nothing is stored`,
    options,
    async () => {
      await using it = await setup();
      const sent = post({ to: it.box.email_address, raw, now: start });
      const unsigned = { ...sent, headers: { "content-type": sent.headers["content-type"] } };
      const forged = name === "ses"
        ? { ...sent, body: changed(sent.body, '"Message":"{') }
        : name === "mailgun"
        ? { ...sent, body: changed(sent.body, "token") }
        : name === "sendgrid"
        ? { ...sent, body: changed(sent.body, "naïve".slice(0, 2)) }
        : unsigned;
      const attempts = name === "ses" || name === "mailgun" ? [forged] : [forged, unsigned];
      for (const attempt of attempts) {
        const answer = await it.send(attempt);
        assert.equal(answer.status, 401);
        assert.equal((await answer.json()).error.code, "UNAUTHORIZED");
      }
      assert.deepEqual(await rows(it), []);
    },
  );

  // SPEC: inbound.providers
  Deno.test(`${name}: without its setting the route is 404`, options, async () => {
    await using test = await testService();
    const { path, headers, body } = post({ to: "agent@agents.test", raw, now: start });
    const answer = await test.request(path, { method: "POST", headers, body });
    assert.equal(answer.status, 404);
    await answer.body?.cancel();
  });
}

/** The same bytes, but the one after `text` is changed. */
function changed(body: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  const at = new TextDecoder("latin1").decode(body).lastIndexOf(text) + text.length + 30;
  const copy = new Uint8Array(body);
  copy[at] ^= 1;
  return copy;
}

Deno.test(
  "mailgun: a signature is valid for the 8 hours of Mailgun's retries, and not for a day",
  options,
  async () => {
    await using it = await setup(true);
    const sent = mailgunPost({ to: it.box.email_address, raw: eightBit, now: start });
    it.test.clock.advance(8 * 3_600_000);
    assert.equal((await it.send(sent)).status, 200);
    it.test.clock.advance(16 * 3_600_000);
    assert.equal((await it.send(sent)).status, 401);
  },
);

Deno.test("mailgun: a token delivers one message, however it is used again", options, async () => {
  await using it = await setup();
  const mail = { to: it.box.email_address, raw: eightBit, now: start };
  const fields = mailgunFields(mail);
  const path = "/inbound/mailgun";
  assert.equal((await it.send(formPost(path, fields))).status, 200);
  assert.equal((await it.send(formPost(path, fields))).status, 200);
  assert.equal((await it.send(formPost(path, { ...fields, "body-mime": utf8 }))).status, 401);
  const elsewhere = { ...fields, recipient: "nobody@agents.test" };
  assert.equal((await it.send(formPost(path, elsewhere))).status, 401);
  assert.deepEqual((await rows(it)).map(({ disposition }) => disposition), [
    "duplicate",
    "accepted",
  ]);
});

Deno.test("mailgun: a percent-encoded form gives the same bytes", options, async () => {
  await using it = await setup();
  const fields = mailgunFields({ to: it.box.email_address, raw: eightBit, now: start });
  const escape = (value: string | Uint8Array) =>
    Array.from(
      typeof value === "string" ? new TextEncoder().encode(value) : value,
      (byte) => byte === 0x20 ? "+" : `%${byte.toString(16).padStart(2, "0")}`,
    ).join("");
  const answer = await it.send({
    path: "/inbound/mailgun",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new TextEncoder().encode(
      Object.entries(fields).map(([name, value]) => `${name}=${escape(value)}`).join("&"),
    ),
  });
  assert.equal(answer.status, 200);
  assert.deepEqual(await rawOf(it, (await rows(it))[0].email_id), eightBit);
});

Deno.test(
  "sendgrid: a signature is valid for the 72 hours of SendGrid's retries, and not for a week",
  options,
  async () => {
    await using it = await setup(true);
    const sent = sendgridPost({ to: it.box.email_address, raw: eightBit, now: start });
    it.test.clock.advance(72 * 3_600_000);
    assert.equal((await it.send(sent)).status, 200);
    it.test.clock.advance(96 * 3_600_000);
    assert.equal((await it.send(sent)).status, 401);
  },
);

Deno.test(
  "sendgrid: a parse setting without the raw message is 503, because any 4xx would lose the mail",
  options,
  async () => {
    await using it = await setup();
    const sent = sendgridPost({ to: it.box.email_address, raw: new Uint8Array(), now: start });
    const at = new TextDecoder("latin1").decode(sent.body).indexOf('name="email"');
    assert.ok(at > 0);
    const answer = await it.send(sent);
    assert.notEqual(Math.floor(answer.status / 100), 4);
  },
);

Deno.test("postmark: the same MessageID is one delivery, whatever the bytes", options, async () => {
  await using it = await setup();
  const mail = { to: it.box.email_address, now: start };
  await it.send(postmarkPost({ ...mail, raw: utf8 }));
  const other = new TextEncoder().encode("Subject: retried\r\n\r\nother bytes\r\n");
  const again = await it.send(postmarkPost({ ...mail, raw: other }));
  assert.equal((await again.json()).data.results[0].disposition, "duplicate");
});

Deno.test(
  "postmark: without Return-Path the sender is that of Received-SPF, then that of From; only <> is the null sender",
  options,
  async () => {
    await using it = await setup();
    const spf = (text: string) => [{ Name: "Received-SPF", Value: text }];
    const said = "Pass (sender SPF authorized) identity=mailfrom; helo=mx.example.net; ";
    const full = { FromFull: { Email: "full@example.net", Name: "Ann" } };
    const cases: [given: object, sender: string][] = [
      [{ Headers: [{ Name: "Return-Path", Value: "<ann@example.net>" }], ...full }, "ann"],
      [{ Headers: spf(`${said}envelope-from=spf@example.net; receiver=x`), ...full }, "spf"],
      [{ Headers: spf(`${said}envelope-from="spf@example.net"`), ...full }, "spf"],
      [{ Headers: spf(said), ...full }, "full"],
      [{ ...full }, "full"],
      [{ Headers: [{ Name: "Return-Path", Value: "" }], FromFull: "?" }, "raw"],
      [{}, "raw"],
      [{ Headers: [{ Name: "return-path", Value: "<>" }], ...full }, ""],
      [{ Headers: spf(`${said}envelope-from=<>;`), ...full }, ""],
    ];
    for (const [n, [given, sender]] of cases.entries()) {
      const raw = new TextEncoder().encode(`From: raw@example.net\r\n\r\nMail ${n}.\r\n`);
      const post = postmarkPost({ to: it.box.email_address, raw, now: start, id: `sender-${n}` });
      const { Headers: _, ...rest } = JSON.parse(new TextDecoder().decode(post.body));
      const body = new TextEncoder().encode(JSON.stringify({ ...rest, ...given }));
      const { email_id } = (await (await it.send({ ...post, body })).json()).data.results[0];
      const [row] = await rows(it);
      const email = await data(
        it.test.request(`/v1/api/emails/${email_id}`, { token: it.owner.key }),
      );
      assert.deepEqual(
        [row.sender, email.automated],
        [sender && `${sender}@example.net`, sender === ""],
        JSON.stringify(given),
      );
    }
  },
);

for (const { name, post } of providers.filter((each) => each.name !== "postmark")) {
  Deno.test(
    `${name}: a sender in angle brackets is the address, <> the null sender`,
    options,
    async () => {
      await using it = await setup();
      for (const from of ["<>", "<ann@example.net>"]) {
        const raw = new TextEncoder().encode(`Subject: ${name} ${from}\r\n\r\nhi\r\n`);
        const mail = { to: it.box.email_address, raw, from, now: start, id: `${name} ${from}` };
        assert.equal((await it.send(post(mail))).status, 200);
      }
      const senders = (await rows(it)).map(({ sender }) => sender);
      assert.deepEqual(senders, ["ann@example.net", ""]);
    },
  );
}

for (const { name, post } of providers) {
  Deno.test(
    `${name}: a message to more than a hundred recipients is delivered`,
    options,
    async () => {
      await using it = await setup();
      const raw = new TextEncoder().encode(`Subject: many, ${name}\r\n\r\nhi\r\n`);
      const others = Array.from({ length: 120 }, (_, n) => `nobody${n}@elsewhere.test`);
      const mail = { to: it.box.email_address, others, raw, now: start, id: `many-${name}` };
      const answer = await it.send(post(mail));
      const { data: { results } } = await answer.json();
      assert.deepEqual([answer.status, results.length], [200, 121]);
      assert.equal(results[0].disposition, "accepted");
    },
  );
}

Deno.test("ses: a source that is null is the null sender", options, async () => {
  await using it = await setup();
  const raw = new TextEncoder().encode("Subject: no source\r\n\r\nhi\r\n");
  const message = sesMessage({ to: it.box.email_address, raw, now: start, id: "no source" });
  const received = JSON.parse(message.Message);
  const Message = JSON.stringify({ ...received, mail: { ...received.mail, source: null } });
  assert.equal((await it.send(snsPost({ ...message, Message }))).status, 200);
  assert.deepEqual((await rows(it)).map(({ sender }) => sender), [""]);
});

Deno.test(
  "ses: what is no certificate is 503 and fetched again for the next message",
  options,
  async () => {
    await using it = await setup(true);
    const post = sesPost({ to: it.box.email_address, raw: eightBit, now: start });
    it.certificate.text = "<h1>The proxy does not know you</h1>";
    assert.equal((await it.send(post)).status, 503);
    it.certificate.text = certificate;
    assert.equal((await it.send(post)).status, 200);
  },
);

Deno.test("ses: only certificates of SNS are fetched", options, async () => {
  await using it = await setup(true);
  const mail = { to: it.box.email_address, raw: eightBit, now: start };
  const urls = [
    "https://sns.eu-west-1.amazonaws.com.evil.example/c.pem",
    "https://evil.example/sns.eu-west-1.amazonaws.com/c.pem",
    "http://sns.eu-west-1.amazonaws.com/c.pem",
    "https://sns.eu-west-1.amazonaws.com@evil.example/c.pem",
    "https://sns.eu-west-1.amazonaws.com:8443/c.pem",
    "https://169.254.169.254/c.pem",
    "https://s3.eu-west-1.amazonaws.com/bucket/c.pem",
    "file:///etc/passwd",
    "not a url",
    "https://sns.eu-west-1.amazonaws.com/",
    "https://sns.eu-west-1.amazonaws.com/?Action=GetTopicAttributes&x=.pem",
    "https://sns.eu-west-1.amazonaws.com/c.pem?Action=GetTopicAttributes",
  ];
  for (const SigningCertURL of urls) {
    const answer = await it.send(snsPost({ ...sesMessage(mail), SigningCertURL }));
    assert.equal(answer.status, 401, SigningCertURL);
    await answer.body?.cancel();
  }
  assert.deepEqual(it.fetched, []);
});

Deno.test(
  "ses: a subscription of the topic in the settings is confirmed at SNS, another is not",
  options,
  async () => {
    await using it = await setup(true);
    const SubscribeURL =
      "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=0123";
    const confirmation = {
      ...sesMessage({ to: "x@agents.test", raw: utf8, now: start }),
      Type: "SubscriptionConfirmation" as const,
      Message: "You have chosen to subscribe.",
      Token: "0123",
      SubscribeURL,
    };
    const elsewhere = { ...confirmation, SubscribeURL: "https://evil.example/?Token=0123" };
    assert.equal((await it.send(snsPost(elsewhere))).status, 401);
    const foreign = { ...confirmation, TopicArn: "arn:aws:sns:eu-west-1:999999999999:mail" };
    assert.equal((await it.send(snsPost(foreign))).status, 401);
    assert.deepEqual(it.fetched, [certificateUrl]);
    assert.equal((await it.send(snsPost(confirmation))).status, 200);
    assert.deepEqual(it.fetched, [certificateUrl, SubscribeURL]);
  },
);

Deno.test(
  "ses: both signature versions are accepted, and a message of yesterday is not",
  options,
  async () => {
    await using it = await setup(true);
    const mail = { to: it.box.email_address, raw: eightBit, now: start };
    const one = snsPost({ ...sesMessage(mail), SignatureVersion: "1" });
    assert.equal((await it.send(one)).status, 200);
    it.test.clock.advance(25 * 3_600_000);
    assert.equal((await it.send(one)).status, 401);
  },
);

Deno.test(
  "ses: notifications without a message are 200, deliver nothing and are logged",
  options,
  async () => {
    await using it = await setup();
    const message = sesMessage({ to: it.box.email_address, raw: eightBit, now: start });
    const setupNote = JSON.stringify({ notificationType: "AMAZON_SES_SETUP_NOTIFICATION" });
    const broken = JSON.stringify({ ...JSON.parse(message.Message), content: "no base64!" });
    for (const Message of [setupNote, broken]) {
      const answer = await it.send(snsPost({ ...message, Message }));
      assert.deepEqual([answer.status, await answer.json()], [200, {
        success: true,
        data: { results: [] },
      }]);
    }
    const told = it.test.log.filter(({ event }) => event === "inbound.ses_without_message");
    assert.deepEqual(
      told.map(({ message_id }) => message_id),
      [message.MessageId, message.MessageId],
    );
  },
);

Deno.test("the shared service ends", options, async () => {
  await (await shared)?.test[Symbol.asyncDispose]();
});
