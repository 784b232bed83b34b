import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { account, deliver, FakeClock, mailbox, message, testService } from "./service.ts";
import { openEmbeddedIndex } from "../adapters/search_index/embedded.ts";
import { bounded } from "./eventually.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The permissions on Deno Deploy: network, environment, the program's own files. No disk, no FFI, no programs. */
const permissions = ["--no-prompt", "--allow-net", "--allow-env", "--allow-read", "--allow-sys"];

Deno.test("as Deno Deploy starts it, the service needs no command, disk, FFI or program: mail comes in and is read", async () => {
  // The attached database: Deno keeps one of its own for each location.
  const location = `http://${crypto.randomUUID()}.localhost`;
  const inbound = "inbound-token-of-the-deploy-test";
  const child = new Deno.Command(Deno.execPath(), {
    cwd: root,
    args: ["run", "--no-check", ...permissions, "--location", location, "main.ts"],
    env: {
      DENO_DEPLOYMENT_ID: "test",
      DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0",
      BASE_URL: "https://mail.example.org",
      SHARED_DOMAINS: "agents.test",
      MX_HOST: "mx.agents.test",
      INBOUND_TOKENS: inbound,
      LOG_FORMAT: "json",
      NO_COLOR: "1",
    },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let log = "";
  try {
    while (!log.includes("service.listening")) {
      const { value, done } = await bounded("it listens", lines.read(), [log]);
      if (done) assert.fail(`ended: ${log}`);
      log += value;
    }
    const { port } = JSON.parse(
      log.split("\n").find((line) => line.includes("service.listening"))!,
    );
    const call = async (path: string, init: RequestInit & { json?: unknown } = {}) => {
      const headers = new Headers(init.headers);
      if (init.json) headers.set("content-type", "application/json");
      const body = init.json ? JSON.stringify(init.json) : init.body;
      const method = init.method ?? (body ? "POST" : "GET");
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
      const parsed = await answer.json();
      assert.ok(answer.ok, `${path} ${answer.status} ${JSON.stringify(parsed)}`);
      return parsed;
    };
    assert.equal((await call("/v1/api/health")).data.status, "ok");
    const who = { email: "deploy@example.org", password: "correct horse battery" };
    await call("/api/auth/register", { json: { ...who, name: "Deploy" } });
    const { accessToken } = (await call("/api/auth/login", { json: who })).data;
    const authorization = `Bearer ${accessToken}`;
    const box = await call("/v1/api/mailboxes", {
      headers: { authorization },
      json: { local_part: "agent-one", domain: "agents.test" },
    });
    await call("/inbound/raw", {
      method: "POST",
      headers: {
        "authorization": `Bearer ${inbound}`,
        "content-type": "message/rfc822",
        "x-envelope-to": box.mailbox.email_address,
        "x-envelope-from": "ada@example.net",
      },
      body: message({ Subject: "On Deploy" }, "The order number is ZX-48213."),
    });
    const { data: emails } = await call("/v1/api/emails", { headers: { authorization } });
    assert.equal(emails[0].subject, "On Deploy");
    const find = { headers: { authorization }, json: { query: "ZX-48213" } };
    let found = await call("/v1/api/search", find);
    for (let tries = 0; found.pending > 0 && tries < 100; tries++) {
      await new Promise((done) => setTimeout(done, 50));
      found = await call("/v1/api/search", find);
    }
    assert.equal(found.results[0]?.email_id, emails[0].email_id);
  } finally {
    child.kill("SIGKILL");
    await child.status;
    await lines.cancel();
  }
});

Deno.test("Deno Deploy finds the schedule when it evaluates the entry module: without settings, and no server starts", async () => {
  const script = `
    const found = [];
    Object.defineProperty(Deno, "cron", {
      value: (name, schedule) => (found.push([name, schedule]), Promise.resolve()),
    });
    Object.defineProperty(Deno, "serve", { value: () => found.push("a server") });
    await import(${JSON.stringify(new URL("../main.ts", import.meta.url).href)});
    console.log(JSON.stringify(found));
  `;
  const { PATH, HOME, DENO_DIR } = Deno.env.toObject();
  // Neither network nor disk: nothing is opened either.
  const flags = ["--no-check", "--no-prompt", "--allow-env", "--allow-read", "--allow-sys"];
  const source = `data:application/javascript,${encodeURIComponent(script)}`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    cwd: root,
    args: ["run", "--config", "deno.json", ...flags, source],
    clearEnv: true,
    env: { PATH, HOME, NO_COLOR: "1", ...DENO_DIR ? { DENO_DIR } : {} },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  assert.equal(text(stdout), '[["jobs left behind","* * * * *"]]', text(stderr));
});

Deno.test("a test service of two instances gives each request to the other one than the request before", async () => {
  let made = 0;
  const ownParts = () => ({ version: `${made++}` });
  await using test = await testService({ instances: 2, ownParts });
  const versions: string[] = [];
  for (let n = 0; n < 4; n++) {
    versions.push((await (await test.request("/v1/api/health")).json()).data.version);
  }
  assert.deepEqual(versions, ["1", "0", "1", "0"]);
  assert.equal(test.service.database.exclusive, false);
});

Deno.test("two instances on one store are one service: each shows the mail of the other, and processes it when the other is gone", async () => {
  const kv = await Deno.openKv(":memory:");
  const clock = new FakeClock();
  // One index for both, as on Deploy a vector service is.
  const searchIndex = openEmbeddedIndex({ path: null });
  {
    const shared = { kv, exclusive: false, parts: { clock, searchIndex } };
    await using one = await testService(shared);
    await using two = await testService(shared);
    const owner = await account(one);
    const box = await mailbox(two, owner);
    const raw = message({ Subject: "Shared", "Message-ID": "<s@example.net>" }, "ZX-48213");
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, i) => deliver(i % 2 ? one : two, box.email_address, raw)),
    );
    assert.equal(results.filter((each) => each.disposition === "accepted").length, 1);
    assert.equal(new Set(results.map((each) => each.email_id)).size, 1);
    await one.settle();
    await two.settle();
    for (const instance of [one, two]) {
      const list = await instance.request("/v1/api/emails", { token: owner.key });
      const [email] = (await list.json()).data;
      assert.deepEqual([email.subject, email.processed], ["Shared", true]);
      const found = await instance.request("/v1/api/search", {
        token: owner.key,
        json: { query: "ZX-48213" },
      });
      assert.equal((await found.json()).results[0].email_id, email.email_id);
    }
    // The first is stopped right after it accepted a mail: its job waits until its lease ends.
    await one.dispatcher.stop();
    const { email_id } = await deliver(one, box.email_address, message({ Subject: "Left" }));
    for (let passed = 0; passed < 60_000; passed += 10_000) await two.advance(10_000);
    const left = await two.request(`/v1/api/emails?subject=Left`, { token: owner.key });
    const [email] = (await left.json()).data;
    assert.deepEqual([email.email_id, email.processed], [email_id, true]);
  }
  kv.close();
});
