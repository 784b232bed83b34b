import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { eventually } from "../eventually.ts";
import { message } from "../service.ts";
import { call, freePort, openAccount, postMail, startProcess } from "../service_process.ts";
import { mailDisagreements } from "../torture/mail_scan.ts";
import { runHere, runProgram } from "./run_here.ts";

const run = (dir: string, ...args: string[]) => runBy(runHere, dir, args);

async function runBy(how: typeof runHere, dir: string, args: string[]) {
  const { code, stdout, stderr } = await how(args, { KV_PATH: `${dir}/kv.sqlite` });
  return { code, text: (stdout + stderr).trim() };
}

async function inFolder(body: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await body(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Every file of a folder with its bytes; not the lock, which is empty. */
async function filesOf(dir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name } of Deno.readDir(dir)) {
    if (!name.endsWith(".lock")) files[name] = (await Deno.readFile(`${dir}/${name}`)).toBase64();
  }
  return files;
}

/** A store of Deno KV with these rows, and an index without emails. */
async function smallStore(dir: string, rows: number): Promise<void> {
  await Deno.mkdir(dir, { recursive: true });
  {
    using kv = await Deno.openKv(`${dir}/kv.sqlite`);
    for (let n = 0; n < rows; n++) await kv.set(["rows", n], "x".repeat(500));
  }
  const index = new DatabaseSync(`${dir}/kv.index.sqlite`);
  index.exec("create table if not exists documents (email_id text)");
  index.close();
}

// SPEC: command.backup
Deno.test("a backup that is made while mail arrives restores a store with every mail acknowledged before it, complete and searchable", () =>
  inFolder(async (dir) => {
    const [before, after] = [`${dir}/before`, `${dir}/after`];
    await Deno.mkdir(before);
    const port = freePort();
    let service = startProcess({ dir: before, port });
    try {
      assert.ok(await service.up);
      const { base } = service;
      const { key, mailboxes: [box] } = await openAccount(base, "kept", 1);
      /** The messages by their id, and those that were acknowledged. */
      const sent = new Map<string, string>();
      const acknowledged = new Set<string>();
      let stopped = false;
      const send = async (sender: number) => {
        for (let n = 0; !stopped; n++) {
          const id = `<${sender}-${n}@sender.example>`;
          const raw = message({ "Message-ID": id, Subject: `${sender} ${n}` }, "Marmalade.\n");
          sent.set(id, raw);
          const answer = await postMail(base, box.email_address, raw);
          await answer.body?.cancel();
          if (answer.status === 200) acknowledged.add(id);
          await new Promise((done) => setTimeout(done, 60));
        }
      };
      // About 100 a second on an idle machine.
      const sending = Array.from({ length: 8 }, (_, sender) => send(sender));
      await eventually("mail came in", () => acknowledged.size >= 50);
      const due = new Set(acknowledged);
      const made = await runBy(runProgram, before, ["backup", "--out", `${dir}/backup`]);
      const duringBackup = acknowledged.size - due.size;
      stopped = true;
      await Promise.all(sending);
      await service.kill();
      assert.equal(made.code, 0, made.text);
      assert.match(made.text, /^\S+ has \d+ rows of the database and \d+ emails of the index$/);
      assert.ok(duringBackup > 0, "mail came in meanwhile");
      assert.deepEqual(
        [...Deno.readDirSync(dir)].map(({ name }) => name).sort(),
        ["backup", "before"],
        "nothing else is left",
      );

      const restored = await runBy(runProgram, after, ["restore", `${dir}/backup`]);
      assert.equal(restored.code, 0, restored.text);
      service = startProcess({ dir: after, port });
      assert.ok(await service.up);
      await eventually("all is indexed", async () => {
        const found = await call(`${base}/v1/api/search`, { query: "marmalade", limit: 1 }, key);
        return found.pending === 0 && found.total >= due.size;
      });
      const get = (path: string) =>
        fetch(base + path, { headers: { authorization: `Bearer ${key}` } });
      const found = new Map<string, string>();
      for (let cursor = ""; found.size === 0 || cursor;) {
        const query = cursor ? `&cursor=${cursor}` : "";
        const page = await (await get(`/v1/api/emails?limit=100${query}`)).json();
        for (const { message_id, email_id } of page.data) found.set(message_id, email_id);
        cursor = page.meta.next_cursor;
      }
      for (const id of due) assert.ok(found.has(id), `${id} is missing`);
      for (const [id, emailId] of found) {
        assert.equal(await (await get(`/v1/api/emails/${emailId}/raw`)).text(), sent.get(id));
      }
      await service.stop();
      using kv = await Deno.openKv(`${after}/kv.sqlite`);
      assert.deepEqual(await mailDisagreements(kv), []);
    } finally {
      await service.kill();
    }
  }));

// SPEC: command.backup
Deno.test("restore refuses a store in use, an existing store and an incomplete backup, and changes nothing", () =>
  inFolder(async (dir) => {
    const [from, to] = [`${dir}/from`, `${dir}/to`];
    await smallStore(from, 300);
    await smallStore(to, 5);
    const backup = `${dir}/backup`;
    assert.equal((await run(from, "backup", "--out", backup)).code, 0);
    const whole = await Deno.readFile(backup);
    const untouched = await filesOf(to);
    const refused = async (reason: RegExp, ...args: string[]) => {
      const { code, text } = await run(to, "restore", ...args);
      assert.deepEqual([code, reason.test(text)], [1, true], text);
      assert.doesNotMatch(text, /\n/);
      assert.deepEqual(await filesOf(to), untouched);
    };
    await refused(/there is a store .*--force/, backup);
    const damaged = `${dir}/damaged`;
    const rowsWritten = whole.slice();
    // A page in the middle.
    rowsWritten.fill(0, 20 * 4_096, 21 * 4_096);
    // `integrity_check` finds no fault in it.
    const valueChanged = `${dir}/value-changed`;
    await Deno.copyFile(backup, valueChanged);
    const file = new DatabaseSync(valueChanged);
    file.exec("update kv set v = zeroblob(length(v)) where k = (select max(k) from kv)");
    file.close();
    await refused(/not a whole backup: its bytes have changed/, valueChanged, "--force");
    for (
      const bytes of [
        ...[new Uint8Array(), new Uint8Array(9_000).fill(7), rowsWritten],
        ...[100, 4_096, whole.length / 2, whole.length - 4_096].map((n) => whole.slice(0, n)),
      ]
    ) {
      await Deno.writeFile(damaged, bytes);
      await refused(/not a whole backup/, damaged, "--force");
    }
    const { code: refusal } = await run(`${dir}/new/er`, "restore", damaged);
    assert.equal(refusal, 1);
    await assert.rejects(Deno.stat(`${dir}/new`), Deno.errors.NotFound);
    await refused(/not a whole backup: it is not a backup/, `${from}/kv.sqlite`, "--force");
    await refused(/is not a file/, `${dir}/none`, "--force");
    {
      const holder = await Deno.open(`${to}/kv.sqlite.lock`, { create: true, write: true });
      await holder.lock(true);
      await refused(/stop the service/, backup, "--force");
      holder.close();
    }

    // The journal of the replaced store would be read into the new one.
    await Deno.writeFile(`${to}/kv.sqlite-wal`, new Uint8Array(0));
    const { code, text } = await run(to, "restore", backup, "--force");
    assert.deepEqual([code, text], [
      0,
      "restored 300 rows of the database and 0 emails of the index",
    ]);
    using kv = await Deno.openKv(`${to}/kv.sqlite`);
    assert.equal((await kv.get(["rows", 299])).value, "x".repeat(500));
  }));

// SPEC: command.backup
Deno.test("a backup of a store whose index is damaged has the database, and is restored without an index", () =>
  inFolder(async (dir) => {
    for (const [n, damaged] of ["noise", "a page"].entries()) {
      const [store, restored] = [`${dir}/store${n}`, `${dir}/restored${n}`];
      await smallStore(store, 3);
      const path = `${store}/kv.index.sqlite`;
      if (damaged === "noise") await Deno.writeFile(path, new Uint8Array(9_000).fill(7));
      else {
        // The second page is the first one of the table.
        using file = await Deno.open(path, { write: true });
        await file.seek(4_096, Deno.SeekMode.Start);
        await file.write(new Uint8Array(4_096).fill(0xff));
      }
      const made = await run(store, "backup", "--out", `${dir}/backup${n}`);
      assert.match(made.text, /3 rows of the database and no index, .* damaged/);
      assert.equal(made.code, 0);
      await Deno.mkdir(restored);
      const put = await run(restored, "restore", `${dir}/backup${n}`);
      assert.match(put.text, /restored 3 rows of the database/);
      assert.deepEqual(Object.keys(await filesOf(restored)), ["kv.sqlite"]);
    }
  }));

Deno.test("a backup never replaces the store, and one that fails leaves the earlier file unchanged", () =>
  inFolder(async (dir) => {
    await smallStore(dir, 10);
    for (const name of ["kv.sqlite", "kv.index.sqlite", "kv.sqlite-wal", "kv.sqlite.lock"]) {
      const { code, text } = await run(dir, "backup", "--out", `${dir}/${name}`);
      assert.deepEqual([code, /of the store itself/.test(text)], [1, true], text);
    }
    const folder = await run(dir, "backup", "--out", dir);
    assert.deepEqual([folder.code, folder.text.includes("is a folder")], [1, true], folder.text);
    await Deno.writeTextFile(`${dir}/last`, "the backup of yesterday");
    await Deno.writeFile(`${dir}/kv.sqlite`, new Uint8Array(9_000).fill(7));
    assert.equal((await run(dir, "backup", "--out", `${dir}/last`)).code, 1);
    assert.equal(await Deno.readTextFile(`${dir}/last`), "the backup of yesterday");
    const { code, text } = await run(`${dir}/none`, "backup", "--out", `${dir}/last`);
    assert.deepEqual([code, /no store/.test(text)], [1, true], text);
    assert.equal((await run(dir, "backup")).code, 2);
    assert.equal((await run(dir, "restore")).code, 2);
  }));

Deno.test({
  name: "what root restores belongs to the owner of the earlier store, or of the folder",
  ignore: Deno.uid() !== 0,
  fn: () =>
    inFolder(async (dir) => {
      const [before, after] = [`${dir}/before`, `${dir}/after`];
      await smallStore(before, 3);
      assert.equal((await run(before, "backup", "--out", `${dir}/file`)).code, 0);
      await Deno.mkdir(after);
      await Deno.chown(after, 4_001, 4_002);
      const restore = async (...options: string[]) => {
        assert.equal((await run(after, "restore", `${dir}/file`, ...options)).code, 0);
        const names = ["kv.sqlite", "kv.index.sqlite", "kv.sqlite.lock"];
        const all = await Promise.all(names.map((name) => Deno.stat(`${after}/${name}`)));
        return new Set(all.map(({ uid, gid }) => `${uid}:${gid}`));
      };
      assert.deepEqual(await restore(), new Set(["4001:4002"]));
      await Deno.chown(`${after}/kv.sqlite`, 4_003, 4_004);
      assert.deepEqual(await restore("--force"), new Set(["4003:4004"]));
    }),
});
