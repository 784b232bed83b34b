import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { byKey, outcomeOf } from "../../archives/delivery.ts";
import { exportMail } from "../../commands/export_mail.ts";
import { importMail } from "../../commands/import/import_mail.ts";
import { lifelikeMail, messageOf } from "../browser/lifelike/mail.ts";
import { createApp } from "../../routes/app.ts";
import { account, data, deliver, mailbox, type TestAccount, testService } from "../service.ts";
import type { TestService } from "../service.ts";

// deno-lint-ignore no-explicit-any -- records of emails
type Record = any;

const progress = { start: () => {}, at: () => {}, stop: () => {} };
const queries = ["invoice", "atlas", "verification code", "your order", "password", "thank you"];

/** What an owner sees of a mailbox; emails are named by the hash of their bytes. */
async function seenOf(test: TestService, { key }: TestAccount, mailboxId: string) {
  const records: Record[] = [];
  for (let cursor = "";;) {
    const path = `/v1/api/emails?mailbox_id=${mailboxId}&limit=100&order=asc${cursor}`;
    const { data, meta } = await (await test.request(path, { token: key })).json();
    records.push(...data);
    if (!meta.has_more) break;
    cursor = `&cursor=${meta.next_cursor}`;
  }
  const names = new Map<string, string>();
  for (const { email_id } of records) {
    const raw = await test.request(`/v1/api/emails/${email_id}/raw`, { token: key });
    names.set(email_id, createHash("sha256").update(await raw.bytes()).digest("hex").slice(0, 12));
  }
  const hits = [];
  for (const query of queries) {
    const json = { query, mailbox_id: mailboxId, limit: 20 };
    const { results } = await (await test.request("/v1/api/search", { token: key, json })).json();
    hits.push(results.map(({ email_id }: Record) => names.get(email_id)).sort());
  }
  const threads = Map.groupBy(records, ({ thread_id }) => thread_id).values()
    .map((some) => some.map(({ email_id }) => names.get(email_id)).sort().join());
  return {
    emails: records.map(({ email_id, is_read, labels, direction, received_at, snippet }) => ({
      ...{ name: names.get(email_id), is_read, direction, received_at, snippet },
      labels: labels.filter((label: string) => label !== "imported"),
    })),
    threads: [...threads].sort(),
    hits,
  };
}

/** A mailbox as it becomes in use: received, sent and imported mail, conversations, labels, some of it read. */
async function used(test: TestService) {
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const folder = new URL("../mail_corpus/", import.meta.url);
  for (const kind of [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory)) {
    const files = [...Deno.readDirSync(new URL(`${kind.name}/`, folder))]
      .filter(({ name }) => name.endsWith(".eml")).map(({ name }) => name).sort().slice(0, 3);
    for (const name of files) {
      const raw = await Deno.readFile(new URL(`${kind.name}/${name}`, folder));
      await deliver(test, box.email_address, raw);
      test.clock.advance(1_000);
    }
  }
  for (const n of lifelikeMail.keys()) {
    await deliver(test, box.email_address, messageOf(n, box.email_address, test.clock.now()));
    test.clock.advance(1_000);
  }
  await test.settle();
  const emails: Record[] = await data(
    test.request("/v1/api/emails?limit=100", { token: owner.key }),
  );
  for (const [n, { email_id }] of emails.entries()) {
    if (n % 3 === 0) {
      await test.request(`/v1/api/emails/${email_id}`, {
        method: "PATCH",
        token: owner.key,
        json: { is_read: true, ...n % 2 === 0 ? { add_labels: [`label-${n % 5}`, "kept"] } : {} },
      });
    }
    if (n % 9 !== 0) continue;
    test.clock.advance(1_000);
    const json = { body_text: `Answer ${n}, thank you.` };
    const sent = await test.request(`/v1/api/emails/${email_id}/reply`, { token: owner.key, json });
    assert.ok([201, 400, 422].includes(sent.status), await sent.text());
  }
  const old = await test.request(`/v1/api/mailboxes/${box.mailbox_id}/import`, {
    method: "POST",
    token: owner.key,
    headers: {
      "content-type": "message/rfc822",
      "x-import-labels": "from-before",
      "x-import-received-at": "2019-02-03T04:05:06Z",
    },
    body: "From: Old Friend <friend@example.net>\r\nSubject: Old\r\n\r\nYour old invoice\r\n",
  });
  assert.equal(old.status, 200);
  await test.advance(2_000);
  return { owner, box };
}

/** Brings a file or folder into a mailbox, as the command does. */
async function brought(test: TestService, { key }: TestAccount, mailboxId: string, path: string) {
  const { total, notes } = await importMail({
    path,
    target: [crypto.randomUUID()],
    progress,
    async post(message) {
      const { path, ...delivery } = byKey(mailboxId, message);
      const answer = await test.request(path, { method: "POST", token: key, ...delivery });
      const body = await answer.json();
      return outcomeOf(answer.status, body) ?? assert.fail(JSON.stringify(body));
    },
  });
  await test.advance(2_000);
  return { ...total, notes };
}

// SPEC: export.round_trip
Deno.test({
  name:
    "export, then import into an empty service, gives equal bytes, labels, read state, times, directions, threads and hits",
  sanitizeResources: false,
  async fn(t) {
    await using test = await testService({ instances: 1 });
    const { owner, box } = await used(test);
    const before = await seenOf(test, owner, box.mailbox_id);
    assert.ok(before.emails.length > 80, `${before.emails.length}`);
    assert.ok(before.hits.every((hits) => hits.length > 0), JSON.stringify(before.hits));
    assert.ok(before.threads.some((thread) => thread.includes(",")));
    assert.ok(before.emails.some(({ direction }) => direction === "outbound"));
    const folder = await Deno.makeTempDir();
    const stateHome = Deno.env.get("XDG_STATE_HOME");
    Deno.env.set("XDG_STATE_HOME", join(folder, "state"));
    const app = createApp(test.service);
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request, info) => app.fetch(request, info),
    );
    const out = join(folder, "out"), file = join(folder, "mail.ndjson");
    await exportMail({
      mailbox: box.email_address,
      out,
      url: `http://127.0.0.1:${server.addr.port}`,
      key: owner.key,
      progress,
      unreadable: (emailId) => assert.fail(emailId),
      waiting: () => assert.fail("no window is full"),
    });
    const lines = await test.request(`/v1/api/mailboxes/${box.mailbox_id}/export`, {
      token: owner.key,
    });
    await Deno.writeFile(file, await lines.bytes());
    await server.shutdown();
    for (const path of [out, file]) {
      await t.step(
        path === out ? "the folder of the command" : "the lines of the route",
        async () => {
          await using empty = await testService({ instances: 1 });
          // A time in the future would become now.
          await empty.advance(86_400_000);
          const heir = await account(empty);
          const { mailbox_id } = await mailbox(empty, heir);
          const result = await brought(empty, heir, mailbox_id, path);
          assert.deepEqual(
            [result.accepted, result.refused, result.leftOut, result.notes],
            [before.emails.length, 0, 0, []],
          );
          assert.deepEqual(await seenOf(empty, heir, mailbox_id), before);
          const again = await brought(empty, heir, mailbox_id, path);
          assert.deepEqual([again.accepted, again.duplicates], [0, before.emails.length]);
        },
      );
    }
    if (stateHome === undefined) Deno.env.delete("XDG_STATE_HOME");
    else Deno.env.set("XDG_STATE_HOME", stateHome);
    await Deno.remove(folder, { recursive: true });
  },
});
