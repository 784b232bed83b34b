import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../service.ts";

for (const [written, asked] of [["NFD", "NFC"], ["NFC", "NFD"]]) {
  Deno.test(`mail in ${written} is found by words, filters and an expectation in ${asked}`, async () => {
    await using test = await testService();
    const owner = await account(test), box = await mailbox(test, owner);
    const fields = { "From": '"Zoë" <zoe@example.net>', "Subject": "Réunion à Málaga" };
    const typed = {
      "MIME-Version": "1.0",
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Transfer-Encoding": "8bit",
    };
    const raw = message({ ...fields, ...typed }, "회의록을 공유합니다. がぎぐげご\n");
    const { email_id } = await deliver(
      test,
      box.email_address,
      new TextEncoder().encode(raw.normalize(written)),
    );
    await test.settle();
    const ask = async (method: string, path: string, json?: unknown) => {
      const answer = await test.request(`/v1/api${path}`, { method, token: owner.key, json });
      assert.ok(answer.ok, `${path}: ${answer.status}`);
      return await answer.json();
    };
    const found = (emails: { email_id: string }[]) => emails.map((each) => each.email_id);
    for (const query of ["회의록", '"がぎぐ"', "réunion"]) {
      const { results } = await ask("POST", "/search", { query: query.normalize(asked) });
      assert.deepEqual(found(results), [email_id], query);
    }
    for (const filter of [{ subject: "RÉUNION À" }, { from: "zoë" }]) {
      const [[name, value]] = Object.entries(filter);
      const part = value.normalize(asked);
      const listed = await ask("GET", `/emails?${new URLSearchParams({ [name]: part })}`);
      assert.deepEqual(found(listed.data), [email_id], name);
      const { results } = await ask("POST", "/search", { query: "réunion", [name]: part });
      assert.deepEqual(found(results), [email_id], name);
    }
    const expectation = await test.request("/v1/api/expectations", {
      method: "POST",
      token: owner.key,
      json: {
        mailbox_id: box.mailbox_id,
        from_domain: "example.net",
        subject: "réunion".normalize(asked),
      },
    });
    assert.equal(expectation.status, 201);
    const { expectation_id } = await data(expectation);
    const late = await deliver(
      test,
      box.email_address,
      new TextEncoder().encode(
        message({ ...fields, ...typed }, "Your code is 482913.\n").normalize(written),
      ),
    );
    await test.settle();
    const met = await ask("GET", `/expectations/${expectation_id}`);
    assert.equal(met.data.email_id, late.email_id);
  });
}
