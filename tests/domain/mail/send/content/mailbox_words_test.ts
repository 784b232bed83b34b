import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../../service.ts";

async function world() {
  const test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const post = (path: string, json: unknown, method = "POST") =>
    data(test.request(`/v1/api${path}`, { method, json, token: owner.key }));
  const get = (path: string) => data(test.request(`/v1/api${path}`, { token: owner.key }));
  await test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
    method: "PATCH",
    json: { display_name: "Order Desk", signature: "Order Desk\n<Example & Co>" },
    token: owner.key,
  });
  return { test, box, post, get, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

const text = "-- \nOrder Desk\n<Example & Co>";
const html = "<br><div>-- <br>Order Desk<br>&lt;Example &amp; Co&gt;</div>";

Deno.test("a send has the mailbox's name in From and its signature below the words, in text and HTML", async () => {
  await using w = await world();
  const { box, post, get } = w;
  const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", subject: "s" };
  const both = { body_text: "Hello.\n\n", body_html: "<html><body><p>Hello.</p></body></html>" };
  const { email_id } = await post("/emails/send", { ...mail, ...both });
  const sent = await get(`/emails/${email_id}`);
  assert.deepEqual([sent.from, sent.from_name], [box.email_address, "Order Desk"]);
  assert.equal(sent.body_text.trimEnd(), `Hello.\n\n${text}`);
  assert.ok(sent.body_html.includes(`<p>Hello.</p>${html}</body>`), sent.body_html);
  const own = await post("/emails/send", {
    ...{ to: "ann@one.example", body_text: "x", from: `Zoe <${box.email_address}>` },
  });
  assert.equal((await get(`/emails/${own.email_id}`)).from_name, "Zoe");
});

Deno.test("a reply and a draft have them when they are made, a changed draft has what is written then", async () => {
  await using w = await world();
  const { test, box, post, get } = w;
  const { email_id } = await deliver(test, box.email_address, message());
  const reply = await post(`/emails/${email_id}/reply`, { body_text: "Yes." });
  const sent = await get(`/emails/${reply.email_id}`);
  assert.deepEqual([sent.from, sent.from_name], [box.email_address, "Order Desk"]);
  assert.equal(sent.body_text.trimEnd(), `Yes.\n\n${text}`);
  const draft = await post("/drafts", {
    mailbox_id: box.mailbox_id,
    to: "ann@one.example",
    body_text: "Soon.",
  });
  assert.equal(draft.body_text, `Soon.\n\n${text}`);
  assert.equal(draft.from, `Order Desk <${box.email_address}>`);
  const changed = await post(`/drafts/${draft.draft_id}`, { body_text: "Later." }, "PATCH");
  assert.equal(changed.body_text, "Later.");
});

Deno.test("the signature stands before the end of the body, whatever letters the HTML has", async () => {
  await using w = await world();
  const { box, post, get } = w;
  // In lower case each is two characters.
  const words = `<p>${"\u0130".repeat(20)}</p>`;
  for (const end of ["</body></html>", "</BODY></HTML>"]) {
    const body_html = `<html><body>${words}${end}`;
    const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_html };
    const sent = await get(`/emails/${(await post("/emails/send", mail)).email_id}`);
    assert.equal(sent.body_html.trim(), `<html><body>${words}${html}${end}`);
  }
});

Deno.test("a forward has the signature above the quoted mail", async () => {
  await using w = await world();
  const { test, box, post, get } = w;
  const { email_id } = await deliver(test, box.email_address, message({}, "The old words.\n"));
  for (const [body_text, above] of [["See below.", "See below.\n\n"], [undefined, ""]]) {
    const made = await post(`/emails/${email_id}/forward`, { to: "ann@one.example", body_text });
    const sent = await get(`/emails/${made.email_id}`);
    assert.deepEqual([sent.from, sent.from_name], [box.email_address, "Order Desk"]);
    assert.ok(sent.body_text.startsWith(`${above}${text}\n\n---------- Forwarded`), sent.body_text);
  }
});
