import assert from "node:assert/strict";
import type { SMTPServerOptions } from "smtp-server";
import { createOutboxMailer } from "../../../adapters/mailer/outbox.ts";
import { createSmtpMailer } from "../../../adapters/mailer/smtp.ts";
import { message, testMailer } from "./mailer_suite.ts";
import { type RelayScript, startSmtpRelay } from "./smtp_relay.ts";

testMailer("outbox mailer", () =>
  Promise.resolve({
    ...createOutboxMailer(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }));

testMailer("SMTP mailer", async () => {
  const relay = await startSmtpRelay();
  const mailer = createSmtpMailer(relay.url, "mx.agents.example");
  return {
    ...mailer,
    [Symbol.asyncDispose]: () => {
      mailer.close();
      return relay.close();
    },
  };
});

/** Sends one message to two recipients through a relay that does as scripted. */
async function sentThrough(script: RelayScript, query = "", options = {}) {
  await using relay = await startSmtpRelay(script, options);
  const mailer = createSmtpMailer(relay.url + query, "mx.agents.example");
  const result = await mailer.send(message("a@one.example", "b@two.example"));
  mailer.close();
  return {
    recipients: result.recipients.map(({ outcome }) => outcome),
    responses: result.recipients.map(({ response }) => response),
    taken: relay.taken,
  };
}

Deno.test("SMTP mailer: the relay gets a transaction for each recipient and every byte of the message", async () => {
  const { taken } = await sentThrough({});
  const byRecipient = taken.toSorted((a, b) => a.to[0] < b.to[0] ? -1 : 1);
  const whole = { raw: message().raw, secure: false };
  assert.deepEqual(byRecipient, [
    { from: "bounce+0@agents.example", to: ["a@one.example"], ...whole },
    { from: "bounce+1@agents.example", to: ["b@two.example"], ...whole },
  ]);
});

// SPEC: send.relay
Deno.test("SMTP mailer: 4xx is temporary and 5xx permanent, at MAIL, RCPT and DATA", async () => {
  for (const [code, outcome] of [[451, "temporary"], [550, "permanent"]] as const) {
    for (
      const script of [
        { mailFrom: () => code },
        { rcptTo: () => code },
        { data: () => code },
      ]
    ) {
      const result = await sentThrough(script);
      assert.deepEqual(result.recipients, [outcome, outcome], `${code} ${Object.keys(script)}`);
      assert.match(result.responses[0], new RegExp(`^${code} .*scripted ${code}`));
      assert.deepEqual(result.taken, []);
    }
  }
});

Deno.test("SMTP mailer: each recipient has its own outcome", async () => {
  const refuse = (code: number) => ({
    rcptTo: (address: string) => address === "b@two.example" ? code : "take" as const,
  });
  const forGood = await sentThrough(refuse(550));
  assert.deepEqual(forGood.recipients, ["sent", "permanent"]);
  const forNow = await sentThrough(refuse(450));
  assert.deepEqual(forNow.recipients, ["sent", "temporary"]);
  assert.deepEqual(forNow.taken.map(({ to }) => to), [["a@one.example"]]);
});

Deno.test("SMTP mailer: a connection cut in DATA is temporary and not tried again by itself", async () => {
  let times = 0;
  const result = await sentThrough({
    data: () => {
      times++;
      return "cut";
    },
  });
  assert.deepEqual([result.recipients, times], [["temporary", "temporary"], 2]);
});

Deno.test("SMTP mailer: a relay that is not there, or wants another login, is temporary", async () => {
  const relay = await startSmtpRelay();
  await relay.close();
  const mailer = createSmtpMailer(relay.url, "mx.agents.example");
  const { recipients, fault } = await mailer.send(message("a@one.example"));
  assert.equal(recipients[0].outcome, "temporary");
  assert.equal(recipients[0].response, "the connection to the relay failed");
  assert.match(fault ?? "", /ECONNREFUSED/);
  assert.equal(await mailer.check(), false);
  mailer.close();

  const needsLogin = { authOptional: false, allowInsecureAuth: true };
  const { recipients: refused } = await sentThrough({}, "", needsLogin);
  assert.deepEqual(refused, ["temporary", "temporary"]);
});

Deno.test("SMTP mailer: a relay that wants a login at MAIL is a fault for the operator, not an answer to a mail", async () => {
  await using relay = await startSmtpRelay({ mailFrom: () => 530 });
  const mailer = createSmtpMailer(relay.url, "mx.agents.example");
  const { recipients, fault } = await mailer.send(message("a@one.example"));
  assert.equal(recipients[0].outcome, "temporary");
  assert.equal(recipients[0].response, "the relay does not accept this service's login");
  assert.match(fault ?? "", /530/);
  relay.script = {};
  const later = await mailer.send(message("a@one.example"));
  assert.deepEqual([later.recipients[0].outcome, later.fault], ["sent", undefined]);
  mailer.close();
});

Deno.test("SMTP mailer: EHLO has the given name, and that of the URL if it has one", async () => {
  const names: string[] = [];
  const onMailFrom: SMTPServerOptions["onMailFrom"] = (_address, session, done) => {
    names.push(session.hostNameAppearsAs || "");
    done();
  };
  await using relay = await startSmtpRelay({}, { onMailFrom });
  for (const url of [relay.url, `${relay.url}?name=other.example`]) {
    const mailer = createSmtpMailer(url, "mx.agents.example");
    await mailer.send(message("a@one.example"));
    mailer.close();
  }
  assert.deepEqual(names, ["mx.agents.example", "other.example"]);
});

Deno.test("SMTP mailer: user and password of the URL are used, a wrong one is temporary", async () => {
  const options: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) =>
      password === "p@ss" ? callback(null, { user: username ?? "" }) : callback(new Error("wrong")),
  };
  await using relay = await startSmtpRelay({}, options);
  const withLogin = (login: string) =>
    createSmtpMailer(relay.url.replace("//", `//${login}@`), "mx.agents.example");
  for (const [login, outcome] of [["u:p%40ss", "sent"], ["u:other", "temporary"]] as const) {
    const mailer = withLogin(login);
    const { recipients } = await mailer.send(message("a@one.example"));
    assert.equal(recipients[0].outcome, outcome);
    mailer.close();
  }
  assert.deepEqual(relay.taken.map(({ user }) => user), ["u"]);
});

// SPEC: send.relay
Deno.test("SMTP mailer: STARTTLS is used where offered, and its certificate is checked", async () => {
  // Without a logger the server does not warn of its public test certificate.
  const offered = { disabledCommands: [], logger: false as const };
  const trusting = await sentThrough({}, "?tls.rejectUnauthorized=false", offered);
  assert.deepEqual([trusting.recipients, trusting.taken[0].secure], [["sent", "sent"], true]);
  const checking = await sentThrough({}, "", offered);
  assert.deepEqual([checking.recipients, checking.taken], [["temporary", "temporary"], []]);
});

Deno.test("SMTP mailer: a connection that the relay closed while idle costs no attempt", async () => {
  await using relay = await startSmtpRelay({}, { socketTimeout: 400 });
  const mailer = createSmtpMailer(relay.url, "mx.agents.example");
  for (let n = 0; n < 2; n++) {
    const { recipients } = await mailer.send(message("a@one.example"));
    assert.equal(recipients[0].outcome, "sent");
    // The relay closes the idle connection after 400 ms.
    await new Promise((done) => setTimeout(done, 600));
  }
  assert.equal(relay.taken.length, 2);
  mailer.close();
});

Deno.test("SMTP mailer: the relay's address is in the operator's log, and never shown to an account", async () => {
  const relay = await startSmtpRelay();
  await relay.close();
  const mailer = createSmtpMailer(relay.url.replace("//", "//user:secret@"), "mx.agents.example");
  const { recipients, fault } = await mailer.send(message("a@one.example"));
  mailer.close();
  assert.doesNotMatch(recipients[0].response, /127\.0\.0\.1|user|secret/);
  assert.match(fault ?? "", /127\.0\.0\.1/);
  assert.doesNotMatch(fault ?? "", /secret/);
});

/** Sends one message to three recipients in one transaction. */
async function sentTogether(script: RelayScript) {
  await using relay = await startSmtpRelay(script);
  const mailer = createSmtpMailer(relay.url, "mx.agents.example");
  const whole = message("a@one.example", "b@two.example", "c@three.example");
  const from = "bounce+all@agents.example";
  const result = await mailer.send({
    ...whole,
    envelopes: whole.envelopes.map(({ to }) => ({ from, to })),
  });
  mailer.close();
  return {
    recipients: result.recipients.map(({ recipient, outcome, response }) => [
      ...[recipient[0], outcome, response.slice(0, 3)],
    ]),
    taken: relay.taken.map(({ from, to }) => [from, ...to]),
  };
}

// SPEC: send.relay
Deno.test("SMTP mailer: recipients with one sender share a transaction, and each has its own outcome", async () => {
  const all = await sentTogether({});
  assert.deepEqual(all, {
    recipients: [["a", "sent", "250"], ["b", "sent", "250"], ["c", "sent", "250"]],
    taken: [["bounce+all@agents.example", "a@one.example", "b@two.example", "c@three.example"]],
  });
  const codes: Record<string, number> = { b: 550, c: 452 };
  const rcptTo = (address: string) => codes[address[0]] ?? "take" as const;
  const partly = await sentTogether({ rcptTo });
  assert.deepEqual(partly, {
    recipients: [["a", "sent", "250"], ["b", "permanent", "550"], ["c", "temporary", "452"]],
    taken: [["bounce+all@agents.example", "a@one.example"]],
  });
  // Also if the message is refused, and if nobody is left, and if the connection is lost.
  assert.deepEqual((await sentTogether({ rcptTo, data: () => 451 })).recipients, [
    ...[["a", "temporary", "451"], ["b", "permanent", "550"], ["c", "temporary", "452"]],
  ]);
  assert.deepEqual((await sentTogether({ rcptTo, data: () => 554 })).recipients, [
    ...[["a", "permanent", "554"], ["b", "permanent", "550"], ["c", "temporary", "452"]],
  ]);
  assert.deepEqual((await sentTogether({ rcptTo, data: () => "cut" })).recipients, [
    ...[["a", "temporary", "the"], ["b", "permanent", "550"], ["c", "temporary", "452"]],
  ]);
  codes.a = 450;
  assert.deepEqual((await sentTogether({ rcptTo })).recipients, [
    ...[["a", "temporary", "450"], ["b", "permanent", "550"], ["c", "temporary", "452"]],
  ]);
  assert.deepEqual((await sentTogether({ mailFrom: () => 451, rcptTo })).recipients, [
    ...[["a", "temporary", "451"], ["b", "temporary", "451"], ["c", "temporary", "451"]],
  ]);
});
