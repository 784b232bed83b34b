import assert from "node:assert/strict";
import { unreadBody } from "../../../../../mime/body/parse_body.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../../service.ts";

Deno.test("lists that are asked for again do not parse mail again that waits for its job, nor mail above 1 MiB at all", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await test.dispatcher.stop();
  const { parsing } = test.service;
  const sizes: number[] = [];
  test.service.parsing = {
    ...parsing,
    parse(source) {
      sizes.push(source.size);
      return Promise.resolve(unreadBody("The message could not be read within 5 seconds of work."));
    },
  };
  await deliver(test, box.email_address, message({}, "tusk\n".repeat(10_000)));
  await deliver(test, box.email_address, message({}, "tusk\n".repeat(300_000)));
  for (let n = 0; n < 3; n++) {
    const emails = await data(test.request("/v1/api/emails", { token: owner.key }));
    assert.equal(emails.length, 2);
  }
  assert.equal(sizes.length, 1);
  assert.ok(sizes[0] < 100_000);
});
