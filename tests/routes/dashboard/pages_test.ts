import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { createApp } from "../../../routes/app.ts";
import { account, testService } from "../../service.ts";

const html = "text/html,application/xhtml+xml,*/*;q=0.8";

// SPEC: dashboard.root
Deno.test("/ leads a browser to the dashboard, and is 404 for everybody else", async () => {
  await using test = await testService();
  const app = createApp(test.service);
  const lead = await app.request("/", { headers: { accept: html } });
  assert.equal(lead.status, 302);
  assert.equal(lead.headers.get("location"), "/app/");
  assert.equal((await app.request("/app", { headers: { accept: html } })).status, 302);
  for (const accept of ["*/*", "application/json", "text/*", "text/html;q=0", ""]) {
    const answer = await test.request("/", { headers: { accept } });
    assert.equal(answer.status, 404, accept);
    assert.equal((await answer.json()).error.code, "NOT_FOUND");
  }
});

// SPEC: dashboard.pages
Deno.test("every page of /app/ is the shell with its policy; its files are immutable and count in no window", async () => {
  await using test = await testService();
  const owner = await account(test);
  const app = createApp(test.service);
  const page = await app.request("/app/mail/all?direction=inbound", {
    headers: { cookie: owner.cookie },
  });
  const text = await page.text();
  assert.equal(page.status, 200);
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.equal(page.headers.get("x-ratelimit-limit"), null);
  assert.equal(page.headers.get("cache-control"), "private, no-cache");
  assert.equal(page.headers.get("cross-origin-opener-policy"), "same-origin");
  const policy = page.headers.get("content-security-policy")!;
  for (
    const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]
  ) assert.ok(policy.includes(rule), rule);
  const again = await app.request("/app/mail/all", {
    headers: { cookie: owner.cookie, "if-none-match": page.headers.get("etag")! },
  });
  assert.equal(again.status, 304);
  const script = /<script type="module" src="([^"]+)"/.exec(text)![1];
  const plain = await app.request(script);
  assert.equal(plain.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(plain.headers.get("x-ratelimit-limit"), null);
  assert.equal(plain.headers.get("vary"), "Accept-Encoding");
  const zipped = await app.request(script, { headers: { "accept-encoding": "gzip, br" } });
  assert.equal(zipped.headers.get("content-encoding"), "gzip");
  const code = new Uint8Array(await plain.arrayBuffer());
  const unzipped = gunzipSync(new Uint8Array(await zipped.arrayBuffer()));
  assert.deepEqual(new Uint8Array(unzipped), code);
});

Deno.test("a page and its files answer only GET and HEAD, and unknown files are 404", async () => {
  await using test = await testService();
  const app = createApp(test.service);
  assert.equal((await app.request("/app/", { method: "HEAD" })).status, 200);
  const posted = await test.request("/app/", { method: "POST", json: {} });
  assert.equal(posted.status, 405);
  assert.equal(posted.headers.get("allow"), "GET, HEAD");
  for (
    const path of ["/assets/none/main.tsx", "/assets/../deno.json", "/assets/%2e%2e/deno.json"]
  ) {
    assert.equal((await test.request(path)).status, 404, path);
  }
});
