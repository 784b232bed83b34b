import assert from "node:assert/strict";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../deno.json" with { type: "json" };
import { startSmtpRelay } from "./adapters/mailer/smtp_relay.ts";
import { bounded, eventually } from "./eventually.ts";
import { SmtpTalk } from "./routes/inbound/smtp_talk.ts";
import { message } from "./service.ts";
import {
  call,
  freePort,
  openAccount,
  postMail,
  startFlags,
  startProcess,
  untilListening,
} from "./service_process.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Whether a path is one of these folders, or in one. */
function isWithin(path: string, folders: string[]): boolean {
  return folders.some((folder) => !relative(resolve(root, folder), path).startsWith(".."));
}

/** The folders of the flags `--allow-read` or `--allow-write`. */
function foldersOf(flag: string): string[] {
  return startFlags().filter((each) => each.startsWith(`${flag}=`))
    .flatMap((each) => each.slice(flag.length + 1).split(","));
}

/** The files that a process asked for, from the record that Deno keeps of what it checks. */
async function askedFor(record: string): Promise<{ permission: string; value: string | null }[]> {
  const text = await Deno.readTextFile(record);
  return text.split("\n").filter((line) => line.endsWith("}")).map((line) => JSON.parse(line));
}

Deno.test("dev and start run no program and no native code, and name the folders that they read and write", () => {
  for (const mode of ["dev", "start"] as const) {
    const { command } = config.tasks[mode];
    assert.doesNotMatch(command, /(^| )(-A|-R|-W|-P)\b|--allow-(all|run|ffi)/);
    for (const flag of ["read", "write"]) {
      assert.doesNotMatch(command, new RegExp(`--allow-${flag}( |$)`));
      for (const folder of foldersOf(`--allow-${flag}`)) {
        assert.notEqual(resolve(root, folder), "/", command);
      }
    }
  }
});

Deno.test("dev and start begin in a home folder with a space in its path", async () => {
  const deno = async (args: string[], env: Record<string, string>) => {
    const command = new Deno.Command(Deno.execPath(), { args, cwd: root, env });
    const { code, stdout, stderr } = await command.output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  };
  // The packages are in this cache; another home has none.
  const { denoDir } = JSON.parse(await deno(["info", "--json"], {}));
  const HOME = await Deno.makeTempDir({ prefix: "a b" });
  for (const mode of ["dev", "start"]) {
    const help = await deno(["task", mode, "--help"], { HOME, DENO_DIR: denoDir });
    assert.match(help, /USAGE/);
  }
  await Deno.remove(HOME, { recursive: true });
});

Deno.test("with these permissions mail is received, sent, found and traced, and survives a restart; no access is refused", async () => {
  const dir = await Deno.makeTempDir();
  await using relay = await startSmtpRelay();
  const events: string[] = [];
  const hook = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    events.push(JSON.parse(await request.text()).event);
    return new Response();
  });
  await using collector = startCollector();
  const port = freePort(), smtpPort = freePort();
  const tls = (name: string) => fileURLToPath(new URL(`fixtures/tls/${name}`, import.meta.url));
  // A certificate beside the store, as an administrator may have it.
  await Deno.copyFile(tls("sns.key.pem"), `${dir}/key.pem`);
  await Deno.copyFile(tls("sns.cert.pem"), `${dir}/cert.pem`);
  let log = "";
  const live = (life: number) =>
    startProcess({
      dir,
      port,
      output: (text) => log += text,
      env: {
        SMTP_LISTEN_PORT: String(smtpPort),
        SMTP_LISTEN_TLS_KEY: `${dir}/key.pem`,
        SMTP_LISTEN_TLS_CERT: `${dir}/cert.pem`,
        SMTP_URL: relay.url,
        EMAIL_VERIFICATION: "off",
        WEBHOOK_ALLOW_INSECURE: "1",
        LOG_LEVEL: "debug",
        OTEL_DENO: "true",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: "100",
        DENO_AUDIT_PERMISSIONS: `${dir}/audit-${life}.jsonl`,
      },
    });
  let service = live(1);
  try {
    assert.ok(await service.up, log);
    const { base } = service;
    const { key, mailboxes: [box] } = await openAccount(base, "narrow", 1);
    const url = `http://127.0.0.1:${hook.addr.port}/`;
    await call(`${base}/v1/api/webhooks`, { url, events: ["email.received"] }, key);

    const large = message({ Subject: "large" }, `${"mulberry ".repeat(8)}\n`.repeat(60_000));
    for (const raw of [message({ Subject: "raw" }, "An apricot.\n"), large]) {
      const taken = await postMail(base, box.email_address, raw);
      assert.equal((await taken.json()).data.results[0].disposition, "accepted");
    }
    using smtp = await SmtpTalk.connect(smtpPort);
    assert.match(await smtp.say("EHLO sender.example"), /STARTTLS/);
    await smtp.say("MAIL FROM:<ada@example.org>");
    await smtp.say(`RCPT TO:<${box.email_address}>`);
    await smtp.say("DATA");
    assert.match(await smtp.say("Subject: smtp\r\n\r\nA quince.\r\n."), /^250 /);

    const search = (query: string) => call(`${base}/v1/api/search`, { query }, key);
    for (const word of ["apricot", "mulberry", "quince"]) {
      await eventually(`${word} is found`, async () => (await search(word)).total === 1, [log]);
    }
    await eventually("three events", () => events.length === 3, [log]);
    const sent = {
      mailbox_id: box.mailbox_id,
      to: ["bob@example.net"],
      subject: "Hi",
      body_text: ".",
    };
    await call(`${base}/v1/api/emails/send`, sent, key);
    await eventually("the relay has it", () => relay.taken.length === 1, [log]);
    const tool = await fetch(`${base}/v1/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "search_emails", arguments: { query: "quince" } },
      }),
    });
    assert.match(await tool.text(), /A quince/);

    await (await fetch(`${base}/v1/api/emails/none`)).body?.cancel();
    await eventually(
      "spans name the route, and not the id",
      () => collector.spans.includes("GET /v1/api/emails/:messageId"),
      [log],
    );
    assert.ok(collector.spans.includes("POST /inbound/raw"), collector.spans.join());

    const page = await (await fetch(`${base}/app/`, { headers: { accept: "text/html" } })).text();
    assert.match(page, /<script/);
    // Of a package in Deno's cache.
    const [module] = /[^"]+\/preact[^"]*\.js/.exec(page) ?? [];
    assert.ok(module, page);
    const served = await fetch(new URL(module, `${base}/app/`));
    assert.equal(served.status, 200);
    await served.body?.cancel();

    await service.kill();
    service = live(2);
    assert.ok(await service.up, log);
    assert.equal((await search("mulberry")).total, 1);
    await service.stop();
    assert.equal((await service.exited).code, 0);

    assert.doesNotMatch(log, /NotCapable|Requires \w+ access/);
    for (const record of ["audit-1.jsonl", "audit-2.jsonl"]) {
      const asked = await askedFor(`${dir}/${record}`);
      assert.ok(asked.some(({ value }) => value?.startsWith(dir)), "Deno kept a record");
      for (const { permission, value } of asked) {
        assert.ok(permission !== "run" && permission !== "ffi", `${permission} ${value}`);
        if (permission !== "read" && permission !== "write") continue;
        assert.ok(
          value !== null && isWithin(value, foldersOf(`--allow-${permission}`)),
          `${permission} ${value}`,
        );
      }
    }
  } finally {
    await service.kill();
    await hook.shutdown();
    await Deno.remove(dir, { recursive: true });
  }
});

/** A collector of OpenTelemetry, and the names of the spans that it got as OTLP in JSON. */
function startCollector() {
  const spans: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body = await request.json();
    for (const { scopeSpans } of body.resourceSpans ?? []) {
      for (const scope of scopeSpans) for (const { name } of scope.spans) spans.push(name);
    }
    return Response.json({});
  });
  return {
    spans,
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Runs a command of a shell in the project until the service listens or it ends; returns what it wrote. */
async function run(command: string, env: Record<string, string>): Promise<string> {
  const child = new Deno.Command("sh", {
    cwd: root,
    // `exec` replaces the shell, so that a kill ends the service.
    args: ["-c", `exec ${command}`],
    env: {
      PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
      NO_COLOR: "1",
      PORT: String(freePort()),
      LOG_FORMAT: "json",
      ...env,
    },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const ended = bounded("it listens or ends", untilListening(child), [], 60_000);
  const { text } = await ended.finally(() => {
    try {
      child.kill("SIGKILL");
    } catch { /* it has ended */ }
  });
  return text;
}

/** A folder that this test may write, and the service with its own permissions may not. */
async function writableElsewhere(): Promise<string> {
  for (const folder of ["/var/tmp", "/dev/shm", Deno.env.get("HOME"), `${root}coverage`]) {
    if (!folder || isWithin(folder, foldersOf("--allow-write"))) continue;
    const probe = `${folder}/${crypto.randomUUID()}`;
    try {
      await Deno.mkdir(probe, { recursive: true });
      await Deno.remove(probe);
      return folder;
    } catch { /* another */ }
  }
  throw new Error("every folder that can be written is one of the service's own");
}

Deno.test("a store or a certificate elsewhere is refused in one sentence; the command in it starts the service", async () => {
  const folder = await writableElsewhere();
  const dir = `${folder}/it's ${crypto.randomUUID()}`;
  const elsewhere = `/srv/${crypto.randomUUID()}`;
  const start = `deno run ${startFlags().join(" ")} main.ts`;
  const env = { KV_PATH: `${dir}/kv.sqlite`, SMTP_LISTEN_PORT: "0", SMTP_SUBMISSION_PORT: "0" };
  try {
    const refused = await run(`${start} dev`, env);
    assert.match(refused, /^KV_PATH: [^\n]* start it with: deno run [^\n]* main\.ts dev$/);
    assert.ok(refused.includes(env.KV_PATH), refused);
    const [, command] = refused.split("start it with: ");
    assert.match(await run(command, env), /service\.listening/);

    const tls = `${elsewhere}/cert.pem`;
    const both = await run(`${start} dev`, {
      ...env,
      SMTP_LISTEN_TLS_KEY: `${elsewhere}/key.pem`,
      SMTP_LISTEN_TLS_CERT: tls,
    });
    assert.match(both, /^KV_PATH, SMTP_LISTEN_TLS_KEY, SMTP_LISTEN_TLS_CERT: [^\n]*$/);
    assert.ok(both.includes(`--allow-read=${tls} `), both);
  } finally {
    await Deno.remove(dir, { recursive: true }).catch(() => {});
  }
});
