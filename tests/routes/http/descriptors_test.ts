import assert from "node:assert/strict";
import { SmtpTalk } from "../inbound/smtp_talk.ts";
import { patience } from "../../nightly.ts";
import { eventually } from "../../eventually.ts";
import { freePort, startProcess } from "../../service_process.ts";

/** Returns how long it took until `answers` is true; throws after ten seconds, by day after fifty. */
async function secondsUntil(answers: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  while (!await answers()) {
    assert.ok(performance.now() - from < 10_000 * patience, "no answer");
    await new Promise((done) => setTimeout(done, 100));
  }
  return (performance.now() - from) / 1_000;
}

/** Whether `work` succeeds within a second. */
async function succeeds(work: () => Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((done) => timer = setTimeout(() => done(false), 1_000));
  return await Promise.race([work().catch(() => false), late]).finally(() => clearTimeout(timer));
}

for (const flooded of ["HTTP", "SMTP"]) {
  Deno.test({
    name:
      `if idle connections to ${flooded} take every descriptor this is logged, and both ports answer within 5 s after some are free`,
    ignore: Deno.build.os !== "linux",
    // A request without an answer within a second is abandoned.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const dir = await Deno.makeTempDir();
      const port = freePort(), smtpPort = freePort();
      const lines: string[] = [];
      const service = startProcess({
        dir,
        port,
        env: { SMTP_LISTEN_PORT: String(smtpPort), LOG_LEVEL: "info" },
        within: ["prlimit", "--nofile=100"],
        output: (text) => lines.push(text),
      });
      try {
        assert.ok(await service.up, lines.join(""));
        const idle: Deno.TcpConn[] = [];
        const target = flooded === "HTTP" ? port : smtpPort;
        for (let n = 0; n < 150; n++) {
          const connection = await Deno.connect({ hostname: "127.0.0.1", port: target })
            .catch(() => null);
          if (connection) idle.push(connection);
        }
        // Both listeners lack descriptors.
        const others = [port, smtpPort, port, smtpPort].map((port) =>
          Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null)
        );
        // Both listeners try again at growing pauses, and fail, for some time.
        await new Promise((done) => setTimeout(done, 3_000));
        for (const each of [...idle, ...await Promise.all(others)]) each?.close();
        const http = () =>
          succeeds(async () => {
            const answer = await fetch(`${service.base}/v1/api/health`);
            await answer.body?.cancel();
            return answer.ok;
          });
        const smtp = () =>
          succeeds(async () => {
            using talk = await SmtpTalk.connect(smtpPort);
            return /^250/m.test(await talk.say("EHLO sender.example"));
          });
        const [httpSeconds, smtpSeconds] = await Promise.all([http, smtp].map(secondsUntil));
        assert.ok(httpSeconds < 5 * patience, `HTTP: ${httpSeconds} s`);
        assert.ok(smtpSeconds < 5 * patience, `SMTP: ${smtpSeconds} s`);
        assert.match(lines.join(""), /"event":"(http|smtp)\.accept_failed"/);
        await service.stop();
        assert.equal((await service.exited).code, 0, lines.join(""));
      } finally {
        await service.kill();
        await Deno.remove(dir, { recursive: true });
      }
    },
  });
}

Deno.test({
  name: "a start under a limit of open files with which nobody could log in is refused",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const dir = await Deno.makeTempDir();
    const lines: string[] = [];
    const service = startProcess({
      dir,
      port: freePort(),
      within: ["prlimit", "--nofile=64"],
      output: (text) => lines.push(text),
    });
    try {
      assert.equal(await service.up, false, "it runs");
      assert.equal((await service.exited).code, 1);
      assert.match(lines.join(""), /^too few open files are allowed: raise the limit .*\n$/);
    } finally {
      await service.kill();
      await Deno.remove(dir, { recursive: true });
    }
  },
});

/** Sends a login of nobody over an open connection, and returns the status. */
function logIn(connection: Deno.TcpConn): Promise<number> {
  const body = JSON.stringify({ email: "nobody@example.org", password: "correct horse battery" });
  const head = "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json";
  return ask(connection, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

async function ask(connection: Deno.TcpConn, request: string): Promise<number> {
  await connection.write(new TextEncoder().encode(request));
  const answer = new Uint8Array(1_000);
  const length = await connection.read(answer);
  return Number(new TextDecoder().decode(answer.subarray(0, length ?? 0)).split(" ")[1]);
}

Deno.test({
  name:
    "a request that needs a thread or a file is 503 while there are no descriptors, and the process goes on",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const dir = await Deno.makeTempDir();
    const port = freePort();
    const lines: string[] = [];
    const service = startProcess({
      dir,
      port,
      within: ["prlimit", "--nofile=100"],
      output: (text) => lines.push(text),
    });
    const connect = () => Deno.connect({ hostname: "127.0.0.1", port });
    const connections: Deno.TcpConn[] = [];
    try {
      assert.ok(await service.up, lines.join(""));
      for (let n = 0; n < 100; n++) {
        const connection = await connect().catch(() => null);
        if (connection) connections.push(connection);
      }
      await eventually(
        "no descriptor is left",
        () => lines.join("").includes("http.accept_failed"),
      );
      // The first connection was accepted before there were none.
      assert.equal(await logIn(connections[0]), 503);
      assert.equal(await ask(connections[1], "GET /app/ HTTP/1.1\r\nHost: localhost\r\n\r\n"), 503);
      for (const each of connections.splice(0)) each.close();
      await secondsUntil(async () => {
        using later = await connect().catch(() => null);
        return later !== null && await logIn(later).catch(() => 0) === 401;
      });
      const page = await fetch(`${service.base}/app/`);
      assert.match(await page.text(), /<script type="module"/);
      await service.stop();
      assert.equal((await service.exited).code, 0, lines.join(""));
    } finally {
      for (const each of connections) each.close();
      await service.kill();
      await Deno.remove(dir, { recursive: true });
    }
  },
});
