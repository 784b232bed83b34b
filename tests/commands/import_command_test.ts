import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createApp } from "../../routes/app.ts";
import { account, data, inboundToken, mailbox, testService } from "../service.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const mail = (subject: string) => `From: ada@example.net\nSubject: ${subject}\n\nHi\n`;

/** A service on a port, a mailbox, and the command as a user runs it. */
async function served(asked: () => void = () => {}) {
  const test = await testService();
  const app = createApp(test.service);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request, info) => {
    if (request.method === "POST") asked();
    return app.fetch(request, info);
  });
  const owner = await account(test, "enterprise");
  const box = await mailbox(test, owner);
  const folder = await Deno.makeTempDir();
  const start = (...args: string[]) =>
    new Deno.Command(Deno.execPath(), {
      cwd: root,
      args: ["run", "-A", "--no-check", "main.ts", "import", ...args, "--to", box.email_address],
      env: {
        NO_COLOR: "1",
        BASE_URL: `http://127.0.0.1:${server.addr.port}`,
        INBOUND_TOKENS: inboundToken,
        XDG_STATE_HOME: `${folder}/state`,
      },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  return {
    folder,
    start,
    async run(...args: string[]) {
      const { code, stdout, stderr } = await start(...args).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      return { code, out: text(stdout).trimEnd().split("\n"), err: text(stderr) };
    },
    async write(files: Record<string, string | Uint8Array>, name = "mail") {
      for (const [path, content] of Object.entries(files)) {
        const file = join(folder, name, path);
        await Deno.mkdir(dirname(file), { recursive: true });
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        await Deno.writeFile(file, bytes);
      }
      return join(folder, name);
    },
    /** `subject labels`, by subject. */
    async emails() {
      await test.settle();
      const rows: { subject: string; labels: string[]; is_read: boolean; direction: string }[] =
        await data(test.request("/v1/api/emails?limit=100", { token: owner.key }));
      return rows.map(({ subject, labels, is_read, direction }) =>
        [subject, is_read ? "read" : "unread", direction, ...labels].join(" ")
      ).sort();
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await test[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

// SPEC: command.import, files.summary, files.unwanted, files.dry_run
Deno.test({
  name:
    "import ends with a line for each folder and the total, and with 1 if nothing was taken or anything was refused",
  sanitizeResources: false,
  async fn() {
    await using its = await served();
    const path = await its.write({
      "cur/1583143200.a:2,FS": mail("inbox"),
      ".Work.Clients/cur/1583143201.a:2,": mail("work"),
      ".Sent/cur/1583143202.a:2,S": mail("sent"),
      ".Trash/cur/1583143203.a:2,S": mail("trash"),
      "notes.txt": "no mail",
    });
    const expected = [
      "Sent: 1 accepted, 0 duplicates, 0 left out, 0 refused",
      "Trash: 0 accepted, 0 duplicates, 1 left out, 0 refused",
      "Work/Clients: 1 accepted, 0 duplicates, 0 left out, 0 refused",
      "INBOX: 1 accepted, 0 duplicates, 0 left out, 0 refused",
      "mail: 0 accepted, 0 duplicates, 1 left out, 0 refused",
      "total: 3 accepted, 0 duplicates, 2 left out, 0 refused",
    ];
    const dry = await its.run(path, "--dry-run");
    assert.deepEqual([dry.code, dry.out], [0, ["Nothing was sent; this would come:", ...expected]]);
    assert.deepEqual(await its.emails(), []);
    const first = await its.run(path);
    assert.deepEqual([first.code, first.out], [0, expected]);
    assert.equal(
      first.err,
      `${path}/notes.txt: left out, it is no mail\n` +
        "left out: 1 of trash; --include trash brings them\n",
    );
    const brought = [
      "inbox read inbound flagged imported",
      "sent read outbound imported sent",
      "work unread inbound imported work:clients",
    ];
    assert.deepEqual(await its.emails(), brought);
    const again = await its.run(path, "--include", "trash,spam");
    assert.deepEqual(
      [again.code, again.out.at(-1)],
      [0, "total: 1 accepted, 3 duplicates, 1 left out, 0 refused"],
    );
    assert.deepEqual(await its.emails(), [...brought, "trash read inbound imported trash"].sort());

    const pst = await its.write({ "a.pst": "!BDN" }, "outlook");
    const refused = await its.run(join(pst, "a.pst"));
    assert.deepEqual([refused.code, refused.out], [1, [""]]);
    assert.match(
      refused.err,
      /^[^\n]*a\.pst is a store of Outlook, which only Outlook reads: .*\n$/,
    );
    const nothing = await its.run(pst);
    assert.deepEqual(
      [nothing.code, nothing.out.at(-1)],
      [1, "total: 0 accepted, 0 duplicates, 1 left out, 0 refused"],
    );
    const some = await its.run(await its.write({ "1.eml": mail("good"), "2.eml": "" }, "some"));
    assert.deepEqual(
      [some.code, some.out.at(-1)],
      [1, "total: 1 accepted, 0 duplicates, 0 left out, 1 refused"],
    );
    assert.match(some.err, /2\.eml: BAD_REQUEST: The body is empty/);
    const wrong = await its.run(path, "--include", "junk");
    assert.deepEqual(
      [wrong.code, wrong.err],
      [2, "--include takes spam, trash, drafts, chats; not junk\n"],
    );
  },
});

// SPEC: files.resume
Deno.test({
  name:
    "an import that is stopped goes on where it was, and counts the whole; one that is killed too",
  sanitizeResources: false,
  async fn() {
    let asked = 0, at = 0, reached = () => {};
    await using its = await served(() => ++asked >= at && reached());
    const line = "From ada@example.net Mon Mar 02 10:00:00 2020\n";
    const mails = Array.from({ length: 2_000 }, (_, n) => `${line}${mail(`mail ${n}`)}\n`);
    const path = join(await its.write({ "all.mbox": mails.join("") }), "all.mbox");
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      at = asked + 500;
      const here = new Promise<void>((done) => reached = done);
      const child = its.start(path);
      await here;
      child.kill(signal);
      const { code, stderr } = await child.output();
      assert.notEqual(code, 0);
      if (signal === "SIGKILL") continue;
      assert.match(new TextDecoder().decode(stderr), /stopped; run it again to continue\n$/);
    }
    const { code, out } = await its.run(path);
    assert.equal(code, 0);
    const [, accepted, duplicates] = /^total: (\d+) accepted, (\d+) dup/.exec(out.at(-1)!)!;
    assert.equal(Number(accepted) + Number(duplicates), 2_000);
    // Each run asks for its last one again, and after a kill for those since it was last noted.
    assert.ok(asked < 2_000 + 300, `${asked} were sent`);
    assert.deepEqual([...Deno.readDirSync(`${its.folder}/state/letterbox/imports`)], []);
  },
});
