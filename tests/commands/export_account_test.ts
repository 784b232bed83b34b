import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { exportAccount } from "../../commands/export_mail.ts";
import { readMail } from "../../archives/read_mail.ts";
import { openSource } from "../../commands/import/mail_folder.ts";
import { createApp } from "../../routes/app.ts";
import { account, data, deliver, mailbox, message } from "../service.ts";
import { type TestAccount, type TestService, testService } from "../service.ts";

// deno-lint-ignore no-explicit-any -- records of emails
type Email = any;

const shaOf = (raw: Uint8Array) => createHash("sha256").update(raw).digest("hex");

/** Every record of the API with the SHA-256 of its original message, oldest first. */
async function emailsOf(test: TestService, owner: TestAccount, mailboxId: string) {
  const query = `mailbox_id=${mailboxId}&limit=100&order=asc`;
  const records: Email[] = await data(
    test.request(`/v1/api/emails?${query}`, { token: owner.key }),
  );
  const hashes = [];
  for (const { email_id } of records) {
    const raw = await test.request(`/v1/api/emails/${email_id}/raw`, { token: owner.key });
    hashes.push(shaOf(await raw.bytes()));
  }
  return { records, hashes };
}

/** The same from the folder of a mailbox: records, the manifest, and the hashes of the mbox's messages. */
async function exportedIn(folder: string) {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  assert.deepEqual(names, ["emails.jsonl", "mail.mbox", "manifest.json"]);
  const lines = (await Deno.readTextFile(join(folder, "emails.jsonl"))).split("\n").slice(0, -1);
  const manifest = JSON.parse(await Deno.readTextFile(join(folder, "manifest.json")));
  const hashes = [];
  // Compares each message with the manifest too.
  for await (const item of readMail(openSource(folder), { include: new Set() })) {
    assert.equal(item.kind, "message");
    if (item.kind === "message") hashes.push(shaOf(item.raw));
  }
  return { records: lines.map((line) => JSON.parse(line)), manifest, hashes };
}

/** Mail with lines that an mbox quotes, with bytes that are no text, and with a body of more than one chunk. */
function received(n: number): string {
  const bodies = [
    "From here on\r\n>From there\r\n",
    "no line end",
    "caf\u00e9 \u0000 bare\nLF\r\n\r\n\r\n",
    "A line of text. \r\n".repeat(8_000),
  ];
  const headers = { Subject: `Mail ${n}`, "Message-ID": `<account-${n}@example.net>` };
  return message(headers, bodies[n % bodies.length]);
}

// SPEC: command.export_account
Deno.test({
  name:
    "export --account writes every mailbox with all its mail, received and sent, and nothing of " +
    "another account; mail that is deleted meanwhile is left out, mail that arrives meanwhile is in it",
  sanitizeResources: false,
  async fn() {
    await using test = await testService();
    const app = createApp(test.service);
    let meanwhile: (url: string) => Promise<void> | undefined = () => undefined;
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async (request, info) => {
        await meanwhile(request.url);
        return await app.fetch(request, info);
      },
    );
    const out = await Deno.makeTempDir();
    try {
      const owner = await account(test);
      const boxes = [
        await mailbox(test, owner, "export-one"),
        await mailbox(test, owner, "export-two"),
        await mailbox(test, owner, "export-none"),
      ];
      const friend = await account(test);
      const foreign = await mailbox(test, friend, "export-other");
      await deliver(test, foreign.email_address, received(99));
      for (let n = 0; n < 10; n++) {
        await deliver(test, boxes[n % 2].email_address, received(n));
      }
      await data(test.request("/v1/api/emails/send", {
        token: owner.key,
        json: {
          mailbox_id: boxes[0].mailbox_id,
          to: [boxes[1].email_address, foreign.email_address],
          subject: "Sent",
          body_text: "From me\n",
        },
      }));
      await test.settle();
      const before: Awaited<ReturnType<typeof emailsOf>>[] = [];
      for (const { mailbox_id } of boxes) before.push(await emailsOf(test, owner, mailbox_id));
      assert.deepEqual(before.map(({ records }) => records.length), [6, 6, 0]);
      const gone = before[1].records[1];
      meanwhile = async (url) => {
        if (!url.endsWith(`${boxes[1].mailbox_id}/export`)) return;
        const deleted = await test.request(`/v1/api/emails/${gone.email_id}`, {
          method: "DELETE",
          token: owner.key,
        });
        assert.equal(deleted.status, 200);
        await deleted.body?.cancel();
        test.clock.advance(10);
        await deliver(test, boxes[1].email_address, received(50));
      };
      const options = {
        out,
        url: `http://127.0.0.1:${server.addr.port}`,
        key: owner.key,
        progress: { start: () => {}, at: () => {}, stop: () => {} },
        unreadable: (emailId: string) => assert.fail(emailId),
        waiting: () => assert.fail("no window is full"),
      };
      assert.deepEqual(await exportAccount(options), { mailboxes: 3, messages: 12 });
      meanwhile = () => undefined;
      await test.settle();
      const arrived = (await emailsOf(test, owner, boxes[1].mailbox_id)).records.at(-1);
      const addresses = boxes.map(({ email_address }) => email_address).sort();
      assert.deepEqual([...Deno.readDirSync(out)].map(({ name }) => name).sort(), addresses);
      before[1].records.splice(1, 1);
      before[1].hashes.splice(1, 1);
      for (const [i, { email_address }] of boxes.entries()) {
        const { records, hashes, manifest } = await exportedIn(join(out, email_address));
        if (i === 1) {
          assert.equal(records.pop().email_id, arrived.email_id);
          hashes.pop();
          manifest.pop();
        }
        assert.deepEqual(records, before[i].records, email_address);
        assert.deepEqual(hashes, before[i].hashes);
        assert.deepEqual(
          manifest,
          before[i].records.map(({ email_id, size }, n) => ({
            email_id,
            sha256: before[i].hashes[n],
            size,
          })),
        );
      }
      // Again into the same folder.
      assert.deepEqual(await exportAccount(options), { mailboxes: 3, messages: 12 });
      const { hashes } = await exportedIn(join(out, boxes[1].email_address));
      assert.deepEqual(hashes, (await emailsOf(test, owner, boxes[1].mailbox_id)).hashes);
    } finally {
      await server.shutdown();
      await Deno.remove(out, { recursive: true });
    }
  },
});
