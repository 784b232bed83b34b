import assert from "node:assert/strict";
import { unreadBefore } from "../../../domain/mail/lifecycle/former_counts.ts";
import type { MailboxStats } from "../../../domain/mailboxes/mailbox_stats.ts";
import * as keys from "../../../domain/store/keys.ts";
import { RemoteKv } from "../../remote_kv/remote_kv.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestOptions,
  testService,
} from "../../service.ts";

async function world(options: TestOptions = {}) {
  const test = await testService(options);
  const owner = await account(test);
  const [one, two] = [await mailbox(test, owner), await mailbox(test, owner)];
  let n = 0;
  const comes = async (box = one) => {
    const raw = message({ Subject: `Mail ${++n}`, "Message-ID": `<m${n}@example.net>` });
    return (await deliver(test, box.email_address, raw)).email_id;
  };
  const call = (path: string, json?: unknown, method?: string) =>
    data(test.request(`/v1/api${path}`, { token: owner.key, json, method }));
  const mark = (id: string, is_read: boolean) => call(`/emails/${id}`, { is_read }, "PATCH");
  const listed = async () => {
    const answer = await test.request("/api/mailboxes", { token: owner.accessToken });
    return (await answer.json()).mailboxes;
  };
  const unread = async () =>
    (await listed()).map((each: { unread_count: number }) => each.unread_count);
  return {
    ...{ test, owner, one, two, comes, call, mark, listed, unread },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

// SPEC: dashboard.mailboxes
Deno.test("unread_count counts all received mail of a mailbox that is not marked read, as it is marked and deleted", async () => {
  await using w = await world();
  const { test, one, two, comes, call, mark, unread } = w;
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await comes());
  await comes(two);
  assert.deepEqual(await unread(), [5, 1]);
  await mark(ids[0], true);
  await mark(ids[0], true);
  assert.deepEqual(await unread(), [4, 1], "a mark counts once");
  await call("/emails/batch", { email_ids: ids.slice(0, 3), is_read: true, add_labels: ["a"] });
  assert.deepEqual(await unread(), [2, 1]);
  await mark(ids[0], false);
  await call(`/emails/${ids[1]}`, { add_labels: ["b"] }, "PATCH");
  assert.deepEqual(await unread(), [3, 1], "labels change nothing");
  await call(`/emails/${ids[0]}`, undefined, "DELETE");
  await call(`/emails/${ids[1]}`, undefined, "DELETE");
  assert.deepEqual(await unread(), [2, 1], "one of the two was unread");
  const mail = { mailbox_id: one.mailbox_id, to: two.email_address, body_text: "Hi." };
  const { email_id } = await call("/emails/send", mail);
  await test.settle();
  await mark(email_id, false);
  assert.deepEqual(await unread(), [2, 2], "sent mail is not counted, its copy is");
});

Deno.test("unread_count goes beyond the newest 500 mails of the account", async () => {
  await using w = await world({ instances: 1 });
  for (let n = 0; n < 20; n++) await w.comes();
  for (let n = 0; n < 500; n++) await w.comes(w.two);
  assert.deepEqual(await w.unread(), [20, 500]);
});

Deno.test("imported mail counts as unread unless its source says that it was read", async () => {
  await using w = await world();
  const { test, owner, one, unread } = w;
  for (const [n, isRead] of [true, false].entries()) {
    const answer = await test.request(
      `/v1/api/mailboxes/${one.mailbox_id}/import`,
      {
        ...{ method: "POST", token: owner.key },
        headers: { "content-type": "message/rfc822", "x-import-read": isRead ? "1" : "0" },
        body: message({ "Message-ID": `<i${n}@example.net>` }),
      },
    );
    assert.ok(answer.ok, await answer.text());
  }
  assert.deepEqual(await unread(), [1, 0]);
});

Deno.test("unread mail of two instances is counted, and marks of both", async () => {
  await using remote = new RemoteKv({ readMs: [1, 2], writeMs: [2, 4] });
  await using w = await world({ remote, instances: 2 });
  const ids = (await Promise.all(
    Array.from({ length: 6 }, async () => {
      const some: string[] = [];
      for (let n = 0; n < 8; n++) some.push(await w.comes());
      return some;
    }),
  )).flat();
  await w.test.settle();
  assert.equal((await w.unread())[0], 48);
  await Promise.all(ids.slice(0, 20).map((id) => w.mark(id, true)));
  assert.equal((await w.unread())[0], 28);
});

Deno.test("a store of schema version 5 gets the unread mail of each mailbox counted, and a run again changes nothing", async () => {
  await using w = await world({ instances: 1 });
  const { test, owner, one, two, comes, mark, unread, listed } = w;
  const empty = await mailbox(test, owner);
  const first = await comes();
  await comes();
  await comes(two);
  await mark(first, true);
  const { database } = test.service;
  const statsOf = ({ mailbox_id }: typeof one) => keys.mailboxStats(owner.userId, mailbox_id);
  for (const box of [one, two]) {
    const { unread: _unread, ...before } = (await database.get<MailboxStats>(statsOf(box)))!;
    await database.transact((tx) => tx.set(statsOf(box), before));
  }
  assert.deepEqual(await unread(), [0, 0, 0]);
  for (let run = 0; run < 2; run++) {
    await unreadBefore.run(database, test.clock.now());
    assert.deepEqual(await unread(), [1, 1, 0]);
  }
  assert.equal(await database.get(statsOf(empty)), null);
  await comes();
  assert.deepEqual(await unread(), [2, 1, 0]);
  assert.equal((await listed())[2].last_email_date, null);
});

Deno.test("a mailbox that has only sent mail has no last_email_date", async () => {
  await using w = await world();
  const mail = { mailbox_id: w.one.mailbox_id, to: "ann@one.example", body_text: "Hi." };
  await w.call("/emails/send", mail);
  const [{ email_count, last_email_date }] = await w.listed();
  assert.deepEqual([email_count, last_email_date], [0, null]);
});
