import assert from "node:assert/strict";
import { httpsTarget, type HttpsTargetOptions } from "../../../adapters/webhook_target/https.ts";
import type { WebhookPost } from "../../../domain/ports/webhook_target.ts";
import { answer, type Behaviour, certificate, rawReceiver } from "./receiver.ts";

const loopback = { address: "127.0.0.1", family: 4 };
const toLoopback = () => Promise.resolve([loopback]);

/** Reaches a receiver on loopback under the name of its certificate, TLS verified. */
const reachable: HttpsTargetOptions = {
  allowInsecure: true,
  resolve: toLoopback,
  ca: certificate,
};

function request(url: string, timeoutMs = 2_000): WebhookPost {
  return { url, headers: { "content-type": "application/json" }, body: '{"a":"ü"}', timeoutMs };
}

/** No connection was tried. */
const refusal = /^The URL .*\.$|leads to an address that is not public\.$/;

async function outcomeOf(behave: Behaviour, timeoutMs = 2_000) {
  await using receiver = rawReceiver(behave);
  const outcome = await httpsTarget({ allowInsecure: true })
    .post(request(`http://127.0.0.1:${receiver.port}/hook`, timeoutMs));
  const { durationMs, ...rest } = outcome;
  return { ...rest, durationMs, connections: receiver.connections };
}

/** Addresses that must not be reached, with the port of a real listener. */
const refusedHosts = [
  ..."127.0.0.1 127.1 2130706433 0177.0.0.1 0x7f.1 0 0.0.0.0 ①②⑦.0.0.1 [::] [::1]".split(" "),
  ..."[::ffff:127.0.0.1] [::ffff:a9fe:a9fe] [64:ff9b::7f00:1] [2002:7f00:1::] [fe80::1]".split(" "),
  ..."[fc00::1] [fd00:ec2::254] localhost localhost. ｌocalhost LOCALHOST x.localhost".split(" "),
  ..."10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1 169.254.169.254".split(" "),
  ..."192.0.0.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255".split(" "),
  ..."metadata.google.internal 127.0.0.1.nip.io user@127.0.0.1 example.com@127.0.0.1".split(" "),
  "127.0.0.1\\@example.com",
];

// SPEC: webhooks.targets
Deno.test("https target refuses every private address at creation and at delivery: no connection reaches a canary", async () => {
  await using canary = rawReceiver((_, write) => write(answer(200)), { tls: true });
  await using canary6 = rawReceiver((_, write) => write(answer(200)), {
    tls: true,
    hostname: "::1",
    port: canary.port,
  });
  const target = httpsTarget({ allowInsecure: false, ca: certificate });
  for (const host of refusedHosts) {
    const url = `https://${host.replace(/(?=\\|$)/, `:${canary.port}`)}/`;
    assert.equal((await target.check(url)).ok, false, url);
    const outcome = await target.post(request(url));
    assert.match(outcome.ok ? "answered" : outcome.message, refusal, url);
  }
  assert.deepEqual([canary.connections, canary6.connections], [0, 0]);
});

Deno.test("https target refuses at delivery a name that was public at creation and now resolves to loopback", async () => {
  await using canary = rawReceiver((_, write) => write(answer(200)), { tls: true });
  const answers = [[{ address: "93.184.215.14", family: 4 }], [loopback]];
  const target = httpsTarget({
    allowInsecure: false,
    ca: certificate,
    resolve: () => Promise.resolve(answers.shift() ?? []),
  });
  const url = `https://hook.test:${canary.port}/`;
  assert.deepEqual(await target.check(url), { ok: true });
  const { durationMs: _, ...outcome } = await target.post(request(url));
  assert.deepEqual(outcome, {
    ok: false,
    message: "hook.test leads to an address that is not public.",
    status: null,
  });
  assert.equal(canary.connections, 0);
});

Deno.test("https target refuses a name with one public and one private address", async () => {
  await using canary = rawReceiver((_, write) => write(answer(200)), {
    tls: true,
    hostname: "::1",
  });
  for (
    const mixed of [
      [{ address: "93.184.215.14", family: 4 }, { address: "::1", family: 6 }],
      [{ address: "::1", family: 6 }, { address: "93.184.215.14", family: 4 }],
    ]
  ) {
    const target = httpsTarget({ allowInsecure: false, resolve: () => Promise.resolve(mixed) });
    const url = `https://hook.test:${canary.port}/`;
    assert.deepEqual(await target.check(url), {
      ok: false,
      reason: "The URL's host name leads to an address that is not public.",
    });
    const outcome = await target.post(request(url));
    assert.match(outcome.ok ? "answered" : outcome.message, refusal);
  }
  assert.equal(canary.connections, 0);
});

Deno.test("check() accepts a name that does not resolve; post() says that it does not", async () => {
  const target = httpsTarget({
    allowInsecure: false,
    resolve: () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })),
  });
  assert.deepEqual(await target.check("https://gone.example.com/"), { ok: true });
  const { durationMs: _, ...outcome } = await target.post(request("https://gone.example.com/"));
  assert.deepEqual(outcome, {
    ok: false,
    message: "The host name does not resolve.",
    status: null,
  });
});

Deno.test("the system's resolver is asked by default, and its refusal is the failure", async () => {
  const target = httpsTarget({ allowInsecure: true });
  const outcome = await target.post(request("https://nothing.invalid/"));
  assert.equal(outcome.ok ? "answered" : outcome.message, "The host name does not resolve.");
});

Deno.test("post() asks the resolver for every connection: no socket is used twice", async () => {
  await using receiver = rawReceiver((_, write) => write(answer(200)), { tls: true });
  let asked = 0;
  const target = httpsTarget({
    ...reachable,
    resolve: () => (asked++, toLoopback()),
  });
  for (let i = 0; i < 3; i++) {
    const outcome = await target.post(request(`https://hook.test:${receiver.port}/`));
    assert.equal(outcome.ok && outcome.status, 200);
  }
  assert.deepEqual([asked, receiver.connections], [3, 3]);
});

Deno.test("post() sends method, path, host, headers and the body byte for byte", async () => {
  await using receiver = rawReceiver((_, write) => write(answer(204)), { tls: true });
  const outcome = await httpsTarget(reachable).post({
    url: `https://hook.test:${receiver.port}/in?key=1`,
    headers: { "content-type": "application/json", "webhook-id": "evt_1" },
    body: '{"subject":"Grüße 👋"}',
    timeoutMs: 2_000,
  });
  assert.equal(outcome.ok && outcome.status, 204);
  const [head, body] = receiver.requests[0].split("\r\n\r\n");
  assert.equal(body, '{"subject":"Grüße 👋"}');
  assert.equal(head.split("\r\n")[0], "POST /in?key=1 HTTP/1.1");
  const headers = head.toLowerCase().split("\r\n").slice(1).sort();
  assert.deepEqual(headers, [
    "connection: close",
    "content-length: 26",
    "content-type: application/json",
    `host: hook.test:${receiver.port}`,
    "webhook-id: evt_1",
  ]);
});

Deno.test("post() fails on a certificate that is not trusted or is for another name", async () => {
  await using receiver = rawReceiver((_, write) => write(answer(200)), { tls: true });
  const untrusting = httpsTarget({ allowInsecure: true, resolve: toLoopback });
  const untrusted = await untrusting.post(request(`https://hook.test:${receiver.port}/`));
  assert.equal(untrusted.ok ? "answered" : untrusted.message, "The certificate is self-signed.");
  const misnamed = await httpsTarget(reachable).post(
    request(`https://other.test:${receiver.port}/`),
  );
  assert.equal(
    misnamed.ok ? "answered" : misnamed.message,
    "The certificate is for another host name.",
  );
  assert.deepEqual(receiver.requests.filter((text) => text !== ""), []);
});

Deno.test("post() answers a redirect as what it is and does not follow it", async () => {
  await using canary = rawReceiver((_, write) => write(answer(200)));
  for (const status of [301, 302, 303, 307, 308]) {
    const outcome = await outcomeOf((_, write) =>
      write(answer(status, `location: http://127.0.0.1:${canary.port}/\r\n`))
    );
    assert.equal(outcome.ok && outcome.status, status);
    assert.equal(outcome.connections, 1);
  }
  assert.equal(canary.connections, 0);
});

Deno.test("post() gives up at its deadline: no answer, half a header, a body that never ends, a drip", async () => {
  const never = () => new Promise<void>(() => {});
  const behaviours: [number | null, Behaviour][] = [
    [null, never],
    [null, async (_, write) => (await write("HTTP/1.1 200 OK\r\nx-half: "), await never())],
    [200, async (_, write) => (await write("HTTP/1.1 200 OK\r\n\r\nhalf"), await never())],
    [null, async (_, write) => {
      await write("HTTP/1.1 200 OK\r\n");
      while (true) {
        await write("x: y\r\n");
        await new Promise((resume) => setTimeout(resume, 40));
      }
    }],
  ];
  const outcomes = await Promise.all(behaviours.map(async ([status, behave]) => {
    // The test does not wait for receivers that wait forever; it only closes their sockets.
    const receiver = rawReceiver(behave);
    const outcome = await httpsTarget({ allowInsecure: true })
      .post(request(`http://127.0.0.1:${receiver.port}/`, 300));
    receiver[Symbol.asyncDispose]();
    return [status, outcome] as const;
  }));
  for (const [status, { durationMs, ...outcome }] of outcomes) {
    assert.deepEqual(outcome, {
      ok: false,
      message: "No complete answer within 0.3 s.",
      status,
    });
    assert.ok(durationMs >= 295 && durationMs < 600, `${durationMs} ms`);
  }
});

Deno.test("post() gives up at its deadline while the resolver is silent", async () => {
  const target = httpsTarget({ allowInsecure: false, resolve: () => new Promise(() => {}) });
  const outcome = await target.post(request("https://slow.example.com/", 100));
  assert.equal(
    outcome.ok ? "answered" : outcome.message,
    "No complete answer within 0.1 s.",
  );
});

Deno.test("post() fails when the connection is refused, reset, or cut in the body", async () => {
  const closed = rawReceiver(() => {});
  await closed[Symbol.asyncDispose]();
  const refused = await httpsTarget({ allowInsecure: true })
    .post(request(`http://127.0.0.1:${closed.port}/`));
  assert.equal(refused.ok ? "answered" : refused.message, "The connection was refused.");
  const reset = await outcomeOf((connection) => connection.close());
  const cut = await outcomeOf(async (connection, write) => {
    await write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
    connection.close();
  });
  for (const [outcome, status] of [[reset, null], [cut, 200]] as const) {
    assert.ok(!outcome.ok);
    assert.equal(outcome.message, "The connection was cut before the answer was complete.");
    assert.equal(outcome.status, status);
  }
});

Deno.test("post() reads no more than a little of a huge answer, and a status is a status", async () => {
  let written = 0;
  const outcome = await outcomeOf(async (_, write) => {
    await write(`HTTP/1.1 200 OK\r\ncontent-length: ${2 ** 30}\r\n\r\n`);
    for (; written < 2 ** 30; written += 65_536) await write("x".repeat(65_536));
  });
  assert.equal(outcome.ok && outcome.status, 200);
  assert.ok(written < 16 * 2 ** 20, `${written} bytes left the receiver`);
});

Deno.test("post() takes a whole answer although its receiver writes more bytes behind it", async () => {
  const answers = ["204 Any\r\ncontent-length: 2", "204 Any", "200 OK\r\ncontent-length: 1"];
  for (const head of answers) {
    const outcome = await outcomeOf((_, write) => write(`HTTP/1.1 ${head}\r\n\r\nok`));
    assert.deepEqual([outcome.ok, outcome.status], [true, Number(head.slice(0, 3))]);
  }
});

Deno.test("post() gives the first 1,024 bytes of the answer as text, cut between characters", async () => {
  const answerOf = async (body: string) => {
    const outcome = await outcomeOf((_, write) =>
      write(`HTTP/1.1 422 No\r\nconnection: close\r\n\r\n${body}`)
    );
    return outcome.ok ? outcome.answer : outcome.message;
  };
  assert.equal(await answerOf(""), "");
  assert.equal(await answerOf('{"error":"no é"}'), '{"error":"no é"}');
  assert.equal(await answerOf("x".repeat(1_023) + "é" + "y".repeat(9_000)), "x".repeat(1_023));
});

Deno.test("post() fails on a header block without end and on what is not HTTP", async () => {
  const endless = await outcomeOf(async (_, write) => {
    await write("HTTP/1.1 200 OK\r\n");
    for (let i = 0; i < 10_000; i++) await write(`x-${i}: ${"y".repeat(1000)}\r\n`);
  });
  assert.equal(endless.ok ? "answered" : endless.message, "The answer's header is too large.");
  const garbage = await outcomeOf((_, write) => write("220 mail.example.com ESMTP\r\n"));
  assert.equal(garbage.ok ? "answered" : garbage.message, "The answer is not HTTP.");
});

Deno.test("post() that cannot connect keeps no memory: 300 attempts at https, less than 80 MiB", async () => {
  const none = () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
  const target = httpsTarget({ allowInsecure: false, resolve: none });
  const attempts = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () => target.post(request("https://gone.example/"))),
    );
  await attempts(20);
  const before = Deno.memoryUsage().rss;
  for (let n = 0; n < 3; n++) await attempts(100);
  const grown = (Deno.memoryUsage().rss - before) / 2 ** 20;
  assert.ok(grown < 80, `${grown} MiB`);
});
