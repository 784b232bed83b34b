import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";
import { Dispatcher } from "../../../../workers/dispatch.ts";
import { workers } from "../../../../workers/workers.ts";

const attached = message(
  { Subject: "Two parts", "Content-Type": "multipart/mixed; boundary=b" },
  "--b\nContent-Type: text/plain\n\nWhat a reader sees first\n--b\n" +
    "Content-Type: text/csv\nContent-Disposition: attachment; filename=a.csv\n\n1,quixotry\n--b--\n",
);

/** A mailbox with a webhook, in a service whose jobs do not run until `runJobs`. */
async function setup() {
  const test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await test.request("/v1/api/webhooks", {
    token: owner.key,
    json: { url: "https://hook.example.com/in", events: ["email.received"] },
  });
  await test.dispatcher.stop();
  const first = async () => (await data(test.request("/v1/api/emails", { token: owner.key })))[0];
  const rows = async () => {
    const all = await Array.fromAsync(test.kv.list({ prefix: [] }));
    return new Map(
      all.filter(({ key }) => /^(email|blob|events)/.test(String(key[0])))
        .map(({ key, versionstamp }) => [key.join(" "), versionstamp]),
    );
  };
  const runJobs = async () => {
    const dispatcher = new Dispatcher(test.service, workers);
    await dispatcher.start();
    await dispatcher.settled();
    await test.service.database.settled();
    await dispatcher.settled();
    await dispatcher.stop();
  };
  const names = async () => {
    const events = await Array.fromAsync(test.kv.list<{ body: string }>({ prefix: ["events"] }));
    return events.map(({ value }) => JSON.parse(value.body));
  };
  return { test, owner, box, first, rows, runJobs, names };
}

// SPEC: event.received
Deno.test("a small email is complete in its first commit, with its event; later its row gets only the verdict", async () => {
  const { test, owner, box, first, rows, runJobs, names } = await setup();
  await using _ = test;
  await deliver(test, box.email_address, attached);
  const shown = await first();
  assert.equal(shown.snippet, "What a reader sees first");
  assert.deepEqual(shown.attachment_ids, ["att_2"]);
  assert.equal(shown.processed, false);
  const [event, ...others] = await names();
  assert.deepEqual([event.event, event.data.has_attachments, others], ["email.received", true, []]);
  const before = await rows();
  await runJobs();
  assert.deepEqual(await first(), {
    ...shown,
    processed: true,
    auth_verdict: "none",
  });
  const after = await rows();
  for (const [key, versionstamp] of before) {
    if (key.startsWith("emails_processing")) assert.equal(after.get(key), undefined);
    else if (key !== `emails ${owner.userId} ${shown.email_id}` && !key.startsWith("events")) {
      assert.equal(after.get(key), versionstamp, key);
    }
  }
  const found = await test.request("/v1/api/search", {
    token: owner.key,
    json: { query: "quixotry" },
  });
  assert.equal((await found.json()).results.length, 1);
});

Deno.test("a large email has no snippet in its first commit; its job writes it, with the event", async () => {
  const { test, box, rows, runJobs, names } = await setup();
  await using _ = test;
  await deliver(
    test,
    box.email_address,
    message({ Subject: "Long" }, "A long text\n".repeat(4_000)),
  );
  assert.deepEqual(await names(), []);
  const before = await rows();
  await runJobs();
  assert.deepEqual((await names()).map(({ event }) => event), ["email.received"]);
  const after = await rows();
  const changed = [...before].filter(([key, stamp]) => after.get(key) !== stamp);
  const tables = changed.map(([key]) => key.split(" ")[0]).sort();
  assert.deepEqual(tables, [
    ...["email_details", "emails", "emails_by_mailbox", "emails_by_thread", "emails_processing"],
  ]);
});

Deno.test("mail whose kept body was lost with its process is indexed from its bytes", async () => {
  const { test, owner, box, runJobs } = await setup();
  await using _ = test;
  const { email_id } = await deliver(test, box.email_address, attached);
  test.service.parsedBodies.clear();
  await runJobs();
  const found = await test.request("/v1/api/search", {
    token: owner.key,
    json: { query: "quixotry" },
  });
  assert.equal((await found.json()).results[0].email_id, email_id);
});
