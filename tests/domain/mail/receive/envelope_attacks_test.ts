import assert from "node:assert/strict";
import { RemoteKv } from "../../../remote_kv/remote_kv.ts";
import { post } from "../../../routes/mcp/post.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestOptions,
  testService,
} from "../../../service.ts";
import { catchAllBox } from "./catch_all_box.ts";

/** An account with a catch-all on a domain of its own. */
async function world(domain: string, options: TestOptions = {}) {
  const test = await testService(options);
  const made = await catchAllBox(test, domain);
  const tool = async (name: string, args: object) => {
    const params = { name, arguments: args };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const { body } = await post(test, made.owner.key, message, { path: "/v1/mcp?toolset=full" });
    assert.ok(body.result?.structuredContent, JSON.stringify(body));
    return body.result.structuredContent;
  };
  return {
    ...{ test, ...made, tool },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const ids = (rows: { email_id: string }[]) => rows.map((each) => each.email_id);

Deno.test("the same message to tags of one mailbox, at once on two instances, is one email with every address", async () => {
  await using remote = new RemoteKv({ readMs: [1, 3], writeMs: [2, 6] });
  const test = await testService({ remote, instances: 2 });
  await using _ = test;
  const owner = await account(test);
  await mailbox(test, owner, "many-tags");
  const tags = Array.from({ length: 24 }, (_, n) => `many-tags+t${n}@agents.test`);
  for (let round = 0; round < 3; round++) {
    const raw = message({ "Message-ID": `<r${round}@example.net>`, Subject: `Round ${round}` });
    const results = await Promise.all(tags.map((tag) => deliver(test, tag, raw)));
    await test.settle();
    const [first] = results;
    const accepted = results.filter(({ disposition }) => disposition === "accepted");
    assert.equal(accepted.length, 1);
    assert.ok(results.every(({ email_id }) => email_id === first.email_id));
    const email = await data(
      test.request(`/v1/api/emails/${first.email_id}`, { token: owner.key }),
    );
    assert.deepEqual([...email.envelope_to].sort(), [...tags].sort());
  }
  const all = await data(test.request("/v1/api/emails", { token: owner.key }));
  assert.equal(all.length, 3);
  const counted = await test.request("/api/mailboxes", { token: owner.accessToken });
  const [{ email_count, unread_count }] = (await counted.json()).mailboxes;
  assert.deepEqual([email_count, unread_count], [3, 3]);
});

Deno.test("a further address leaves marks as they are, and brings no deleted email back", async () => {
  const domain = "shop.example";
  await using w = await world(domain);
  const { test, call, take } = w;
  const [{ email_id }] = await take([`one@${domain}`]);
  await test.settle();
  await call(`/emails/${email_id}`, { is_read: true, add_labels: ["done"] }, "PATCH");
  await take([`two@${domain}`]);
  const email = await call(`/emails/${email_id}`);
  assert.deepEqual([email.is_read, email.labels], [true, ["done"]]);
  assert.deepEqual(email.envelope_to, [`one@${domain}`, `two@${domain}`]);
  await call(`/emails/${email_id}`, undefined, "DELETE");
  await test.settle();
  assert.deepEqual(await take([`three@${domain}`, `four@${domain}`]), [
    { recipient: `three@${domain}`, disposition: "duplicate", email_id },
    { recipient: `four@${domain}`, disposition: "duplicate", email_id },
  ]);
  await test.settle();
  assert.deepEqual(await call("/emails"), []);
});

Deno.test("100 addresses are kept over several transactions, and all that come later are answered as duplicates", async () => {
  const domain = "shop.example";
  await using w = await world(domain);
  const { call, take } = w;
  const addresses = Array.from({ length: 150 }, (_, n) => `n${n}@${domain}`);
  let email_id: string | undefined;
  for (let n = 0; n < 150; n += 50) {
    const results = await take(addresses.slice(n, n + 50));
    email_id ??= results[0].email_id;
    assert.ok(results.every((each) => each.email_id === email_id));
    assert.ok(results.every(({ disposition }) => disposition === (n ? "duplicate" : "accepted")));
  }
  assert.deepEqual((await call(`/emails/${email_id}`)).envelope_to, addresses.slice(0, 100));
  assert.deepEqual(ids(await call(`/emails?envelope_to=N99@${domain}`)), [email_id]);
  assert.deepEqual(await call(`/emails?envelope_to=n100@${domain}`), []);
});

Deno.test("envelope_to finds an address whose domain is written in Unicode or in ASCII, composed or not, in any case", async () => {
  const domain = "xn--bcher-kva.example";
  await using w = await world(domain);
  const { test, call, take, tool } = w;
  const [first] = await take(["José+7@bücher.example"], message({ Subject: "Engine" }));
  const [second] = await take([`other@${domain}`], message({ Subject: "Engine two" }));
  await test.settle();
  const shown = (await call(`/emails/${first.email_id}`)).envelope_to;
  assert.deepEqual(shown, ["José+7@bücher.example"], "as given");
  for (
    const asked of [
      "José+7@bücher.example",
      "josé+7@BÜCHER.example",
      "josé+7@xn--bcher-kva.example",
      "jose\u0301+7@bu\u0308cher.example",
      "josé+7@bücher.example.",
    ]
  ) {
    const query = new URLSearchParams({ envelope_to: asked });
    assert.deepEqual(ids(await call(`/emails?${query}`)), [first.email_id], asked);
    assert.deepEqual(
      ids((await tool("list_emails", { envelope_to: asked })).emails),
      [first.email_id],
      asked,
    );
    assert.deepEqual(
      ids((await tool("search_emails", { query: "engine", envelope_to: asked })).results),
      [first.email_id],
      asked,
    );
  }
  const unicode = new URLSearchParams({ envelope_to: "other@bücher.example" });
  assert.deepEqual(ids(await call(`/emails?${unicode}`)), [second.email_id]);
});

Deno.test("envelope_to is a whole address: no wildcard, no part, no address of another account finds mail", async () => {
  const domain = "shop.example";
  await using w = await world(domain);
  const { test, call, take, tool, box } = w;
  const stranger = await account(test);
  const foreign = await mailbox(test, stranger);
  const [{ email_id }] = await take([`orders+7@${domain}`], message({ Subject: "Engine" }));
  await deliver(test, foreign.email_address, message({ Subject: "Engine" }));
  await test.settle();
  for (
    const asked of [
      ...["*", `*@${domain}`, `%@${domain}`, `@${domain}`, domain, `orders@${domain}`, `orders+7`],
      ...[`orders+7@${domain}.evil.example`, `.*@${domain}`, foreign.email_address, "+7", " "],
    ]
  ) {
    const query = new URLSearchParams({ envelope_to: asked });
    assert.deepEqual(await call(`/emails?${query}`), [], asked);
    const claims = { mailbox_id: box.mailbox_id, envelope_to: asked };
    assert.deepEqual((await tool("claim_emails", claims)).claims, [], asked);
    const wait = { envelope_to: asked, timeout_seconds: 0 };
    assert.equal((await tool("wait_for_email", wait)).timed_out, true, asked);
  }
  const asked = `ORDERS+7@${domain}`;
  assert.equal(
    (await tool("wait_for_email", { envelope_to: asked, timeout_seconds: 0 })).email.email_id,
    email_id,
  );
  const claims = { mailbox_id: box.mailbox_id, envelope_to: asked };
  assert.deepEqual(
    (await tool("claim_emails", claims)).claims.map((each: { email: { email_id: string } }) =>
      each.email.email_id
    ),
    [email_id],
  );
});

Deno.test("who waits for an address gets the email when a duplicate adds it", async () => {
  const domain = "shop.example";
  await using w = await world(domain);
  const { test, call, take } = w;
  const since = new Date(test.clock.now()).toISOString();
  const [{ email_id }] = await take([`one@${domain}`]);
  await test.settle();
  const waiting = call(`/emails/wait?envelope_to=two@${domain}&since=${since}&timeout_seconds=30`);
  await test.waiting(1);
  await take([`two@${domain}`]);
  const { email } = await waiting;
  assert.equal(email.email_id, email_id);
});

Deno.test("search finds an email by an address that a duplicate added", async () => {
  const domain = "shop.example";
  await using w = await world(domain);
  const { test, take, tool } = w;
  const text = message({ To: "list@lists.example", Subject: "Engine" });
  const [{ email_id }] = await take([`one@${domain}`], text);
  await test.settle();
  await take([`two@${domain}`], text);
  const found = async (envelope_to: string) =>
    ids((await tool("search_emails", { query: "engine", envelope_to })).results);
  assert.deepEqual(await found(`one@${domain}`), [email_id]);
  assert.deepEqual(await found(`two@${domain}`), [email_id]);
  assert.deepEqual(await found(`three@${domain}`), []);
});
