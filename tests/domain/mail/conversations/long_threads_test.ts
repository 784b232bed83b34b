import assert from "node:assert/strict";
import { receive } from "../../../../domain/mail/receive/receive.ts";
import { nightly } from "../../../nightly.ts";
import { account, data, mailbox, message, testService } from "../../../service.ts";

/** The rows that requests read of the database, in a conversation of `size` messages, and how often. */
async function rowsRead(size: number) {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const raw = (n: number) =>
    message({
      ...{ Subject: n ? "Re: Plan" : "Plan", "Message-ID": `<m${n}@example.net>` },
      From: `P <p${n % 7}@example.net>`,
      ...n > 0 && { "In-Reply-To": "<m0@example.net>", Cc: "p0@example.net" },
    }, `Words of mail ${n}.\n`);
  const arrive = (n: number) =>
    receive(test.service, {
      ...{ source: "smtp", sender: "a@example.net", recipients: [box.email_address] },
      ...{ ingestId: null, facts: {}, body: new Blob([raw(n)]).stream() },
    });
  await arrive(0);
  for (let n = 1; n < size; n += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, size - n) }, (_, k) => arrive(n + k)),
    );
    await test.advance(1_000);
  }
  const { database } = test.service;
  const { list, getMany, get } = database;
  let rows = 0;
  database.list = (async function* (selector, options) {
    for await (const row of list.call(database, selector, options)) {
      rows++;
      yield row;
    }
  }) as typeof list;
  database.getMany = ((some: Deno.KvKey[]) => {
    rows += some.length;
    return getMany.call(database, some);
  }) as typeof getMany;
  database.get = ((key: Deno.KvKey) => {
    rows++;
    return get.call(database, key);
  }) as typeof get;
  const counted = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
    rows = 0;
    const found = await work();
    return [rows, found];
  };
  const ask = (path: string) => data(test.request(`/v1/api${path}`, { token: owner.key }));
  const [listed, [thread]] = await counted(() => ask("/threads?limit=1"));
  assert.equal(thread.email_count, Math.min(1_000, size));
  const [arrived] = await counted(async () => {
    await arrive(size);
    await test.settle();
  });
  const [{ email_id }] = await ask("/emails?limit=1");
  const [email] = await counted(() => ask(`/emails/${email_id}`));
  const [page] = await counted(() => ask(`/threads/${thread.thread_id}?limit=10`));
  const [pages, all] = await counted(async () => {
    const found: object[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const whole: { thread: object[]; next_cursor: string | null } = await ask(
        `/threads/${thread.thread_id}?limit=500${cursor && `&cursor=${cursor}`}`,
      );
      found.push(...whole.thread);
      cursor = whole.next_cursor;
    }
    return found.length;
  });
  assert.equal(all, size + 1);
  return { listed, arrived, email, page, pages };
}

nightly(
  "an arrival into a long conversation reads as little as into a short one, and its pages read linearly",
  async () => {
    const short = await rowsRead(100), long = await rowsRead(2_000);
    assert.ok(long.arrived <= short.arrived + 10, `${long.arrived} rows for an arrival`);
    assert.ok(long.email <= short.email + 10, `${long.email} rows for an email`);
    // `waiting_for` goes by the newest thousand.
    assert.ok(long.page <= short.page + 1_000, `${long.page} rows for a page of ten`);
    assert.ok(long.listed <= 4 * 2_000, `${long.listed} rows for the list`);
    assert.ok(long.pages <= 8 * 2_000, `${long.pages} rows for all pages`);
  },
);
