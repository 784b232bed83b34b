import assert from "node:assert/strict";
import { openService } from "../assemble.ts";
import { systemClock } from "../domain/core/clock.ts";
import { readSettings } from "../domain/core/settings.ts";
import { StartError } from "../domain/core/settings/start_error.ts";
import { schemaVersion } from "../domain/store/migrations.ts";
import { holdStore, indexPath } from "../domain/store/open_store.ts";
import { readSmtpTls } from "../routes/inbound/smtp/tls_pair.ts";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { RemoteKv } from "./remote_kv/remote_kv.ts";
import { freePort, startFlags, untilListening } from "./service_process.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const tls = (name: string) => fileURLToPath(new URL(`fixtures/tls/${name}`, import.meta.url));

interface Start {
  code: number;
  /** Its output, without colours. */
  text: string;
}

/** The environment without the token, which other test files of this process set. */
function inherited(): Record<string, string> {
  const { DENO_KV_ACCESS_TOKEN: _, ...env } = Deno.env.toObject();
  return env;
}

/** Runs `start` or `dev` until it ends; null if it serves. */
async function start(mode: string, env: Record<string, string>): Promise<Start | null> {
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    cwd: root,
    args: ["run", "--no-check", ...startFlags(), "main.ts", mode],
    clearEnv: true,
    env: {
      ...inherited(),
      NO_COLOR: "1",
      PORT: String(port),
      SMTP_LISTEN_PORT: "0",
      SMTP_SUBMISSION_PORT: "0",
      BASE_URL: `http://127.0.0.1:${port}`,
      SHARED_DOMAINS: "agents.test",
      MX_HOST: "mx.agents.test",
      INBOUND_TOKENS: "inbound-token-of-the-starts",
      LOG_FORMAT: "json",
      EMBEDDINGS: "off",
      ...env,
    },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { listens, code, text } = await untilListening(child);
  return listens ? null : { code, text };
}

/** None of the commands starts: each says so in one sentence, which names the setting and the file. */
async function refused(
  env: Record<string, string>,
  names: string[],
  commands = ["start"],
): Promise<void> {
  for (const ended of await Promise.all(commands.map((each) => start(each, env)))) {
    assert.ok(ended, `it serves with ${JSON.stringify(env)}`);
    assert.notEqual(ended.code, 0);
    saysWhy(ended.text, names);
  }
}

function saysWhy(text: string, names: string[]): void {
  assert.doesNotMatch(text, /\n|Uncaught|at .*:\d+:\d+/);
  for (const name of names) assert.ok(text.includes(name), `${text} names no ${name}`);
}

/** This part of a start throws the sentence. That each command prints it and ends is tested once for each kind. */
async function throwsWhy(part: Promise<unknown>, names: string[]): Promise<void> {
  const error = await part.then(() => null, (error) => error);
  assert.ok(error instanceof StartError, String(error));
  saysWhy(error.message, names);
}

/** Both commands open the store of a path by this, before anything else of it. */
const hold = (path: string) => holdStore(systemClock, path, indexPath(path)!);

async function inFolder(body: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await body(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** A store that a service has used: the file and its search index. */
async function usedStore(dir: string): Promise<string> {
  const path = `${dir}/kv.sqlite`;
  using kv = await Deno.openKv(path);
  await kv.set(["meta", "schema_version"], schemaVersion);
  for (let n = 0; n < 200; n++) await kv.set(["rows", n], "x".repeat(500));
  await Deno.writeFile(`${dir}/kv.index.sqlite`, new Uint8Array());
  return path;
}

const noise = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

Deno.test("a store that is noise is refused", () =>
  inFolder(async (dir) => {
    const path = `${dir}/kv.sqlite`;
    await Deno.writeFile(path, noise(20_000));
    await refused({ KV_PATH: path }, ["KV_PATH", path], ["start", "dev"]);
    await Deno.writeFile(path, noise(7));
    await throwsWhy(hold(path), ["KV_PATH", path]);
  }));

Deno.test("a truncated store is refused, even an empty one", () =>
  inFolder(async (dir) => {
    const path = await usedStore(dir);
    await Deno.truncate(path, 40_000);
    await throwsWhy(hold(path), ["KV_PATH", path]);
    await Deno.truncate(path, 0);
    await throwsWhy(hold(path), ["KV_PATH", path, "kv.index.sqlite"]);
  }));

Deno.test("a store that is damaged in a table of Deno KV's own is refused", () =>
  inFolder(async (dir) => {
    const path = await usedStore(dir);
    const whole = await Deno.readFile(path);
    const file = new DatabaseSync(path, { readOnly: true });
    const pages = Object.fromEntries(
      file.prepare("SELECT name, rootpage FROM sqlite_schema").all().map((row) => {
        return [String(row.name), Number(row.rootpage)];
      }),
    );
    file.close();
    const pageBytes = 4_096;
    for (
      const name of [
        ...["data_version", "queue", "sqlite_autoindex_queue_1", "queue_running"],
        ...["sqlite_autoindex_queue_running_1", "kv_expiration_ms_idx", "kv"],
      ]
    ) {
      const damaged = whole.slice();
      damaged.fill(0, (pages[name] - 1) * pageBytes, pages[name] * pageBytes);
      for (const beside of ["-wal", "-shm"]) await Deno.remove(path + beside).catch(() => {});
      await Deno.writeFile(path, damaged);
      await throwsWhy(hold(path), ["KV_PATH", path, "malformed"]);
      // Deno KV would end the process with a panic.
      if (name === "queue") await refused({ KV_PATH: path }, ["KV_PATH", path, "malformed"]);
    }
  }));

Deno.test("a store of a newer release is refused", () =>
  inFolder(async (dir) => {
    const path = await usedStore(dir);
    {
      using kv = await Deno.openKv(path);
      await kv.set(["meta", "schema_version"], schemaVersion + 1);
    }
    await refused({ KV_PATH: path }, ["KV_PATH", path, `schema version ${schemaVersion + 1}`]);
  }));

Deno.test("a store that is a folder is refused", () =>
  inFolder((dir) => throwsWhy(hold(dir), ["KV_PATH", dir])));

Deno.test({
  name: "a store where nobody can write is refused",
  // /sys and /proc are of Linux: there root cannot write either.
  ignore: Deno.build.os !== "linux",
  async fn() {
    for (const path of ["/sys/kernel/letterbox.sqlite", "/proc/letterbox/kv.sqlite"]) {
      await throwsWhy(hold(path), ["KV_PATH", path]);
    }
  },
});

Deno.test({
  name: "a store that can only be read is refused",
  // root may write read-only files.
  ignore: Deno.build.os === "windows" || Deno.uid() === 0,
  fn: () =>
    inFolder(async (dir) => {
      const path = await usedStore(dir);
      await Deno.chmod(path, 0o444);
      await throwsWhy(hold(path), ["KV_PATH", path]);
    }),
});

Deno.test("the start is refused if the remote store does not answer, or the token is wrong or missing", async () => {
  const url = `http://127.0.0.1:${freePort()}/kv`;
  await refused({ KV_PATH: url }, ["KV_PATH", "DENO_KV_ACCESS_TOKEN"]);
  await refused({ KV_PATH: url, DENO_KV_ACCESS_TOKEN: "token" }, ["KV_PATH", url]);
  await using remote = new RemoteKv();
  remote.faults = { all: "refused" };
  await refused({ KV_PATH: remote.url, DENO_KV_ACCESS_TOKEN: "wrong" }, ["KV_PATH", remote.url]);
});

Deno.test("a TLS file that is missing, no PEM, or does not match the other one is refused before anything listens", () =>
  inFolder(async (dir) => {
    const KV_PATH = `${dir}/kv.sqlite`;
    const [key, cert] = [tls("sns.key.pem"), tls("sns.cert.pem")];
    const pair = (SMTP_LISTEN_TLS_KEY: string, SMTP_LISTEN_TLS_CERT: string) => ({
      SMTP_LISTEN_TLS_KEY,
      SMTP_LISTEN_TLS_CERT,
    });
    const missing = `${dir}/missing.pem`, text = `${dir}/text.pem`;
    await Deno.writeTextFile(text, "no pem");
    await throwsWhy(readSmtpTls(pair(missing, cert)), ["SMTP_LISTEN_TLS_KEY", missing]);
    await throwsWhy(readSmtpTls(pair(key, missing)), ["SMTP_LISTEN_TLS_CERT", missing]);
    await throwsWhy(readSmtpTls(pair(text, cert)), ["SMTP_LISTEN_TLS_KEY", text]);
    const other = pair(key, tls("hook_test.cert.pem"));
    await throwsWhy(readSmtpTls(other), ["SMTP_LISTEN_TLS_KEY", key]);
    await refused({ KV_PATH, ...other }, ["SMTP_LISTEN_TLS_KEY", key]);
  }));

Deno.test("a search index that is a folder is refused", () =>
  inFolder(async (dir) => {
    await Deno.mkdir(`${dir}/kv.index.sqlite`);
    await throwsWhy(hold(`${dir}/kv.sqlite`), ["KV_PATH", `${dir}/kv.index.sqlite`]);
  }));

// SPEC: search.encoder_refused
Deno.test("an encoder whose folder is missing or has none is refused", () =>
  inFolder(async (dir) => {
    const KV_PATH = `${dir}/kv.sqlite`;
    const open = (EMBEDDINGS: string) => openService(readSettings("dev", { KV_PATH, EMBEDDINGS }));
    await throwsWhy(open(`${dir}/none/`), ["EMBEDDINGS", `${dir}/none`]);
    await Deno.mkdir(`${dir}/some`);
    await Deno.writeTextFile(`${dir}/some/model.onnx`, "no model");
    await throwsWhy(open(`${dir}/some`), ["EMBEDDINGS", "some/model.onnx"]);
    await refused({ KV_PATH, EMBEDDINGS: "/root/" }, ["EMBEDDINGS", "/root", "permission"]);
  }));

Deno.test("invalid settings end both commands in the same way", () =>
  inFolder(async (dir) => {
    const KV_PATH = `${dir}/kv.sqlite`;
    const wrong = { SMTP_URL: "smtp://" };
    await refused({ KV_PATH, ...wrong }, ["SMTP_URL"], ["start", "dev"]);
    assert.throws(
      () => readSettings("dev", { SENDGRID_WEBHOOK_PUBLIC_KEY: "no key" }),
      /^Error: SENDGRID_WEBHOOK_PUBLIC_KEY [^\n]+$/,
    );
  }));

Deno.test("an SMTP port that is in use is refused in one sentence, before HTTP listens", () =>
  inFolder(async (dir) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const port = String(taken.addr.port);
    const ended = await start("start", { KV_PATH: `${dir}/kv.sqlite`, SMTP_LISTEN_PORT: port });
    assert.ok(ended);
    assert.notEqual(ended.code, 0);
    const message =
      `SMTP_LISTEN_PORT: port ${port} of 127.0.0.1 is in use; set another SMTP_LISTEN_PORT`;
    assert.equal(ended.text, message);
  }));

Deno.test({
  name:
    "only the user of the service can read the files of the store, those of an earlier build too",
  // Windows has no modes.
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder(async (dir) => {
      const path = await usedStore(dir);
      await Deno.chmod(path, 0o644);
      assert.equal(await start("start", { KV_PATH: path }), null);
      assert.equal(await start("dev", { KV_PATH: `${dir}/new/kv.sqlite` }), null);
      for (const folder of [dir, `${dir}/new`]) {
        for await (const { name, isFile } of Deno.readDir(folder)) {
          const { mode } = await Deno.stat(`${folder}/${name}`);
          if (isFile) assert.equal((mode! & 0o777).toString(8), "600", `${folder}/${name}`);
        }
      }
      assert.equal((await Deno.stat(`${dir}/new`)).mode! & 0o777, 0o700);
    }),
});
