import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../service.ts";
import type { TestService } from "../../service.ts";
import { mortalKv } from "../mailboxes/mortal_kv.ts";
import { walk, walked } from "./walk.ts";

// deno-lint-ignore no-explicit-any -- rows of the audit
type Row = any;

async function page(test: TestService, token: string, query = "") {
  const answer = await test.request(`/v1/api/audit?${query}`, { token });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${answer.status} ${JSON.stringify(body)}`);
  return body as { data: Row[]; meta: { has_more: boolean; next_cursor: string | null } };
}

/** All rows, newest first, page by page. */
async function all(test: TestService, token: string, query = "limit=100"): Promise<Row[]> {
  const rows = [];
  for (let cursor = "";;) {
    const { data, meta } = await page(test, token, query + cursor);
    rows.push(...data);
    assert.equal(meta.has_more, meta.next_cursor !== null);
    if (!meta.has_more) return rows;
    cursor = `&cursor=${meta.next_cursor}`;
  }
}

async function status(test: TestService, token: string, path: string): Promise<number> {
  const answer = await test.request(path, { token });
  await answer.body?.cancel();
  return answer.status;
}

// SPEC: audit.rows
Deno.test("a random walk leaves one row for each call that read, sent or changed something, and no other", async () => {
  await using test = await testService();
  const world = await walked(test);
  await test.advance(2_000);
  const before = (await all(test, world.owner.key)).length;
  const calls = Number(Deno.env.get("AUDIT_WALK") ?? 500);
  const expected = await walk(test, world, { calls, seed: 22 });
  await test.advance(2_000);
  const rows = await all(test, world.owner.key);
  const made = rows.slice(0, rows.length - before).reverse();
  assert.ok(expected.length > calls / 2 && expected.length < calls, String(expected.length));
  assert.deepEqual(
    made.map(({ audit_id: _id, at: _at, ...row }) => row),
    expected,
  );
  const ids = rows.map(({ audit_id }) => audit_id);
  assert.equal(new Set(ids).size, ids.length);
  const times = rows.map(({ at }) => at);
  assert.deepEqual(times, times.toSorted().reverse());
  assert.deepEqual(await all(test, world.owner.key, "limit=7"), rows);
});

// SPEC: audit.filters
Deno.test("the audit is filtered by email, key and action; a foreign email is 404, one that was deleted is not", async () => {
  await using test = await testService();
  const world = await walked(test);
  await walk(test, world, { calls: 60, seed: 7 });
  const { owner, received: [{ email_id }] } = world;
  const token = owner.key;
  await data(test.request(`/v1/api/emails/${email_id}`, { token }));
  await data(test.request(`/v1/api/emails/${email_id}`, { method: "DELETE", token }));
  await test.advance(2_000);
  const rows = await all(test, token);
  const expect = async (query: string, passes: (row: Row) => boolean) => {
    const wanted = rows.filter(passes);
    assert.ok(wanted.length > 0 && wanted.length < rows.length, query);
    assert.deepEqual(await all(test, token, query), wanted);
  };
  await expect(`email_id=${email_id}`, (row) => row.email_id === email_id);
  await expect(`key_id=${owner.keyId}`, (row) => row.actor.key_id === owner.keyId);
  await expect("action=get_email&limit=2", (row) => row.action === "get_email");
  assert.equal(rows[0].action, "delete_email");
  assert.deepEqual((await page(test, token, "action=none")).data, []);
  const stranger = await account(test);
  assert.equal(await status(test, stranger.key, `/v1/api/audit?email_id=${email_id}`), 404);
  assert.deepEqual(await all(test, stranger.key), []);
  assert.equal(await status(test, token, "/v1/api/audit?limit=101"), 400);
  assert.equal(await status(test, token, "/v1/api/audit?cursor=x"), 400);
  assert.equal(await status(test, token, "/v1/api/audit?email=x"), 400);
});

Deno.test("a cursor older than the audit ends the list, and one that holds no id is 400 in every list", async () => {
  await using test = await testService();
  const { key: token } = await account(test);
  const cursor = (...parts: unknown[]) => btoa(JSON.stringify(parts)).replaceAll("=", "");
  const ended = cursor("00000000-0000-7000-8000-000000000000");
  assert.deepEqual((await page(test, token, `cursor=${ended}`)).data, []);
  for (const path of ["audit", "emails", "drafts", "arrivals"]) {
    for (const id of ["", "a", "0199a1c2"]) {
      const asked = `/v1/api/${path}?cursor=${cursor(id)}`;
      assert.equal(await status(test, token, asked), 400, asked);
    }
  }
});

// SPEC: audit.scope
Deno.test("the audit requires audit:read, and a key limited to mailboxes sees the calls about these", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [one, other] = [await mailbox(test, owner), await mailbox(test, owner)];
  const { email_id } = await deliver(test, one.email_address, message());
  const hidden = await deliver(test, other.email_address, message());
  await test.settle();
  const keyOf = async (json: object) =>
    (await (await test.request("/v1/api/keys", { token: owner.accessToken, json })).json()).data ??
      (await Promise.reject(new Error("no key")));
  const blind = await keyOf({ name: "blind", scopes: ["emails:read"] });
  const limited = await keyOf({ name: "limited", mailboxIds: [one.mailbox_id] });
  for (const path of [email_id, hidden.email_id]) {
    await data(test.request(`/v1/api/emails/${path}`, { token: owner.key }));
  }
  await data(test.request("/v1/api/emails", { token: owner.key }));
  await test.advance(2_000);
  const refused = await test.request("/v1/api/audit", { token: blind.apiKey });
  const { error } = await refused.json();
  assert.deepEqual([refused.status, error.details], [403, { required_scope: "audit:read" }]);
  const seen = await all(test, limited.apiKey);
  assert.deepEqual(new Set(seen.map(({ mailbox_id }) => mailbox_id)), new Set([one.mailbox_id]));
  assert.deepEqual(seen.map(({ action }) => action), ["get_email", "create_mailbox"]);
  const { apiKey } = limited;
  assert.equal(await status(test, apiKey, `/v1/api/audit?email_id=${email_id}`), 200);
  assert.equal(await status(test, apiKey, `/v1/api/audit?email_id=${hidden.email_id}`), 404);
});

// SPEC: audit.own_commit
Deno.test("a call that changes something has its row in the commit of the change", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const token = owner.accessToken;
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  const other = await deliver(test, box.email_address, message({ Subject: "Other" }));
  await test.settle();
  const { mailbox_id } = box;
  const email = `/v1/api/emails/${email_id}`;
  const send = { mailbox_id, to: "ada@example.net", subject: "x", body_text: "x" };
  const calls: [action: string, method: string, path: string, json?: object][] = [
    ["update_email", "PATCH", email, { is_read: true }],
    ["update_emails", "POST", "/v1/api/emails/batch", { email_ids: [email_id], is_read: false }],
    ["send_email", "POST", "/v1/api/emails/send", send],
    ["reply_email", "POST", `${email}/reply`, { body_text: "x" }],
    ["claim_emails", "POST", `/v1/api/mailboxes/${mailbox_id}/claims`, {}],
    ["expect_code", "POST", "/v1/api/expectations", { mailbox_id, from_domain: "example.net" }],
    ["delete_email", "DELETE", `/v1/api/emails/${other.email_id}`],
    ["create_mailbox", "POST", "/v1/api/mailboxes", { generate: true }],
    ["rename_mailbox", "PATCH", `/api/mailboxes/${mailbox_id}`, {
      local_part: "another-name",
      domain: "agents.test",
    }],
    ["delete_mailbox", "DELETE", `/v1/api/mailboxes/${mailbox_id}`, {
      confirm_email_address: "another-name@agents.test",
    }],
    ["create_webhook", "POST", "/v1/api/webhooks", {
      url: "https://198.51.100.1/",
      events: ["api_key.created"],
    }],
    ["create_api_key", "POST", "/v1/api/keys", { name: "x" }],
    ["add_domain", "POST", "/api/domains", { domain: "own.example" }],
    ["end_other_sessions", "DELETE", "/api/auth/sessions"],
    ["logout", "POST", "/api/auth/logout"],
  ];
  // Nobody else writes, and waiting entries are not written because the clock stands still.
  const rowsNow = async () =>
    (await Array.fromAsync(test.kv.list<string>({ prefix: ["audit", owner.userId] })))
      .flatMap(({ value }) => JSON.parse(value) as unknown[][]);
  let count = (await rowsNow()).length;
  for (const [action, method, path, json] of calls) {
    if (action === "end_other_sessions") {
      await data(
        test.request("/api/auth/login", {
          json: { email: owner.email, password: owner.password },
        }).then((answer) => answer.ok ? Response.json({ data: 1 }) : answer),
      );
    }
    const answer = await test.request(path, { method, token, json });
    const text = await answer.text();
    assert.ok(answer.ok, `${action}: ${answer.status} ${text}`);
    const rows = await rowsNow();
    assert.equal(rows.length, ++count, action);
    assert.equal(rows.at(-1)![5], action);
  }
});

Deno.test("if the process is killed before the commit of a change there is neither the change nor a row, after it both", async () => {
  for (let commits = 0; commits < 4; commits++) {
    const kv = await Deno.openKv(":memory:");
    let owner, box;
    {
      await using test = await testService({ kv });
      owner = await account(test);
      box = await mailbox(test, owner);
    }
    const sent = async () => {
      const emails = await Array.fromAsync(kv.list({ prefix: ["emails", owner.userId] }));
      const rows = await Array.fromAsync(kv.list<string>({ prefix: ["audit", owner.userId] }));
      const calls = rows.flatMap(({ value }) => JSON.parse(value) as unknown[][]);
      return [emails.length, calls.filter((row) => row[5] === "send_email").length];
    };
    const mortal = mortalKv(kv, commits);
    {
      await using test = await testService({ kv: mortal.kv });
      await test.dispatcher.stop();
      const answer = await test.request("/v1/api/emails/send", {
        token: owner.key,
        json: { mailbox_id: box.mailbox_id, to: "a@example.net", subject: "x", body_text: "x" },
      });
      await answer.body?.cancel();
    }
    const [emails, rows] = await sent();
    assert.equal(emails, rows, `after ${commits} commits`);
    if (commits === 3) assert.equal(emails, 1);
    kv.close();
  }
});

// SPEC: audit.reads_in_time
Deno.test("reads share a row, which is written after 2 s, at a stop at once, and also after the disk was full", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  await mailbox(test, owner);
  const read = () => data(test.request("/v1/api/emails", { token: owner.key }));
  const stored = async () =>
    (await Array.fromAsync(test.kv.list<string>({ prefix: ["audit", owner.userId] })))
      .map(({ value }) => (JSON.parse(value) as unknown[][]).map((row) => row[5]));
  const made = ["create_mailbox"];
  for (let n = 0; n < 30; n++) await read();
  assert.deepEqual(await stored(), [made]);
  await test.advance(1_500);
  assert.deepEqual(await stored(), [made, Array(30).fill("list_emails")]);
  await read();
  await test.service.audit.flush();
  assert.deepEqual((await stored()).map((row) => row.length), [1, 30, 1]);
  // For one account, more entries than fit into a row, and further apart than a row allows.
  for (let n = 0; n < 130; n++) await read();
  await test.service.audit.flush();
  assert.deepEqual((await stored()).map((row) => row.length), [1, 30, 1, 100, 30]);
  const { database } = test.service;
  const transact = database.transact.bind(database);
  database.transact = () => Promise.reject(new Error("disk full"));
  await read();
  await test.advance(2_000);
  database.transact = transact;
  assert.deepEqual((await stored()).map((row) => row.length), [1, 30, 1, 100, 30]);
  await test.advance(2_000);
  assert.deepEqual((await stored()).map((row) => row.length), [1, 30, 1, 100, 30, 1]);
});

// SPEC: audit.kept
Deno.test("a call is shown for 90 days", async () => {
  await using test = await testService();
  const owner = await account(test);
  await mailbox(test, owner);
  await data(test.request("/v1/api/emails", { token: owner.key }));
  await test.advance(89 * 86_400_000);
  await data(test.request("/v1/api/emails", { token: owner.key }));
  await test.advance(2_000);
  const shown = async () => (await all(test, owner.key)).map(({ action }) => action);
  assert.deepEqual(await shown(), ["list_emails", "list_emails", "create_mailbox"]);
  await test.advance(86_400_000);
  assert.deepEqual(await shown(), ["list_emails"]);
});

Deno.test("attachments and the original message are downloads of one email", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(
    test,
    box.email_address,
    message(
      { "Content-Type": 'multipart/mixed; boundary="b"', "MIME-Version": "1.0" },
      "--b\n\nHello\n--b\nContent-Type: text/csv\nContent-Disposition: attachment\n\n1,2\n--b--\n",
    ),
  );
  await test.settle();
  const token = owner.key;
  const { attachment_ids } = await data(test.request(`/v1/api/emails/${email_id}`, { token }));
  const paths = [`attachments/${attachment_ids[0]}`, "raw", "attachments/none"];
  for (const path of paths) await status(test, token, `/v1/api/emails/${email_id}/${path}`);
  await test.advance(2_000);
  const rows = await all(test, token, `email_id=${email_id}`);
  assert.deepEqual(rows.map(({ action, count }) => [action, count]), [
    ["get_email_raw", 1],
    ["get_attachment", 1],
    ["get_email", 1],
  ]);
});
