import assert from "node:assert/strict";
import { sweepRegularly } from "../../../../workers/sweep.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";
import type { TestAccount, TestService } from "../../../service.ts";
import { eventually } from "../../../eventually.ts";

const dayMs = 86_400_000;

async function subjects(test: TestService, owner: TestAccount): Promise<string[]> {
  const emails = await data(test.request("/v1/api/emails?limit=100", { token: owner.key }));
  return emails.map(({ subject }: { subject: string }) => subject).sort();
}

// SPEC: policy.retention
Deno.test("mail older than retention_days is deleted, received and sent, 15 s after a start and within a day", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const other = await account(test);
  const [short, kept] = [await mailbox(test, owner), await mailbox(test, owner)];
  const foreign = await mailbox(test, other);
  const session = async () => {
    const json = { email: owner.email, password: owner.password };
    return (await data(test.request("/api/auth/login", { json }))).accessToken as string;
  };
  const policy = async (json: object) => {
    const path = `/v1/api/mailboxes/${short.mailbox_id}/policy`;
    return await data(test.request(path, { method: "PUT", token: await session(), json }));
  };
  const arrive = (subject: string, box = short) =>
    deliver(test, box.email_address, message({ Subject: subject }, `About ${subject}.`));
  assert.equal((await policy({ retention_days: 2 })).retention_days, 2);
  for (let n = 0; n < 45; n++) await arrive(`Old ${n}`);
  await arrive("Kept", kept);
  await arrive("Foreign", foreign);
  await data(test.request("/v1/api/emails/send", {
    token: owner.key,
    json: { mailbox_id: short.mailbox_id, to: "ada@example.net", subject: "Sent", body_text: "x" },
  }));
  await test.advance(1.5 * dayMs);
  await arrive("Young");
  await test.advance(0.6 * dayMs);
  assert.equal((await subjects(test, owner)).length, 48);
  const storage = async () => (await test.kv.get<number>(["storage", owner.userId])).value!;
  const before = await storage();
  const end = sweepRegularly(test.service);
  try {
    await test.advance(15_000);
    await eventually(
      "old mail is deleted",
      async () => (await subjects(test, owner)).length === 2,
      test.log,
    );
    await test.settle();
    assert.deepEqual(await subjects(test, owner), ["Kept", "Young"]);
    assert.deepEqual(await subjects(test, other), ["Foreign"]);
    assert.ok(await storage() < before / 4);
    for (const [query, expected] of [["old 7", []], ["young", ["Young"]]] as const) {
      const found = await (await test.request("/v1/api/search", {
        token: owner.key,
        json: { query },
      })).json();
      assert.deepEqual(found.results.map((each: { subject: string }) => each.subject), expected);
    }
    // Without the limit mail stays, however old it becomes.
    await policy({ retention_days: null });
    await test.advance(3 * dayMs);
    assert.deepEqual(await subjects(test, owner), ["Kept", "Young"]);
    await policy({ retention_days: 3 });
    await test.advance(dayMs);
    await eventually(
      "young mail has become old",
      async () => (await subjects(test, owner)).length === 1,
      test.log,
    );
    assert.deepEqual(await subjects(test, owner), ["Kept"]);
  } finally {
    await end();
  }
});
