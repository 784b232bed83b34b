import assert from "node:assert/strict";
import { storedEmail } from "../../../domain/mail/record/read_email.ts";
import { writeDetails } from "../../../domain/mail/record/write_email.ts";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import * as keys from "../../../domain/store/keys.ts";
import { account, data, deliver, FakeClock, mailbox, message, testService } from "../../service.ts";
import { ScriptedTarget } from "../webhooks/scripted_target.ts";

/** A mailbox whose `email.processed` goes to `target`, and an index that fails for every text with "indigestible". */
async function setup() {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  const index = openEmbeddedIndex({ path: null });
  const searchIndex = {
    ...index,
    add: (emails: Parameters<typeof index.add>[0]) =>
      emails.some(({ text }) => text.includes("indigestible"))
        ? Promise.reject(new Error("a program error"))
        : index.add(emails),
  };
  const test = await testService({ parts: { clock, webhookTarget: target, searchIndex } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await test.request("/v1/api/webhooks", {
    token: owner.key,
    json: { url: "https://hook.example.com/in", events: ["email.processed"] },
  });
  const processed = async () => {
    const emails = await data(test.request("/v1/api/emails?order=asc", { token: owner.key }));
    return emails.map((each: { processed: boolean }) => each.processed);
  };
  const told = () =>
    Object.fromEntries(target.posts.map(({ body }) => {
      const { subject, status } = JSON.parse(body).data;
      return [subject, status];
    }));
  return { test, owner, box, processed, told };
}

// SPEC: event.processed
Deno.test("a message that the index refuses delays no other one, ends as failed, and is found by its header fields", async () => {
  const { test, owner, box, processed, told } = await setup();
  await using _ = test;
  const mails = ["one", "indigestible", "three"].map((text) =>
    deliver(test, box.email_address, message({ Subject: `About ${text}` }, `${text}\n`))
  );
  await Promise.all(mails);
  await test.settle();
  await test.advance(1_000);
  assert.deepEqual((await processed()).sort(), [false, true, true]);
  assert.deepEqual(told(), { "About one": "indexed", "About three": "indexed" });
  for (let second = 0; second < 20; second++) await test.advance(1_000);
  assert.deepEqual(await processed(), [true, true, true]);
  assert.equal(told()["About indigestible"], "failed");
  const found = await test.request("/v1/api/search", {
    token: owner.key,
    json: { query: "about indigestible" },
  });
  const { results, pending } = await found.json();
  assert.deepEqual([results[0].subject, pending], ["About indigestible", 0]);
  assert.equal(test.log.filter(({ event }) => event === "mail.not_indexed").length, 1);
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: keys.jobsDue() })), []);
});

// SPEC: event.processed
Deno.test("no mail is given up while the index is down", async () => {
  const { test, box, processed, told } = await setup();
  await using _ = test;
  const { add } = test.service.searchIndex;
  test.service.searchIndex.add = () => Promise.reject(new Error("the disk is full"));
  await deliver(test, box.email_address, message({ Subject: "Patient" }));
  await test.settle();
  for (let minute = 0; minute < 30; minute++) await test.advance(60_000);
  assert.deepEqual([await processed(), told()], [[false], {}]);
  test.service.searchIndex.add = add;
  await test.advance(60_000);
  assert.deepEqual([await processed(), told()], [[true], { Patient: "indexed" }]);
});

// SPEC: event.processed
Deno.test("email.processed of a message whose body could not be read has the status failed", async () => {
  const { test, owner, box, processed, told } = await setup();
  await using _ = test;
  const { add } = test.service.searchIndex;
  test.service.searchIndex.add = () => Promise.reject(new Error("not now"));
  const { email_id } = await deliver(test, box.email_address, message({ Subject: "Unreadable" }));
  await test.settle();
  await test.service.database.transact(async (tx) => {
    const email = (await storedEmail(tx, owner.userId, email_id))!;
    const parsed = { snippet: "", attachmentIds: [], attachments: [], problem: "no end in sight" };
    writeDetails(tx, { ...email, parsed });
  });
  test.service.searchIndex.add = add;
  await test.advance(2_000);
  assert.deepEqual([await processed(), told()], [[true], { Unreadable: "failed" }]);
});
