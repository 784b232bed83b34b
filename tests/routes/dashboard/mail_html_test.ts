import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../../service.ts";

const htmlMail = (html: string) => message({ "Content-Type": "text/html; charset=utf-8" }, html);

// SPEC: dashboard.html
Deno.test("GET /api/emails/{id}/html is a separate document, sanitised, with a policy that runs nothing", async () => {
  await using test = await testService({ env: { BASE_URL: "https://mail.example.org" } });
  const owner = await account(test), stranger = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(
    test,
    box.email_address,
    htmlMail(
      "<p onclick=a()>Hello<script>a()</script><img src='https://evil.example/a.png'></p>\n",
    ),
  );
  await test.settle();
  const path = `/api/emails/${email_id}/html`;
  const answer = await test.request(path, { token: owner.accessToken });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
  assert.equal(
    answer.headers.get("content-security-policy"),
    "default-src 'none'; img-src https://mail.example.org/api/emails/ data:; style-src 'unsafe-inline'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
  );
  const shown = await answer.text();
  assert.match(shown, /<body data-blocked-images="1">/);
  assert.match(shown, /Hello/);
  assert.doesNotMatch(shown, /script|onclick|evil\.example/);
  const loaded = await test.request(`${path}?images=remote`, { token: owner.accessToken });
  const policy = loaded.headers.get("content-security-policy")!;
  assert.match(policy, /img-src https:\/\/mail\.example\.org\/api\/emails\/ data: https: http:;/);
  assert.doesNotMatch(policy, /allow-scripts/);
  assert.match(await loaded.text(), /src="https:\/\/evil\.example\/a\.png"/);
  assert.equal((await test.request(path, { token: stranger.accessToken })).status, 404);
  for (const query of ["?images=all", "?image=remote"]) {
    const wrong = await test.request(path + query, { token: owner.accessToken });
    assert.equal(wrong.status, 400, query);
  }
});

// SPEC: dashboard.html
Deno.test("HTML that cannot be shown and mail without HTML show their text, with the reason", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const shown = async (raw: string) => {
    const { email_id } = await deliver(test, box.email_address, raw);
    await test.settle();
    const path = `/api/emails/${email_id}/html`;
    const answer = await test.request(path, { token: owner.accessToken });
    assert.equal(answer.status, 200);
    return await answer.text();
  };
  const deep = await shown(htmlMail(`Words.${"<div>".repeat(20_000)}\n`));
  assert.match(deep, /nested too deeply to show\. This is its text:/);
  assert.match(deep, /<pre>Words\./);
  const plain = await shown(message({}, "Only <b>text</b>.\n"));
  assert.match(plain, /This message has no HTML\./);
  assert.match(plain, /Only &lt;b&gt;text&lt;\/b&gt;\./);
});
