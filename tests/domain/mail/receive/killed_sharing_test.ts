import assert from "node:assert/strict";
import { receive } from "../../../../domain/mail/receive/receive.ts";
import { sweepOrphans } from "../../../../domain/store/blobs.ts";
import { openEmbeddedIndex } from "../../../../adapters/search_index/embedded.ts";
import { account, mailbox, type TestAccount, testService } from "../../../service.ts";
import { mailDisagreements } from "../../../torture/mail_scan.ts";
import { mortalKv } from "../../mailboxes/mortal_kv.ts";

const message = (n: number) =>
  new TextEncoder().encode(`Subject: ${n}\r\n\r\n${"words ".repeat(30_000)}`);

Deno.test("a message to three accounts, and the end of its emails, survive a kill at any commit: every byte is referred to", async () => {
  const kv = await Deno.openKv(":memory:");
  const searchIndex = { ...openEmbeddedIndex({ path: null }), close: () => Promise.resolve() };
  const owners: TestAccount[] = [];
  const recipients: string[] = [];
  const boxes: string[] = [];
  {
    await using test = await testService({ kv, instances: 1, parts: { searchIndex } });
    for (let n = 0; n < 3; n++) {
      owners.push(await account(test));
      const box = await mailbox(test, owners[n]);
      recipients.push(box.email_address);
      boxes.push(box.mailbox_id);
    }
  }
  /** A process that dies at its commit `commits`, and one after it that starts as the service does and ends all work. */
  const killed = async (
    commits: number,
    work: (test: Awaited<ReturnType<typeof testService>>) => Promise<unknown>,
  ) => {
    {
      const mortal = mortalKv(kv, commits);
      await using test = await testService({
        kv: mortal.kv,
        instances: 1,
        parts: { searchIndex },
      });
      await mortal.settleOrDie(work(test).then(() => test.settle(), () => {}));
    }
    await using test = await testService({ kv, instances: 1, parts: { searchIndex } });
    await test.advance(1_000);
    await sweepOrphans(test.service.database, test.clock.now());
    return await mailDisagreements(kv);
  };
  const deliver = (n: number) => (test: Awaited<ReturnType<typeof testService>>) =>
    receive(test.service, {
      ...{ source: "smtp", sender: "a@example.net", recipients, facts: {}, ingestId: null },
      body: ReadableStream.from([message(n)]),
    });
  for (let commits = 0; commits < 9; commits++) {
    assert.deepEqual(await killed(commits, deliver(commits)), [], `delivery, commit ${commits}`);
  }
  for (const [n, owner] of owners.entries()) {
    for (let commits = 0; commits < 5; commits++) {
      const wrong = await killed(commits, async (test) => {
        const path = `/v1/api/mailboxes/${boxes[n]}`;
        const json = { confirm_email_address: recipients[n] };
        await test.request(path, { method: "DELETE", token: owner.key, json });
      });
      assert.deepEqual(
        wrong.filter((each) => !each.startsWith("usage of")),
        [],
        `mailbox ${n}, commit ${commits}`,
      );
    }
  }
  const blobs = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => String(key[0]));
  assert.deepEqual(blobs.filter((table) => table.startsWith("blob")), []);
  kv.close();
});
