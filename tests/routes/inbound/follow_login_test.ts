import assert from "node:assert/strict";
import { unavailable } from "../../../domain/core/errors.ts";
import { account, data, mailbox, testService } from "../../service.ts";
import { eventually } from "../../eventually.ts";
import { connect } from "../oauth/connect.ts";
import { submitting, transaction } from "./submission.ts";

const ended = /^421 4\.7\.0 The key or the mailbox has ended/;

Deno.test("an idle session ends within a second after its key was revoked, and others go on", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  const made = { name: "mailer", scopes: ["emails:send"], mailboxIds: [box.email_address] };
  const { apiKey, keyId } = await data(
    test.request("/v1/api/keys", { token: owner.accessToken, json: made }),
  );
  const { talk } = await smtp.talk({ user: box.email_address, pass: apiKey });
  using _ = talk;
  const other = await smtp.talk();
  using _other = other.talk;
  await test.request(`/v1/api/keys/${keyId}`, { method: "DELETE", token: owner.accessToken });
  await test.advance(1_000);
  assert.match(await talk.rest(), ended);
  assert.equal(await talk.rest(), "", "the connection is closed");
  const from = box.email_address;
  const reply = await transaction(other.talk, from, ["ada@example.net"], [
    `From: ${from}`,
    "",
    "x",
  ]);
  assert.match(reply, /^250 2\.6\.0 taken/);
});

Deno.test("a session ends with its mailbox, the former address of this, and its app", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  const sessions: Record<string, Awaited<ReturnType<typeof smtp.talk>>["talk"]> = {};
  const second = await mailbox(test, owner), third = await mailbox(test, owner);
  const { access_token: pass, ...app } = await connect(test, owner, { mailboxIds: null });
  const logins = {
    deleted: { user: second.email_address, pass: owner.key },
    renamed: { user: third.email_address, pass: owner.key },
    app: { user: box.email_address, pass },
  };
  for (const [name, login] of Object.entries(logins)) {
    const { talk, reply } = await smtp.talk(login);
    assert.match(reply, /^235 /, name);
    sessions[name] = talk;
  }
  const call = (method: string, path: string, json?: unknown, token = owner.accessToken) =>
    test.request(path, { method, token, json });
  const isEnded = async (name: string) => {
    await test.advance(1_000);
    assert.match(await sessions[name].rest(), ended, name);
    sessions[name][Symbol.dispose]();
  };
  await call("DELETE", `/v1/api/mailboxes/${second.email_address}`, {
    confirm_email_address: second.email_address,
  });
  await isEnded("deleted");
  const renamed = { local_part: "new-name", domain: "agents.test" };
  await call("PATCH", `/api/mailboxes/${third.mailbox_id}`, renamed);
  await isEnded("renamed");
  const body = new URLSearchParams({ token: app.refresh_token });
  await test.request("/oauth/revoke", { method: "POST", body });
  await isEnded("app");
});

Deno.test("a session ends when its key expires", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  const json = { name: "a day", expirationDays: 1 };
  const { apiKey } = await data(
    test.request("/v1/api/keys", { token: owner.accessToken, json }),
  );
  await test.advance(86_400_000 - 60_000);
  const { talk } = await smtp.talk({ user: box.email_address, pass: apiKey });
  using _ = talk;
  await test.advance(59_000);
  assert.match(await talk.say("NOOP"), /^250 /);
  await test.advance(1_000);
  assert.match(await talk.rest(), ended);
});

Deno.test("a session ends within a second after another instance has revoked its key", async () => {
  // Two instances, of which the second revokes.
  await using test = await testService({ instances: 2 });
  await using smtp = await submitting(test);
  const { owner } = smtp;
  const { talk } = await smtp.talk();
  using _ = talk;
  for (let n = 0; n < 2; n++) {
    await test.request(`/v1/api/keys/${owner.keyId}`, {
      ...{ method: "DELETE", token: owner.accessToken },
    });
  }
  let said = "";
  void talk.rest().then((text) => said = text);
  await eventually("the session ends", () => {
    test.clock.advance(100);
    return said !== "";
  }, test.log);
  assert.match(said, ended);
});

Deno.test("a key that ends while a message is written ends the session with 421, and nothing is sent", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = box.email_address;
  await talk.say(`MAIL FROM:<${from}>`);
  await talk.say("RCPT TO:<ada@example.net>");
  await talk.say("DATA");
  await talk.send(`From: ${from}\r\n\r\nHel`);
  await test.request(`/v1/api/keys/${owner.keyId}`, {
    ...{ method: "DELETE", token: owner.accessToken },
  });
  await test.advance(1_000);
  await talk.send("lo.\r\n.\r\n");
  assert.match(await talk.rest(), /^421 4\.7\.0 /);
  const listed = await data(
    test.request("/v1/api/emails?direction=outbound", { token: owner.accessToken }),
  );
  assert.deepEqual(listed, []);
});

Deno.test("a message that is taken when its key ends has its reply before the session ends", async () => {
  // One instance: the test stops its parser.
  await using test = await testService({ instances: 1 });
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  const { parsing } = test.service;
  const parse = parsing.parse.bind(parsing);
  const from = box.email_address;
  const { talk } = await smtp.talk();
  using _ = talk;
  let isRevoked = false;
  parsing.parse = async (message) => {
    if (!isRevoked) {
      isRevoked = true;
      const answer = await test.request(`/v1/api/keys/${owner.keyId}`, {
        ...{ method: "DELETE", token: owner.accessToken },
      });
      assert.equal(answer.status, 200);
      test.clock.advance(1_000);
      await new Promise((done) => setTimeout(done, 50));
    }
    return await parse(message);
  };
  const reply = await transaction(talk, from, ["ada@example.net"], [`From: ${from}`, "", "Hi."]);
  assert.match(reply, /^250 2\.6\.0 taken/);
  assert.ok(isRevoked);
  const end = /421/.test(reply) ? reply : await talk.rest();
  assert.match(end, /421 4\.7\.0 The key or the mailbox has ended/);
});

Deno.test("a session goes on while the database does not answer", async () => {
  // One instance: its database fails.
  await using test = await testService({ instances: 1 });
  await using smtp = await submitting(test);
  const { talk } = await smtp.talk();
  using _ = talk;
  const { credentials } = test.service;
  const callerOf = credentials.callerOf.bind(credentials);
  let failures = 0;
  credentials.callerOf = () => {
    failures++;
    return Promise.reject(unavailable("The database does not answer."));
  };
  await test.advance(500);
  test.service.database.journal.wake(smtp.owner.userId);
  await eventually("it was looked at", () => failures > 0);
  credentials.callerOf = callerOf;
  await test.request(`/v1/api/keys/${smtp.owner.keyId}`, {
    ...{ method: "DELETE", token: smtp.owner.accessToken },
  });
  await test.advance(1_000);
  assert.match(await talk.rest(), ended);
});

Deno.test("an account has at most 100 connections that submit, and its neighbours have theirs", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const waits = Array.from(
    { length: 100 },
    () => test.service.waiting.begin(smtp.owner.userId, "submission", {}),
  );
  const refused = await smtp.talk();
  refused.talk[Symbol.dispose]();
  assert.match(refused.reply, /^451 4\.7\.1 /);
  const other = await account(test);
  const box = await mailbox(test, other);
  const { talk, reply } = await smtp.talk({ user: box.email_address, pass: other.key });
  talk[Symbol.dispose]();
  assert.match(reply, /^235 /);
  for (const wait of waits) wait[Symbol.dispose]();
  const again = await smtp.talk();
  again.talk[Symbol.dispose]();
  assert.match(again.reply, /^235 /);
});
