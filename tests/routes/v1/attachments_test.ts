import assert from "node:assert/strict";
import { dispositionOf } from "../../../routes/v1/attachments.ts";
import { account, data, deliver, mailbox, message, testService } from "../../service.ts";

// SPEC: attachments.name
Deno.test("a download names the file in filename*, whatever characters the name has", async () => {
  const names = ["figures.csv", "Größe (1).pdf", "請求書.pdf", 'a"b;c*d.txt', "x".repeat(250)];
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const parts = names.map((name) =>
    `--b\nContent-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}\n\nx\n`
  );
  const raw = message(
    { "Content-Type": 'multipart/mixed; boundary="b"' },
    `${parts.join("")}--b\nContent-Disposition: attachment\n\nnameless\n--b--\n`,
  );
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const path = `/v1/api/emails/${email_id}`;
  const { attachments } = await data(test.request(path, { token: owner.key }));
  const shown = [];
  for (const { attachment_id } of attachments) {
    const answer = await test.request(`${path}/attachments/${attachment_id}`, { token: owner.key });
    await answer.body?.cancel();
    const header = answer.headers.get("content-disposition")!;
    assert.match(header, /^[\x20-\x7e]*$/);
    const name = /^attachment(?:; filename\*=UTF-8''([\w.~!%-]+))?$/.exec(header);
    assert.ok(name, header);
    shown.push(name[1] === undefined ? null : decodeURIComponent(name[1]));
  }
  assert.deepEqual(shown, [...names.slice(0, 4), "x".repeat(200), null]);
});

Deno.test("no name can end the header", () => {
  assert.equal(
    dispositionOf("a\r\nSet-Cookie: b\ud83d"),
    "attachment; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b%EF%BF%BD",
  );
});
