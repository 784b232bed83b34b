import assert from "node:assert/strict";
import * as keys from "../../../../../domain/store/keys.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../../service.ts";
import { world } from "./content_world.ts";

Deno.test("a reply of HTML alone has the lines of its quote in its text part", async () => {
  await using w = await world();
  const text = "First  line.\nSecond <line>.\n\n> older\n";
  const { email_id } = await deliver(w.test, w.box.email_address, message({}, text));
  const body = { body_text: undefined, body_html: "<p>Yes.</p>", quote: true };
  const reply = (await w.send(body, `/emails/${email_id}/reply`)).data;
  const sent = await w.get(`/emails/${reply.email_id}`);
  assert.match(
    sent.body_text,
    /^Yes\.\n[^]* wrote:\n\n> First  ?line\.\n> Second <line>\.\n>\n>+ ?> older/,
  );
  assert.match(sent.body_html, /First {2}line\.<br>Second &lt;line&gt;\.<br><br>&gt; older/);
});

Deno.test("a reply with quote has the answered text below its words and the signature, without what is hidden", async () => {
  await using w = await world();
  const { test, owner, box, send, call, get } = w;
  await test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
    ...{ method: "PATCH", json: { signature: "Desk" }, token: owner.key },
  });
  const html =
    '<p>First line.</p><p>&gt; older</p><p style="display:none">SECRET</p><script>evil()</script>';
  const fields = { "Content-Type": "text/html", Date: "Fri, 20 Nov 2026 09:00:00 +0000" };
  const { email_id } = await deliver(test, box.email_address, message(fields, html));
  const both = { body_text: "Yes.", body_html: "<p>Yes.</p>", quote: true };
  const reply = (await send(both, `/emails/${email_id}/reply`)).data;
  const sent = await get(`/emails/${reply.email_id}?segments=true`);
  const head = "On Fri, 20 Nov 2026 09:00:00 GMT, Ada <ada@example.net> wrote:";
  assert.equal(
    sent.body_text.trimEnd(),
    `Yes.\n\n-- \nDesk\n\n${head}\n> First line.\n>\n>> older`,
  );
  assert.equal(sent.body_new_text.trim(), "Yes.");
  assert.ok(sent.body_html.includes("<blockquote"));
  assert.ok(sent.body_html.indexOf("Desk") < sent.body_html.indexOf("<blockquote"));
  assert.ok(!/SECRET|evil/.test(sent.body_html));
  const draft = await call("POST", "/drafts", { reply_to_email_id: email_id, ...both });
  assert.equal(draft.body.data.body_text.trimEnd(), sent.body_text.trimEnd());
  const alone = await call("POST", "/drafts", {
    ...{ mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "x", quote: true },
  });
  assert.equal(alone.body.error.details.quote, "needs reply_to_email_id");
});

Deno.test("a quote wants emails:read: it shows the mail, also of a draft and a dry run", async () => {
  await using w = await world();
  const { test, owner, box } = w;
  const { email_id } = await deliver(test, box.email_address, message({}, "The words of Ada."));
  const json = { name: "sender", scopes: ["emails:send"] };
  const { apiKey } = await data(
    test.request("/v1/api/keys", { token: owner.accessToken, json }),
  );
  const post = (path: string, fields: Record<string, unknown>) =>
    test.request(`/v1/api${path}`, { token: apiKey, json: { body_text: "Yes.", ...fields } });
  for (
    const [path, fields] of [
      ["/drafts", { reply_to_email_id: email_id }],
      [`/emails/${email_id}/reply`, {}],
      [`/emails/${email_id}/reply`, { dry_run: true }],
    ] as const
  ) {
    const refused = await post(path, { ...fields, quote: true });
    const text = await refused.text();
    assert.equal(refused.status, 403, path);
    assert.equal(JSON.parse(text).error.details.required_scope, "emails:read");
    assert.ok(!text.includes("words of Ada"));
    assert.ok((await post(path, fields)).ok, "without a quote it may");
  }
});

Deno.test("a quoted mail is read once", async () => {
  // One instance: the reads of its database are counted.
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  const row = JSON.stringify(keys.emailDetails(owner.userId, email_id));
  const { database } = test.service;
  const { get, getMany } = database;
  let reads = 0;
  const count = (key: Deno.KvKey) => reads += Number(JSON.stringify(key) === row);
  database.get = (key, ...more) => (count(key), get.call(database, key, ...more)) as never;
  database.getMany = (all, ...more) =>
    (all.forEach(count), getMany.call(database, all, ...more)) as never;
  const readsOf = async (quote: boolean) => {
    // Its jobs read it too.
    await test.settle();
    reads = 0;
    const json = { body_text: "Yes.", quote };
    await data(test.request(`/v1/api/emails/${email_id}/reply`, { token: owner.key, json }));
    return reads;
  };
  const plain = await readsOf(false);
  assert.ok(plain > 0);
  assert.equal(await readsOf(true), plain);
});
