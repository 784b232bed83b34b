import assert from "node:assert/strict";
import { reindex } from "../../../../../domain/indexing/reindex.ts";
import { eventually } from "../../../../eventually.ts";
import { account, deliver, mailbox, type TestAccount, testService } from "../../../../service.ts";
import type { TestService } from "../../../../service.ts";
import { tool } from "../../../../contract/budgets.ts";
import { docx, pdf } from "../../../../adapters/attachment_text/files.ts";

function withFiles(...files: [name: string, type: string, bytes: Uint8Array][]): string {
  const parts = files.map(([name, type, bytes]) =>
    `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
    `Content-Transfer-Encoding: base64\r\n\r\n${bytes.toBase64().replace(/.{76}/g, "$&\r\n")}\r\n`
  );
  return "From: Shop <shop@example.net>\r\nSubject: Your invoice\r\nMessage-ID: <files@example.net>\r\n" +
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee the file.\r\n${
      parts.join("")
    }--b--\r\n`;
}

const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

async function search(test: TestService, owner: TestAccount, query: string): Promise<string[]> {
  const answer = await test.request("/v1/api/search", { token: owner.key, json: { query } });
  return (await answer.json()).results.map((each: { email_id: string }) => each.email_id);
}

Deno.test("the text of attachments is read over REST and MCP, and mail is found by it", async () => {
  await using test = await testService();
  const [owner, stranger] = [await account(test), await account(test)];
  const box = await mailbox(test, owner);
  const raw = withFiles(
    ["invoice.pdf", "application/pdf", pdf("Invoice RX-88213", "Zanzibar 420.00")],
    ["terms.docx", "application/octet-stream", docx("<w:p><w:r><w:t>Xylophone</w:t></w:r></w:p>")],
    ["picture.png", "image/png", new Uint8Array([137, 80, 78, 71])],
    ["broken.docx", word, new Uint8Array(50)],
    ["broken.pdf", "application/pdf", new TextEncoder().encode("%PDF-1.4")],
    ["Offer.eml", "message/rfc822", new TextEncoder().encode("Subject: Offer\r\n\r\nQuartzite")],
    ["status", "message/delivery-status", new TextEncoder().encode("Status: 5.1.1")],
  );
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const path = `/v1/api/emails/${email_id}`;
  const email = (await (await test.request(path, { token: owner.key })).json()).data;
  const ids: string[] = email.attachments.map((each: { attachment_id: string }) =>
    each.attachment_id
  );
  const read = async (n: number, query = "format=text", token = owner.key) => {
    const answer = await test.request(`${path}/attachments/${ids[n]}?${query}`, { token });
    return { status: answer.status, body: await answer.json() };
  };
  const text = "Invoice RX-88213\nZanzibar 420.00";
  const whole = {
    ...{ email_id, attachment_id: ids[0], filename: "invoice.pdf", text },
    ...{ truncated: false, next_offset: null },
  };
  const { download_url, ...data } = (await read(0)).body.data;
  assert.deepEqual(data, whole);
  assert.match(download_url, /\/v1\/api\/downloads\//);
  // The clock stands still, so that both have the same link.
  assert.deepEqual(
    await tool(test, owner, "get_attachment", { email_id, attachment_id: ids[0] }),
    { ...whole, download_url },
  );
  assert.equal((await read(0, "format=text&offset=8")).body.data.text, text.slice(8));
  assert.equal((await read(1)).body.data.text, "Xylophone");
  assert.match(
    (await read(5)).body.data.text,
    /^-+ Forwarded [^]*\nSubject: Offer\n[^]*Quartzite$/,
  );
  assert.equal((await read(6)).body.data.text, "Status: 5.1.1");
  for (const n of [2, 3, 4]) {
    const { status, body } = await read(n);
    assert.deepEqual([status, body.error.code], [422, "NO_TEXT"]);
  }
  for (const query of ["format=pdf", "format=", "max_chars=2000", "format=text&x=1"]) {
    assert.equal((await read(0, query)).status, 400, query);
  }
  assert.equal((await read(0, "format=text", stranger.key)).status, 404);
  const missing = await test.request(`${path}/attachments/att_99?format=text`, {
    token: owner.key,
  });
  assert.equal(missing.status, 404);
  for (const query of ["RX-88213", "zanzibar", "xylophone", "quartzite"]) {
    const found = await eventually(query, async () => {
      const found = await search(test, owner, query);
      return found.length > 0 && found;
    });
    assert.deepEqual(found, [email_id], query);
  }
});

Deno.test("a long text comes in pieces of at most max_chars, which joined are complete", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const text = Array.from({ length: 900 }, (_, n) => `line ${n} "Grüße" 💌`).join("\n");
  const raw = withFiles(["notes.txt", "text/plain", new TextEncoder().encode(text)]);
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const path = `/v1/api/emails/${email_id}`;
  const { attachments: [{ attachment_id }] } =
    (await (await test.request(path, { token: owner.key })).json()).data;
  let joined = "", offset: number | null = 0;
  while (offset !== null) {
    const query = `format=text&max_chars=2500&offset=${offset}`;
    const answer = await test.request(`${path}/attachments/${attachment_id}?${query}`, {
      token: owner.key,
    });
    const json = await answer.text();
    assert.ok(json.length <= 2_500, String(json.length));
    const { data } = JSON.parse(json);
    assert.equal(data.truncated, data.next_offset !== null);
    joined += data.text;
    offset = data.next_offset;
  }
  assert.equal(joined, text);
});

Deno.test("a rebuilt index has the texts of files too, and no mail that was deleted meanwhile", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const raw = withFiles(["invoice.pdf", "application/pdf", pdf("Zanzibar")]);
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  await test.service.searchIndex.reset();
  const { database, jobs } = test.service;
  await database.transact((tx) => void jobs.add(tx, "rebuild_index", { after: null }));
  await test.settle();
  assert.deepEqual(await search(test, owner, "zanzibar"), [email_id]);
  await reindex(test.service);
  await test.settle();
  assert.deepEqual(await search(test, owner, "zanzibar"), [email_id]);
  const gone = await test.request(`/v1/api/emails/${email_id}`, {
    method: "DELETE",
    token: owner.key,
  });
  assert.equal(gone.status, 200);
  const { userId } = owner;
  await database.transact((tx) =>
    void jobs.add(tx, "index_attachments", { userId, emailId: email_id })
  );
  await test.settle();
  assert.deepEqual(await search(test, owner, "zanzibar"), []);
});

Deno.test("the text of a file is read in the charset that its part, or its HTML, declares", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const hello = Uint8Array.of(0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4);
  const page = new TextEncoder().encode('<meta charset="koi8-r"><p>______');
  page.set(hello, page.length - hello.length);
  const raw = withFiles(
    ["a.csv", "text/csv; charset=koi8-r", hello],
    ["b.csv", "application/octet-stream; charset=koi8-r", hello],
    ["c.html", "text/html", page],
  );
  const { email_id } = await deliver(test, box.email_address, raw);
  for (const id of ["att_2", "att_3", "att_4"]) {
    const path = `/v1/api/emails/${email_id}/attachments/${id}?format=text`;
    const { data } = await (await test.request(path, { token: owner.key })).json();
    assert.equal(data.text, "Привет", id);
  }
});
