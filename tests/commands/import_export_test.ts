import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { exportMail } from "../../commands/export_mail.ts";
import type { Counts } from "../../archives/bring.ts";
import { tokenPost } from "../../commands/import/by_token.ts";
import { importMail } from "../../commands/import/import_mail.ts";
import type { Progress } from "../../commands/progress.ts";
import { createApp } from "../../routes/app.ts";
import {
  account,
  inboundToken,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../service.ts";

/** A progress bar that records its calls. */
class Kept implements Progress {
  total = 0;
  positions: number[] = [];
  stopped = false;
  start(total: number | null) {
    this.total = total ?? 0;
  }
  at(position: number) {
    this.positions.push(position);
  }
  stop() {
    this.stopped = true;
  }
}

function listen(test: TestService) {
  const app = createApp(test.service);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request, info) => app.fetch(request, info),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

interface Brought extends Counts {
  /** What was not taken. */
  notes: string[];
  bar: Kept;
}

async function bring(
  url: string,
  path: string,
  to: string,
  token = inboundToken,
): Promise<Brought> {
  const bar = new Kept();
  const post = tokenPost(url, token, to);
  const { total, notes } = await importMail({ path, target: [url, to], post, progress: bar });
  return { ...total, notes, bar };
}

/** Subject, thread id and SHA-256 of every email, oldest first. */
async function emailsOf(test: TestService, owner: TestAccount) {
  await test.settle();
  const list = await test.request("/v1/api/emails?limit=100&order=asc", { token: owner.key });
  const emails: { subject: string; thread: string; sha256: string }[] = [];
  for (const { email_id, subject, thread_id } of (await list.json()).data) {
    const raw = await test.request(`/v1/api/emails/${email_id}/raw`, { token: owner.key });
    const sha256 = createHash("sha256").update(await raw.bytes()).digest("hex");
    emails.push({ subject, thread: thread_id, sha256 });
  }
  return emails;
}

const dateOf = (hour: number) => `Fri, 20 Nov 2020 1${hour}:00:00 +0000`;

/** Messages that are difficult for an mbox: lines with From, no final line end, bare LF, 8-bit bytes. */
const mails: Uint8Array[] = [
  message(
    { Subject: "1", "Message-ID": "<1@x.net>", Date: dateOf(1) },
    "From here on\n\n>From there\n",
  ),
  message(
    { Subject: "2", "Message-ID": "<2@x.net>", "In-Reply-To": "<1@x.net>", Date: dateOf(2) },
    "no line end",
  ),
  `From: ada@example.net\nSubject: 3\nMessage-ID: <3@x.net>\nDate: ${
    dateOf(3)
  }\n\nFrom a@x.net Fri Nov 20 10:00:00 2026\nbare LF\n\n\n`,
  message(
    { Subject: "4", "Message-ID": "<4@x.net>", References: "<3@x.net>", Date: dateOf(4) },
    "\n",
  ),
].map((text) => new TextEncoder().encode(text)).concat(
  Uint8Array.from([...new TextEncoder().encode("Subject: 5\r\n\r\n"), 0xe9, 0xff, 0x00, 0x0d]),
);

async function folderOf(files: Record<string, Uint8Array>): Promise<string> {
  const folder = await Deno.makeTempDir();
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, name);
    await Deno.mkdir(join(path, ".."), { recursive: true });
    await Deno.writeFile(path, bytes);
  }
  return folder;
}

// SPEC: command.import
Deno.test({
  name:
    "a folder, a Maildir, an mbox and one message are imported through the inbound route, in order, once",
  sanitizeResources: false,
  async fn(t) {
    await using test = await testService();
    await using server = listen(test);
    const sources: Record<string, Record<string, Uint8Array>> = {
      "a folder of .eml, numbers by value": {
        "10.eml": mails[2],
        "2.EML": mails[1],
        "1.eml": mails[0],
        "notes.txt": mails[3],
      },
      "a Maildir": {
        "cur/1605870001.a:2,S": mails[0],
        "cur/1605870002.b:2,": mails[1],
        "new/1605870003.c": mails[2],
        "tmp/4": mails[3],
      },
    };
    for (const [name, content] of Object.entries(sources)) {
      await t.step(name, async () => {
        const owner = await account(test);
        const { email_address } = await mailbox(test, owner);
        const folder = await folderOf(content);
        const first = await bring(server.url, folder, email_address);
        assert.deepEqual([first.accepted, first.duplicates, first.refused], [3, 0, 0]);
        assert.equal(first.bar.positions.at(-1), first.bar.total);
        assert.ok(first.bar.stopped);
        const emails = await emailsOf(test, owner);
        assert.deepEqual(emails.map((each) => each.subject), ["1", "2", "3"]);
        const again = await bring(server.url, folder, email_address);
        assert.deepEqual([again.accepted, again.duplicates, again.refused], [0, 3, 0]);
        assert.deepEqual(await emailsOf(test, owner), emails);
        await Deno.remove(folder, { recursive: true });
      });
    }
    await t.step("a folder of Apple Mail", async () => {
      const owner = await account(test);
      const { email_address } = await mailbox(test, owner);
      const folder = await folderOf({
        "mbox": new TextEncoder().encode(
          "From ann@one.example Mon Nov 23 10:00:00 2026\nA: b\n\nText\n",
        ),
        "table_of_contents": mails[0],
      });
      assert.equal((await bring(server.url, folder, email_address)).accepted, 1);
      await Deno.remove(folder, { recursive: true });
    });
    await t.step("a link to a folder, in which a name is no UTF-8", async () => {
      const owner = await account(test);
      const { email_address } = await mailbox(test, owner);
      const folder = await folderOf({ "mail/1.eml": mails[0] });
      await Deno.symlink(join(folder, "mail"), join(folder, "link"));
      const isLinux = Deno.build.os === "linux";
      const make = 'printf "A: b\\n\\n" > "$(printf "\\351").eml"';
      // Deno itself cannot make such a name.
      if (isLinux) {
        const cwd = join(folder, "mail");
        await new Deno.Command("sh", { args: ["-c", make], cwd }).output();
      }
      const { accepted, refused, notes } = await bring(
        server.url,
        join(folder, "link"),
        email_address,
      );
      assert.deepEqual([accepted, refused], [1, isLinux ? 1 : 0]);
      if (isLinux) assert.match(notes[0], /\.eml: cannot be opened: ENOENT$/);
      await new Deno.Command("rm", { args: ["-r", folder] }).output();
    });
    await t.step("one message", async () => {
      const owner = await account(test);
      const { email_address } = await mailbox(test, owner);
      const folder = await folderOf({ "one.eml": mails[0] });
      const { accepted } = await bring(server.url, join(folder, "one.eml"), email_address);
      assert.equal(accepted, 1);
      await Deno.remove(folder, { recursive: true });
    });
    await t.step("mail of a sender with letters beyond ASCII is mail of that sender", async () => {
      const owner = await account(test);
      const { email_address } = await mailbox(test, owner);
      const raw = new TextEncoder().encode("From: Jörg <jörg@bücher.example>\r\n\r\nHallo\r\n");
      const folder = await folderOf({ "one.eml": raw });
      assert.equal((await bring(server.url, folder, email_address)).accepted, 1);
      const list = await test.request("/v1/api/emails", { token: owner.key });
      assert.equal((await list.json()).data[0].automated, false);
      const arrivals = await test.request("/v1/api/arrivals", { token: owner.key });
      assert.equal((await arrivals.json()).data[0].sender, "jörg@bücher.example");
      await Deno.remove(folder, { recursive: true });
    });
    await t.step(
      "refused messages are named with the reason, and the rest is imported",
      async () => {
        const owner = await account(test);
        await mailbox(test, owner);
        const folder = await folderOf({ "1.eml": mails[0] });
        const { refused, notes } = await bring(server.url, folder, "nobody@agents.test");
        assert.equal(refused, 1);
        assert.deepEqual(notes, [`${join(folder, "1.eml")}: UNKNOWN_RECIPIENT`]);
        const empty = await folderOf({ "empty.eml": new Uint8Array() });
        assert.deepEqual((await bring(server.url, empty, "nobody@agents.test")).notes, [
          `${join(empty, "empty.eml")}: BAD_REQUEST: The body is empty: it must be the message.`,
        ]);
        await Deno.remove(empty, { recursive: true });
        await assert.rejects(
          bring(server.url, folder, "nobody@agents.test", "wrong"),
          /does not accept this inbound token/,
        );
        await assert.rejects(bring(server.url, "/nowhere/at/all", "a@agents.test"));
        await Deno.remove(folder, { recursive: true });
      },
    );
  },
});

// SPEC: command.export
Deno.test({
  name:
    "export, then import into an empty service, gives equal bytes and threads; the manifest shows a change",
  sanitizeResources: false,
  async fn() {
    await using test = await testService();
    await using server = listen(test);
    const owner = await account(test);
    const { email_address } = await mailbox(test, owner);
    const files = Object.fromEntries(mails.map((raw, i) => [`${i}.eml`, raw]));
    const folder = await folderOf(files);
    await bring(server.url, folder, email_address);
    const before = await emailsOf(test, owner);
    const out = join(folder, "out");
    const bar = new Kept();
    const exported = await exportMail({
      mailbox: email_address.toUpperCase(),
      out,
      url: server.url,
      key: owner.key,
      progress: bar,
      unreadable: (emailId: string) => assert.fail(emailId),
      waiting: () => assert.fail("no window is full"),
    });
    assert.equal(exported, mails.length);
    assert.deepEqual(bar.positions, [1, 2, 3, 4, 5]);
    const manifest = JSON.parse(await Deno.readTextFile(join(out, "manifest.json")));
    // Eight come in at once, so that the order in the store may be another one.
    assert.deepEqual(
      manifest.map(({ sha256, size }: { sha256: string; size: number }) => `${sha256} ${size}`)
        .sort(),
      mails.map((raw) => `${createHash("sha256").update(raw).digest("hex")} ${raw.length}`).sort(),
    );
    const lines = (await Deno.readTextFile(join(out, "emails.jsonl"))).trim().split("\n");
    const subjects = lines.map((line) => JSON.parse(line).subject);
    assert.deepEqual(subjects.sort(), ["1", "2", "3", "4", "5"]);

    await using empty = await testService();
    await using other = listen(empty);
    const heir = await account(empty);
    const box = await mailbox(empty, heir);
    const { accepted, bar: shown } = await bring(other.url, out, box.email_address);
    assert.equal(accepted, mails.length);
    assert.equal(shown.positions.at(-1), shown.total);
    const after = await emailsOf(empty, heir);
    /** Thread ids differ in the other service; the groups of emails must be equal. */
    const shape = (emails: { thread: string }[]) =>
      emails.map((each) => emails.findIndex((other) => other.thread === each.thread));
    assert.deepEqual(after.map((each) => each.sha256), before.map((each) => each.sha256));
    assert.deepEqual(shape(after), shape(before));
    assert.deepEqual(shape(before), [0, 0, 2, 2, 4]);

    const path = join(out, "mail.mbox");
    const changed = await Deno.readFile(path);
    changed[100] ^= 1;
    await Deno.writeFile(path, changed);
    const { refused, notes } = await bring(other.url, out, box.email_address);
    assert.equal(refused, 1);
    assert.deepEqual(notes, [
      `${path}: has a message 1 that does not match manifest.json: was it changed?`,
    ]);
    await Deno.remove(folder, { recursive: true });
  },
});
