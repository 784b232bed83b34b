import assert from "node:assert/strict";
import { encodeCursor } from "../../../../../domain/core/cursor.ts";
import * as keys from "../../../../../domain/store/keys.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../../../service.ts";
import { exported, filled, type Line } from "./exported.ts";

// SPEC: export.pages
Deno.test("limit and after lead through all mail, each once, in the order in which it came into the store", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await filled(test, owner, 5);
  const first = await exported(test, owner.key, mailbox_id, "?limit=2");
  const second = await exported(test, owner.key, mailbox_id, `?limit=2&after=${first.next}`);
  assert.deepEqual([first.subjects, second.subjects], [["1", "2"], ["3", "4"]]);
  await deliver(test, email_address, message({ Subject: "6" }));
  const third = await exported(test, owner.key, mailbox_id, `?limit=2&after=${second.next}`);
  assert.deepEqual([third.subjects, third.next], [["5", "6"], null]);
  const none = encodeCursor([test.service.ids.timed(test.clock.now())]);
  const after = await exported(test, owner.key, mailbox_id, `?after=${none}`);
  assert.deepEqual([after.subjects, after.next], [[], null]);
});

// SPEC: export.pages
Deno.test("mail that is imported comes after every cursor that was given before, in the order of its import", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await filled(test, owner, 3);
  const { next } = await exported(test, owner.key, mailbox_id, "?limit=2");
  for (const [subject, date] of [["old", "1 Jan 2020"], ["older", "1 Jan 2010"]]) {
    const imported = await test.request(`/v1/api/mailboxes/${mailbox_id}/import`, {
      method: "POST",
      token: owner.key,
      headers: { "content-type": "message/rfc822" },
      body: message({ Subject: subject, Date: `${date} 10:00:00 +0000` }),
    });
    assert.equal(imported.status, 200, await imported.text());
    test.clock.advance(1);
  }
  await deliver(test, email_address, message({ Subject: "4" }));
  await test.advance(1_000);
  const rest = await exported(test, owner.key, mailbox_id, `?after=${next}`);
  assert.deepEqual(rest.subjects, ["3", "old", "older", "4"]);
  const whole: string[] = [];
  for (let after = "";;) {
    const page = await exported(test, owner.key, mailbox_id, `?limit=1${after}`);
    whole.push(...page.subjects);
    if (page.next === null) break;
    after = `&after=${page.next}`;
  }
  assert.deepEqual(whole, ["1", "2", "3", "old", "older", "4"]);
  const listed = await data(
    test.request(`/v1/api/emails?mailbox_id=${mailbox_id}&order=asc`, { token: owner.key }),
  );
  assert.deepEqual(
    listed.map(({ subject }: Line) => subject),
    ["older", "old", "1", "2", "3", "4"],
  );
});

// SPEC: export.pages
Deno.test("a page that ends with mail of this second waits, so that no cursor passes mail which is committed late", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const late = test.service.ids.timed(test.clock.now());
  await deliver(test, email_address, message({ Subject: "1" }));
  await deliver(test, email_address, message({ Subject: "2" }));
  const page = exported(test, owner.key, mailbox_id, "?limit=1");
  await test.settle();
  // As if its commit had waited for another.
  const { value } = await test.kv.get(keys.email(owner.userId, await firstId(test, owner)));
  const details = await test.kv.get(keys.emailDetails(owner.userId, await firstId(test, owner)));
  await test.service.database.transact((tx) => {
    tx.set(keys.email(owner.userId, late), value);
    tx.set(keys.emailDetails(owner.userId, late), details.value);
    tx.set(keys.emailByMailbox(owner.userId, mailbox_id, late), 0);
  });
  await test.advance(1_000);
  assert.deepEqual((await page).lines.map(({ email }) => email.email_id), [late]);
});

async function firstId(test: TestService, owner: TestAccount): Promise<string> {
  const [{ email_id }] = await data(
    test.request("/v1/api/emails?order=asc", { token: owner.key }),
  );
  return email_id;
}
