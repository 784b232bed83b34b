import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { createApp } from "../../../../routes/app.ts";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";

// SPEC: dashboard.compression
Deno.test("JSON above 1 KiB is compressed if the client accepts gzip; small answers, secrets and streams never", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (let n = 0; n < 5; n++) await deliver(test, box.email_address, message({ Subject: `${n}` }));
  await test.settle();
  const app = createApp(test.service);
  const ask = (path: string, encoding: string, init: RequestInit = {}) => {
    const headers = new Headers({
      authorization: `Bearer ${owner.key}`,
      "accept-encoding": encoding,
      "content-type": "application/json",
    });
    return app.request(path, { ...init, headers });
  };
  const plain = await ask("/v1/api/emails", "identity");
  assert.equal(plain.headers.get("content-encoding"), null);
  assert.equal(plain.headers.get("vary"), "Accept-Encoding");
  const zipped = await ask("/v1/api/emails", "br, gzip;q=0.8");
  assert.equal(zipped.headers.get("content-encoding"), "gzip");
  assert.equal(zipped.headers.get("content-type"), "application/json");
  const text = new TextDecoder().decode(gunzipSync(new Uint8Array(await zipped.arrayBuffer())));
  assert.equal(text, await plain.text());
  const refused = await ask("/v1/api/emails", "gzip;q=0");
  assert.equal(refused.headers.get("content-encoding"), null);
  const small = await ask("/v1/api/mailboxes", "gzip");
  assert.equal(small.headers.get("content-encoding"), null);
  const body = JSON.stringify({
    url: `https://hooks.example.com/${"x".repeat(1_500)}`,
    events: ["email.received"],
  });
  const secret = await ask("/v1/api/webhooks", "gzip", { method: "POST", body });
  assert.equal(secret.status, 201);
  assert.equal(secret.headers.get("content-encoding"), null);
  assert.ok((await secret.json()).data.secret);
  const stream = await ask("/v1/api/events", "gzip");
  assert.equal(stream.headers.get("content-encoding"), null);
  await stream.body?.cancel();
});
