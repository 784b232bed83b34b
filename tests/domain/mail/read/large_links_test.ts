import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

Deno.test("codes and links of large mail are looked for by the pool of Workers, those of small mail at once", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  const asked: string[] = [];
  const { links, verification } = test.service.parsing;
  test.service.parsing.links = (...of) => (asked.push("links"), links(...of));
  test.service.parsing.verification = (...of) => (asked.push("verification"), verification(...of));
  const found = async (filler: string) => {
    const html =
      `<p>Your code is <b>482913</b>.</p><a href="https://acme.example/verify">Verify</a>`;
    const mail = message({ "Content-Type": "text/html" }, `${html}${filler}\n`);
    const { email_id } = await deliver(test, email_address, mail);
    await test.settle();
    const read = (what: string) =>
      data(test.request(`/v1/api/emails/${email_id}/${what}`, { token: owner.key }));
    const [{ best_code, best_link }, { links }] = [await read("verification"), await read("links")];
    return { best_code, best_link, links };
  };
  const small = await found("");
  assert.equal(small.best_code, "482913");
  assert.equal(small.best_link, "https://acme.example/verify");
  assert.deepEqual(asked, []);
  assert.deepEqual(await found("<td>".repeat(10_000)), small);
  assert.deepEqual(asked, ["verification", "links"]);
});
