import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { searchFor } from "../search/semantic_service.ts";

const parts = [
  "--b\r\nContent-Type: text/plain\r\n\r\nHello, the figures are attached.\r\n",
  "--b\r\nContent-Type: text/csv; name=budget-2031.csv\r\n" +
  "Content-Disposition: attachment; filename=budget-2031.csv\r\n" +
  "Content-Transfer-Encoding: base64\r\n\r\n" +
  `${btoa("item;amount\r\ntrampoline;4200\r\nreference;QX-771-R\r\n")}\r\n`,
  "--b\r\nContent-Type: application/pdf; name=floorplan.pdf\r\n" +
  "Content-Disposition: attachment; filename=floorplan.pdf\r\n" +
  `Content-Transfer-Encoding: base64\r\n\r\n${btoa("%PDF zeppelin hangar")}\r\n--b--\r\n`,
];

Deno.test("search finds an email by its attachments' names and by the text of text attachments, with the passage", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const type = "multipart/mixed; boundary=b";
  const { email_id } = await deliver(
    test,
    box.email_address,
    message({ Subject: "Figures", "MIME-Version": "1.0", "Content-Type": type }, parts.join("")),
  );
  await deliver(test, box.email_address, message({ Subject: "Other" }, "Nothing of it."));
  await test.settle();
  for (
    const [query, passage] of [
      ["trampoline", /trampoline;4200/],
      ["QX-771-R", /QX-771-R/],
      ["floorplan", /figures are attached/],
      ["budget-2031.csv", /figures are attached/],
    ] as const
  ) {
    const { results } = await searchFor(test, owner, query);
    assert.deepEqual(results.map((hit) => hit.email_id), [email_id], query);
    assert.match(results[0].snippet, passage, query);
  }
  // The content of a file that is not text is not indexed.
  assert.deepEqual((await searchFor(test, owner, "zeppelin")).results, []);
});

Deno.test("search finds an email by the text of messages that are attached to it, small and large", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const attached = (name: string, text: string) =>
    `--b\r\nContent-Type: message/rfc822; name=${name}.eml\r\n` +
    `Content-Disposition: attachment; filename=${name}.eml\r\n\r\n` +
    `From: Ann <ann@x.example>\r\nSubject: The ${name} one\r\n\r\n${text}\r\n`;
  const body = "--b\r\nContent-Type: text/plain\r\n\r\nSee the attached mail.\r\n" +
    attached("velvet", "Quartzite is meant.") +
    attached("copper", `${"Nothing yet.\r\n".repeat(3_000)}Basalt is meant.`) + "--b--\r\n";
  const type = "multipart/mixed; boundary=b";
  const { email_id } = await deliver(
    test,
    box.email_address,
    message({ Subject: "Forwards", "MIME-Version": "1.0", "Content-Type": type }, body),
  );
  await test.settle();
  for (const query of ["quartzite", "basalt", "velvet one", "copper one"]) {
    const { results } = await searchFor(test, owner, query);
    assert.deepEqual(results.map((hit) => hit.email_id), [email_id], query);
  }
});
