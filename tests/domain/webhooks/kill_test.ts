import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { freePort, postMail } from "../../service_process.ts";
import { eventually } from "../../eventually.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const inboundToken = "inbound-token-of-the-tests";

Deno.test("a service that is killed after a receiver got the event, but before its record, delivers it again: same id, same bytes", async () => {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const requests: { id: string; attempt: string; body: string }[] = [];
  const again = Promise.withResolvers<void>();
  let service = start(port, folder);
  const receiver = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const header = (name: string) => request.headers.get(name) ?? "";
      requests.push({
        id: header("webhook-id"),
        attempt: header("x-service-attempt"),
        body: await request.text(),
      });
      if (requests.length === 1) service.kill("SIGKILL");
      else again.resolve();
      return new Response();
    },
  );
  try {
    const { base, key, address } = await up(service, port);
    const webhook = await call(`${base}/v1/api/webhooks`, key, {
      url: `http://127.0.0.1:${receiver.addr.port}/`,
      events: ["email.received"],
    });
    const raw = "From: ada@example.net\r\nSubject: once more\r\n\r\nHello.\r\n";
    const from = "ada@example.net";
    const taken = await postMail(base, address, raw, { from, token: inboundToken });
    assert.equal(taken.status, 200);
    await taken.body?.cancel();
    assert.equal((await service.status).signal, "SIGKILL");
    service = start(port, folder);
    await again.promise;
    const [first, second] = requests;
    assert.deepEqual(second, { ...first, attempt: "1" });
    const log = `${base}/v1/api/webhooks/${webhook.data.webhook_id}/deliveries`;
    // The answer is recorded some milliseconds after the receiver gave it.
    const rows = await eventually("the delivery is recorded", async () => {
      const { data } = await call(log, key);
      return data[0]?.status === "delivered" && data;
    });
    assert.deepEqual(
      rows.map((row: { event_id: string; attempts: unknown[] }) => [
        row.event_id,
        row.attempts.length,
      ]),
      [[first.id, 1]],
    );
    assert.equal(requests.length, 2);
  } finally {
    try {
      service.kill("SIGKILL");
    } catch { /* it is gone already */ }
    await service.status;
    await receiver.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
});

function start(port: number, folder: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "main.ts", "dev"],
    cwd: root,
    env: {
      PORT: String(port),
      KV_PATH: `${folder}/kv.sqlite`,
      INBOUND_TOKENS: inboundToken,
      SMTP_LISTEN_PORT: "0",
      SMTP_SUBMISSION_PORT: "0",
      LOG_LEVEL: "error",
      EMBEDDINGS: "off",
      PLAN_OVERRIDES: JSON.stringify({
        enterprise: { requestsPerMinute: null, requestsPerHour: null },
      }),
    },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

/** Waits for the demonstration account that the first start prints. */
async function up(service: Deno.ChildProcess, port: number) {
  let text = "";
  const decoder = new TextDecoder();
  const found = Promise.withResolvers<void>();
  const wanted = () => [/lbx_\w+/.exec(text)?.[0], /mailbox\s+(\S+@\S+)/.exec(text)?.[1]];
  void (async () => {
    for await (const chunk of service.stdout) {
      text += decoder.decode(chunk, { stream: true });
      if (wanted().every(Boolean)) found.resolve();
    }
  })();
  await found.promise;
  const [key = "", address = ""] = wanted();
  return { base: `http://localhost:${port}`, key, address };
}

async function call(url: string, key: string, json?: unknown) {
  for (let tries = 0;; tries++) {
    try {
      const answer = await fetch(url, {
        method: json === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: json === undefined ? undefined : JSON.stringify(json),
      });
      return await answer.json();
    } catch (error) {
      // It listens a little after it has begun to deliver.
      if (tries === 1_000) throw error;
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}
