import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bounded } from "../../eventually.ts";
import { inboundToken } from "../../service.ts";
import { commands } from "../../../sdk/typescript/bin/commands.ts";
import { reasonOf } from "../../../sdk/typescript/bin/reason.ts";
import { serveService } from "../served.ts";

const program = fileURLToPath(new URL("../../../sdk/typescript/bin/letterbox.ts", import.meta.url));

/** A program starts slowly while the whole suite runs. */
const longestMs = 60_000;

function start(args: string[], env: Record<string, string>, stdin: "piped" | "null" = "null") {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", program, ...args],
    env: { LETTERBOX_URL: "", LETTERBOX_API_KEY: "", NO_COLOR: "1", ...env },
    stdin,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function run(args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await bounded(
    "the program ends",
    start(args, env).output(),
    [],
    longestMs,
  );
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

const injected = "Order \x1b]0;owned\x07 \u202egnp";

Deno.test("letterbox logs in, lists, reads, searches, sends, imports and exports", async () => {
  await using served = await serveService();
  const folder = await Deno.makeTempDir();
  const env = { XDG_CONFIG_HOME: folder };
  const { email_address } = served.box;
  const email_id = await served.arrive(
    { Subject: `=?utf-8?B?${btoa(String.fromCharCode(...new TextEncoder().encode(injected)))}?=` },
    "Your verification code is 482913.\n",
  );
  const login = await run(["login", "--url", served.base, "--key", served.owner.key], env);
  assert.equal(login.code, 0, login.err);
  const { mode } = await Deno.stat(`${folder}/letterbox/config.json`);
  assert.equal(mode! & 0o777, 0o600);

  const listed = await run(["list"], env);
  assert.match(listed.out, new RegExp(`^ID +DATE +FROM +SUBJECT\n${email_id}  `));
  assert.ok(!listed.out.includes("\x1b") && !listed.out.includes("\u202e"), listed.out);
  const [record] = (await run(["list", "--unread", "--json"], env)).out.trim().split("\n");
  assert.equal(JSON.parse(record).email_id, email_id);
  assert.match((await run(["read", email_id], env)).out, /From: .*\n\nYour verification/s);
  assert.equal((await run(["code", email_id], env)).out, "482913\n");
  assert.match((await run(["search", "482913"], env)).out, new RegExp(email_id));
  assert.match((await run(["mailboxes"], env)).out, new RegExp(email_address));
  const out = `${folder}/backup`;
  assert.equal((await run(["export", "--out", out], env)).out, `1 messages in ${out}\n`);
  const sent = await run(
    ["send", "--to", email_address, "--subject", "Hi", "--text", "Hi", "--json"],
    env,
  );
  assert.equal(JSON.parse(sent.out).to[0], email_address, sent.err);
  const imported = await run(
    ["import", out, "--to", email_address, "--token", inboundToken],
    env,
  );
  const total = "total: 0 accepted, 1 duplicates, 0 left out, 0 refused\n";
  assert.ok(imported.out.endsWith(total), imported.out + imported.err);
  const byKey = await run(["import", out, "--json"], env);
  assert.equal(JSON.parse(byKey.out).total.duplicates, 1, byKey.err);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("letterbox import names what is refused and brings the rest, as mail of its author that can be answered", async () => {
  await using served = await serveService();
  const { key } = served.owner;
  const env = { LETTERBOX_URL: served.base, LETTERBOX_API_KEY: key };
  const folder = await Deno.makeTempDir();
  const mail = (from: string, subject: string) =>
    `From: ${from}\r\nSubject: ${subject}\r\n\r\nHi\r\n`;
  const files = {
    "1.eml": "",
    "2.EML": mail('"Ann <ann@wrong.example>"\r\n <ann@one.example>', "two"),
    "10.eml": mail("bob@one.example (Bob)", "ten"),
    "11.eml": mail("Jörg <jörg@bücher.example>", "eleven"),
    "notes.txt": "no mail",
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const to = ["--to", served.box.email_address, "--token", inboundToken];
  const imported = await run(["import", folder, ...to], env);
  assert.equal(imported.code, 1);
  assert.match(imported.out, /\ntotal: 3 accepted, 0 duplicates, 1 left out, 1 refused\n$/);
  assert.equal(
    imported.err,
    `${folder}/notes.txt: left out, it is no mail\n` +
      `${folder}/1.eml: BAD_REQUEST: The body is empty: it must be the message.\n`,
  );
  const list = await served.test.request("/v1/api/emails?order=asc", { token: key });
  const brought = (await list.json()).data.map(
    ({ subject, automated }: { subject: string; automated: boolean }) => [subject, automated],
  );
  assert.deepEqual(brought, [["two", false], ["ten", false], ["eleven", false]]);
  const arrivals = await served.test.request("/v1/api/arrivals", { token: key });
  const senders = (await arrivals.json()).data.map(({ sender }: { sender: string }) => sender);
  const maildir = { "cur/1:2,S": "cur", "new/2": "new", "tmp/3": "tmp", "new/.hidden": "hidden" };
  for (const [name, text] of Object.entries(maildir)) {
    const path = `${folder}/Maildir/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, mail("ann@one.example", text));
  }
  await Deno.writeTextFile(`${folder}/Maildir/notes.txt`, "no mail");
  const fromMaildir = await run(["import", `${folder}/Maildir`, ...to], env);
  assert.equal(fromMaildir.code, 0, fromMaildir.err);
  assert.match(fromMaildir.out, /^INBOX: 2 accepted, 0 duplicates, 2 left out, 0 refused\n/);
  await Deno.mkdir(`${folder}/Old.mbox`);
  const mbox = `From \n${mail("ann@one.example", "apple")}`;
  await Deno.writeTextFile(`${folder}/Old.mbox/mbox`, mbox);
  assert.match((await run(["import", `${folder}/Old.mbox`, ...to], env)).out, /total: 1 accepted/);
  assert.deepEqual(senders, ["jörg@bücher.example", "bob@one.example", "ann@one.example"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("letterbox import tries again while the service is busy, and names what is no service", async () => {
  await using served = await serveService();
  const answers = [
    new Response("busy", { status: 503, headers: { "retry-after": "0" } }),
    new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "retry-after": "0" } }),
    null,
    new Response("<h1>Not found</h1>", { status: 404 }),
  ];
  await using proxy = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (asked) => {
    return answers.shift() ?? fetch(served.base + new URL(asked.url).pathname, asked);
  });
  const env = { LETTERBOX_URL: `http://127.0.0.1:${proxy.addr.port}` };
  const file = await Deno.makeTempFile({ suffix: ".eml" });
  await Deno.writeTextFile(file, "From: ann@one.example\r\nSubject: One\r\n\r\nHi\r\n");
  const given = ["import", file, "--to", served.box.email_address, "--token", inboundToken];
  const { code: good, out } = await run(given, env);
  assert.equal(good, 0);
  assert.match(out, /\ntotal: 1 accepted, 0 duplicates, 0 left out, 0 refused\n$/);
  const { code, err } = await run(given, env);
  assert.equal(code, 1);
  assert.match(err, /^letterbox: UNEXPECTED_ANSWER: .* 404 /);
  assert.ok(err.endsWith(`\n  is ${env.LETTERBOX_URL} a Letterbox service?\n`), err);
  await Deno.remove(file);
});

Deno.test("letterbox export leaves out mail that is deleted while it runs; --mailbox takes any case", async () => {
  await using served = await serveService();
  const { key } = served.owner;
  const { email_address } = served.box;
  const deleted = await served.arrive({ Subject: "gone" }, "Gone.\n");
  const kept = await served.arrive({ Subject: "kept" }, "Kept.\n");
  // Before the export is read.
  await using proxy = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (asked) => {
      const { pathname, search } = new URL(asked.url);
      if (pathname.endsWith("/export")) {
        await served.test.request(`/v1/api/emails/${deleted}`, { method: "DELETE", token: key });
      }
      return await fetch(served.base + pathname + search, asked);
    },
  );
  const folder = await Deno.makeTempDir();
  const env = { LETTERBOX_URL: `http://127.0.0.1:${proxy.addr.port}`, LETTERBOX_API_KEY: key };
  const given = ["export", "--mailbox", email_address.toUpperCase(), "--out", folder];
  assert.deepEqual(await run(given, env), { code: 0, out: `1 messages in ${folder}\n`, err: "" });
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  assert.deepEqual(names, ["emails.jsonl", "mail.mbox", "manifest.json"]);
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
  assert.deepEqual(manifest.map((each: { email_id: string }) => each.email_id), [kept]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("letterbox read shows who got a copy, and files without a name", async () => {
  await using served = await serveService();
  const env = { LETTERBOX_URL: served.base, LETTERBOX_API_KEY: served.owner.key };
  const id = await served.arrive({
    Cc: "Bob <bob@one.example>, eve@one.example",
    "Content-Type": "application/pdf",
    "Content-Disposition": "attachment",
  }, "%PDF");
  const { out } = await run(["read", id], env);
  assert.match(out, /\nCc: {6}bob@one\.example, eve@one\.example\n/);
  assert.match(out, /\nFile: {4}application\/pdf \(\d bytes\)\n/);
});

Deno.test("letterbox attachments saves files under plain names and replaces none", async () => {
  await using served = await serveService();
  const names = ["../../.bashrc", "a.pdf", "a.pdf", "b\x1b[2J\tc.txt"];
  const email_id = await served.arrive(
    { "Content-Type": "multipart/mixed; boundary=b" },
    [...names, ""].map((name) =>
      `--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8''${
        encodeURIComponent(name)
      }\n\nof ${name}\n`
    ).join("") + "--b--\n",
  );
  const env = { LETTERBOX_URL: served.base, LETTERBOX_API_KEY: served.owner.key };
  const folder = await Deno.makeTempDir();
  const out = `${folder}/files`;
  await Deno.mkdir(out);
  await Deno.writeTextFile(`${out}/a.pdf`, "mine");
  const { code, out: shown, err } = await run(["attachments", email_id, "--out", out], env);
  assert.equal(code, 0, err);
  const saved = shown.trim().split("\n");
  const texts = await Promise.all(saved.map((path) => Deno.readTextFile(path)));
  assert.deepEqual(
    texts.map((text) => text.trim()),
    [...names, ""].map((each) => `of ${each}`.trim()),
  );
  assert.deepEqual(saved.slice(1, 3), [`${out}/a (2).pdf`, `${out}/a (3).pdf`]);
  assert.equal(await Deno.readTextFile(`${out}/a.pdf`), "mine");
  for (const path of saved) assert.match(path.slice(out.length), /^\/[\w() [.]+$/);
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["files"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("letterbox wait --code waits on all mailboxes and prints only the code; tail shows events, with sender and subject of mail", async () => {
  await using served = await serveService();
  const env = { LETTERBOX_URL: served.base, LETTERBOX_API_KEY: served.owner.key };
  const since = new Date(Date.now() - 1_000).toISOString();
  const more = await served.test.request("/v1/api/mailboxes", {
    token: served.owner.key,
    json: { generate: true },
  });
  await more.body?.cancel();
  // The tail may begin after the mail has come.
  const now = await served.test.request("/v1/api/changes?after=now", { token: served.owner.key });
  const { meta: { next_cursor } } = await now.json();
  const following = ["tail", "--after", next_cursor];
  const wait = start(["wait", "--code", "--since", since, "--from", "shop.example"], env);
  const from = "Shop <no-reply@shop.example>";
  await served.arrive({ From: from, Subject: "Your\x1b[2J code" }, "Your code is 482 913.\n");
  const { stdout } = await bounded("the wait ends", wait.output(), [], longestMs);
  assert.equal(new TextDecoder().decode(stdout), "482913\n");
  assert.match(
    await seenBy(start([...following, "--json"], env), "\n"),
    /"event":"email.received"/,
  );
  const shown = await seenBy(start(following, env), "\n");
  assert.match(
    shown,
    /email\.received +[0-9a-f-]{36} {2}no-reply@shop\.example {2}Your ?\[2J code\n/,
  );
});

Deno.test("letterbox tail goes on after a service that was away", async () => {
  await using served = await serveService();
  await served.arrive({ Subject: "one" }, "One.\n");
  let refusals = 6;
  await using proxy = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (asked) => {
    const { pathname, search } = new URL(asked.url);
    const isAway = pathname.endsWith("/events") && refusals-- > 0;
    if (isAway) return new Response("away", { status: 503, headers: { "retry-after": "0" } });
    return fetch(served.base + pathname + search, asked);
  });
  const url = `http://127.0.0.1:${proxy.addr.port}`;
  const env = { LETTERBOX_URL: url, LETTERBOX_API_KEY: served.owner.key };
  const oldest = `${"0".repeat(20)}-0000`;
  await seenBy(start(["tail", "--after", oldest], env), "email.received");
  assert.equal(refusals, -1);
});

Deno.test("letterbox wait goes on after a service that was away, and says so if it stays away", async () => {
  await using served = await serveService();
  await served.arrive({ Subject: "one" }, "Your code is 482 913.\n");
  let refusals = 5;
  await using proxy = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (asked) => {
    const { pathname, search } = new URL(asked.url);
    if (!pathname.endsWith("/wait") || refusals-- <= 0) {
      return fetch(served.base + pathname + search, asked);
    }
    // A proxy answers 502 while the service is restarted.
    const status = refusals === 4 ? 502 : 503;
    return new Response("away", { status, headers: { "retry-after": "0" } });
  });
  const url = `http://127.0.0.1:${proxy.addr.port}`;
  const env = { LETTERBOX_URL: url, LETTERBOX_API_KEY: served.owner.key };
  const given = ["wait", "--code", "--since", "2020-01-01T00:00:00Z"];
  assert.deepEqual(await run(given, env), { code: 0, out: "482913\n", err: "" });
  refusals = Infinity;
  const { code, err } = await run([...given, "--timeout", "0"], env);
  assert.equal(code, 1);
  assert.match(err, /^letterbox: UNEXPECTED_ANSWER: .* 503 /);
});

/** Waits until a program has written `text`, ends it, and returns its output. */
async function seenBy(program: Deno.ChildProcess, text: string): Promise<string> {
  const reader = program.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes(text)) {
    const read = await bounded("a line is shown", reader.read(), [], longestMs);
    assert.ok(!read.done, `the program ended after: ${seen}`);
    seen += read.value;
  }
  program.kill("SIGTERM");
  await reader.cancel();
  await program.stderr.cancel();
  await program.status;
  return seen;
}

Deno.test("letterbox prints what is wrong and what to do", async () => {
  const env = { XDG_CONFIG_HOME: "/nowhere" };
  const unknown = await run(["lsit"], env);
  assert.deepEqual([unknown.code, unknown.out], [2, ""]);
  assert.match(unknown.err, /^letterbox: there is no command lsit; the nearest is list;/);
  for (const [given, meant] of [["--unraed", "unread"], ["--limti=3", "limit"]]) {
    const { code, err } = await run(["list", given], env);
    assert.equal(code, 2);
    assert.match(err, new RegExp(`'${given.split("=")[0]}'; the nearest is --${meant};`));
  }
  const { err: far } = await run(["list", "-q"], env);
  assert.match(far, /'-q'; the options are --url, --key, /);
  for (const given of [["send", "--to", "ada@one.example", "bob@one.example"], ["list", "bob"]]) {
    const { code, err } = await run([...given, "--key", "lbx_x"], env);
    assert.equal(code, 2);
    assert.match(err, /^letterbox: bob\S* belongs to no option; see letterbox (send|list) --help/);
  }
  const { version } = JSON.parse(
    await Deno.readTextFile(new URL("../../../sdk/typescript/package.json", import.meta.url)),
  );
  assert.deepEqual(await run(["--version"], env), { code: 0, out: `${version}\n`, err: "" });
  const noUrl = await run(["list", "--url", "localhost:8000", "--key", "lbx_x"], env);
  assert.equal(noUrl.code, 2);
  assert.match(noUrl.err, /the URL must begin with http:\/\/ or https:\/\/, not localhost:8000/);
  assert.match((await run(["list"], env)).err, /there is no key: run `letterbox login`/);
  const away = await run(["list", "--url", "http://127.0.0.1:9", "--key", "lbx_x", "--help"], env);
  assert.match(away.out, /Example:\n {2}letterbox list/);
  await using served = await serveService();
  const refused = await run(["list", "--url", served.base, "--key", "lbx_x"], env);
  assert.deepEqual([refused.code, refused.out], [1, ""]);
  assert.match(refused.err, /^letterbox: UNAUTHORIZED: .*\n {2}check the key/);
  for (const shell of ["bash", "zsh", "fish"]) {
    assert.match((await run(["completion", shell], env)).out, /letterbox/);
  }
});

Deno.test("the usage of each command of letterbox names all of its options", () => {
  for (const [name, { usage, options }] of Object.entries(commands)) {
    for (const each of options) {
      assert.match(usage, new RegExp(`--${each.replace(/[!*]$/, "")}\\b`), name);
    }
  }
});

Deno.test("the reason of a lost connection is what the innermost cause says", () => {
  const refused = Object.assign(new Error(""), { code: "ECONNREFUSED" });
  const reasons = [undefined, refused, new Error("self-signed certificate")].map((cause) =>
    reasonOf(new Error("not reached", { cause: new TypeError("fetch failed", { cause }) }))
  );
  assert.deepEqual(reasons, ["fetch failed", "ECONNREFUSED", "self-signed certificate"]);
  assert.equal(reasonOf(new Error("no cause")), undefined);
});

Deno.test("the example in the help of letterbox import is a whole command line", async () => {
  const { out } = await run(["import", "--help"]);
  const [, example] = /Example:\n {2}letterbox (.*)\n/.exec(out)!;
  const { code, err } = await run(example.split(" "));
  // The file of the example does not exist; a wrong command line would be 2.
  assert.deepEqual([code, /ENOENT/.test(err)], [1, true], err);
});
