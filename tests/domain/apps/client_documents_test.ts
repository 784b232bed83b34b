import assert from "node:assert/strict";
import { ClientDocuments, isDocumentUrl } from "../../../domain/apps/client_documents.ts";
import { FakeClock } from "../../service.ts";
import { ScriptedTarget } from "../webhooks/scripted_target.ts";
import { httpsTarget } from "../../../adapters/webhook_target/https.ts";

const url = "https://app.example/client.json";
const redirect_uris = ["http://127.0.0.1/cb"];

function world() {
  const clock = new FakeClock();
  const webhookTarget = new ScriptedTarget(clock);
  const documents = new ClientDocuments({ webhookTarget, clock });
  const put = (document: unknown, at = url) =>
    webhookTarget.documents.set(
      at,
      typeof document === "string" ? document : JSON.stringify(document),
    );
  return { clock, webhookTarget, documents, put };
}

Deno.test("a client id is the URL of a document if it is https with a path, spelt normally", () => {
  const is = (id: string, insecure = false) =>
    isDocumentUrl({ WEBHOOK_ALLOW_INSECURE: insecure }, id);
  for (const id of [url, "https://app.example:8443/a/b?x=1"]) assert.ok(is(id), id);
  for (
    const id of [
      ...["https://app.example", "https://app.example/", "http://app.example/client.json"],
      ...["https://app.example/a/../b", "https://app.example/x#y", "https://u:p@app.example/x"],
      ...["HTTPS://app.example/x", "https://APP.example/x", "https:/app.example/x", "x"],
      `https://app.example/${"x".repeat(2_048)}`,
    ]
  ) assert.equal(is(id), false, id);
  assert.ok(is("http://127.0.0.1:8000/client.json", true));
});

// SPEC: oauth.documents
Deno.test("a document is read at most once an hour, by many at once too", async () => {
  const { clock, webhookTarget, documents, put } = world();
  put({ client_id: url, client_name: "App", redirect_uris });
  const found = await Promise.all([1, 2, 3].map(() => documents.read(url, "u1")));
  assert.deepEqual(found[0], { clientId: url, name: "App", redirectUris: redirect_uris });
  assert.deepEqual(webhookTarget.reads, [{ url, timeoutMs: 5_000, maxBytes: 16_384 }]);
  clock.advance(3_600_000 - 1);
  put({ client_id: url, client_name: "Renamed", redirect_uris });
  assert.equal((await documents.read(url, "u1")).name, "App");
  clock.advance(1);
  assert.equal((await documents.read(url, "u1")).name, "Renamed");
  assert.equal(webhookTarget.reads.length, 2);
});

// SPEC: oauth.documents
Deno.test("a document counts only if it names its own URL and a redirect that a client may have", async () => {
  const other = /^The client_id in it is another one\.$/, none = /^It has no redirect_uris/;
  const wrong: [unknown, RegExp][] = [
    ["", /^The answer is not JSON\.$/],
    ["not json", /^The answer is not JSON\.$/],
    ["[".repeat(16_000), /^The answer is not JSON\.$/],
    ["[]", other],
    ["null", other],
    [{ client_id: `${url}/`, redirect_uris }, other],
    [{ client_id: url }, none],
    [{ client_id: url, redirect_uris: "https://app.example/cb" }, none],
    [{ client_id: url, redirect_uris: [] }, none],
    [{ client_id: url, redirect_uris: ["javascript:alert(1)", 1, null] }, none],
  ];
  for (const [document, reason] of wrong) {
    const { documents, put } = world();
    put(document);
    await assert.rejects(documents.read(url, "u1"), { name: "DocumentError", message: reason });
  }
  const { documents } = world();
  await assert.rejects(documents.read(url, "u1"), {
    name: "DocumentError",
    message: "The answer had the status 404.",
  });
});

Deno.test("the name of a document is one line of 100 characters without controls; without one it is the host", async () => {
  const nameFor = async (client_name: unknown) => {
    const { documents, put } = world();
    put({ client_id: url, client_name, redirect_uris: ["javascript:x", ...redirect_uris] });
    const client = await documents.read(url, "u1");
    assert.deepEqual(client.redirectUris, redirect_uris);
    return client.name;
  };
  assert.equal(await nameFor("A\u0000B\n\u202Eevil\u2066  app "), "A B evil app");
  assert.equal(await nameFor("😀".repeat(101)), "😀".repeat(100));
  assert.equal(await nameFor("A\ud800B"), "A B");
  for (const none of [undefined, 1, " ", "\u200b", "\u3164\u115f", "\u2800\ufe0f", "\ud800"]) {
    assert.equal(await nameFor(none), "app.example");
  }
});

// SPEC: oauth.documents
Deno.test("a document comes through the guard: no redirect, no more than its bytes, no private address", async () => {
  const answers: Record<string, () => Response> = {
    "/right": () => new Response("x".repeat(100)),
    "/long": () => new Response("x".repeat(101)),
    "/moved": () => Response.redirect("http://127.0.0.1/right", 302),
    "/gone": () => new Response(null, { status: 410 }),
  };
  const methods: string[] = [];
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => {
      methods.push(request.method);
      return answers[new URL(request.url).pathname]();
    },
  );
  const read = (path: string, allowInsecure = true) =>
    httpsTarget({ allowInsecure }).read({
      url: `http://127.0.0.1:${server.addr.port}${path}`,
      timeoutMs: 5_000,
      maxBytes: 100,
    });
  assert.deepEqual(await read("/right"), { ok: true, status: 200, body: "x".repeat(100) });
  const long = await read("/long");
  assert.equal(!long.ok && long.message, "The answer is too long.");
  assert.equal((await read("/moved")).status, 302);
  assert.equal((await read("/gone")).status, 410);
  assert.equal((await read("/right", false)).ok, false);
  assert.deepEqual(methods, ["GET", "GET", "GET", "GET"]);
  const documents = new ClientDocuments({
    webhookTarget: httpsTarget({ allowInsecure: false }),
    clock: new FakeClock(),
  });
  await assert.rejects(documents.read("https://127.0.0.1/client.json", "u1"), {
    name: "DocumentError",
    message: "The URL is not a public address.",
  });
});

Deno.test("an account that names many slow documents does not delay the app of another, and gets an error when it has too many", async () => {
  const clock = new FakeClock();
  const webhookTarget = new ScriptedTarget(clock);
  const asked: string[] = [];
  const slow = Promise.withResolvers<void>();
  webhookTarget.read = async ({ url: at }) => {
    asked.push(at);
    if (at !== url) await slow.promise;
    return { ok: true, status: 200, body: JSON.stringify({ client_id: url, redirect_uris }) };
  };
  const documents = new ClientDocuments({ webhookTarget, clock });
  const many = Array.from(
    { length: 250 },
    (_, n) => documents.read(`https://h${n}.evil.example/c`, "evil").catch((error) => error.code),
  );
  assert.equal((await documents.read(url, "u1")).clientId, url);
  assert.equal(asked.filter((at) => at !== url).length, 2);
  slow.resolve();
  const ends = await Promise.all(many);
  assert.equal(ends.filter((code) => code === "SERVICE_UNAVAILABLE").length, 48);
});
