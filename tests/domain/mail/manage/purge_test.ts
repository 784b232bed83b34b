import assert from "node:assert/strict";
import { storedEmail } from "../../../../domain/mail/record/read_email.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { Dispatcher } from "../../../../workers/dispatch.ts";
import { workers } from "../../../../workers/workers.ts";
import {
  account,
  data,
  deliver,
  FakeClock,
  mailbox,
  message,
  testService,
} from "../../../service.ts";
import type { TestAccount, TestService } from "../../../service.ts";
import { ScriptedTarget } from "../../webhooks/scripted_target.ts";
import { failure, familiesOf } from "../../mailboxes/families.ts";
import { disagreements, rowsThatMention } from "../../mailboxes/store_scan.ts";

const emailCount = 60;

/** A mailbox with mail of every kind, and all ids that belong to it. */
async function fill(test: TestService, owner: TestAccount, local: string, count: number) {
  const box = await mailbox(test, owner, local);
  const ids = new Set<string>([box.mailbox_id]);
  await data(test.request("/v1/api/expectations", {
    token: owner.key,
    json: { mailbox_id: box.mailbox_id, from_domain: "example.net" },
  }));
  const results = await Promise.all(Array.from({ length: count }, (_, n) =>
    deliver(
      test,
      box.email_address,
      message({
        Subject: `Report ${n} of ${local}`,
        "Message-ID": `<${local}-${n}@example.net>`,
        ...(n % 3 === 0 ? {} : { References: `<${local}-${n - n % 3}@example.net>` }),
      }, `The word is quixotry, number ${n}.\n${n === 0 ? "long line ".repeat(40_000) : ""}`),
      n % 2 === 0 ? {} : { "x-ingest-id": `${local}-${n}` },
    )));
  for (const each of results) {
    assert.equal(each.disposition, "accepted");
    ids.add(each.email_id);
  }
  const sent = await data(test.request("/v1/api/emails/send", {
    token: owner.key,
    json: {
      mailbox_id: box.mailbox_id,
      to: "somebody@example.net",
      subject: "Out",
      body_text: "quixotry",
      idempotency_key: local,
    },
  }));
  ids.add(sent.email_id);
  await test.advance(1_000);
  const places = await keyList(test.kv, ["emails_by_mailbox", owner.userId, box.mailbox_id]);
  for (const place of places) {
    const email = await storedEmail(test.service.database, owner.userId, place.split(" ").at(-1)!);
    ids.add(email!.raw.blobId);
  }
  return { box, ids, emailIds: [...results.map((each) => each.email_id), sent.email_id] };
}

async function keyList(kv: Deno.Kv, prefix: Deno.KvKey = []): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of kv.list({ prefix }, { batchSize: 500 })) {
    keys.push(key.map(String).join(" "));
  }
  return keys;
}

// SPEC: mailbox.soft_delete, mailbox.purge, search.deleted, emails.get_404
Deno.test("a deleted mailbox is invisible at once, and the purge leaves no row, chunk or vector of it", async () => {
  // One process, which is stopped between the deletion and the purge.
  const clock = new FakeClock();
  const webhookTarget = new ScriptedTarget(clock);
  await using test = await testService({ instances: 1, parts: { clock, webhookTarget } });
  const owner = await account(test);
  for (const path of ["one", "two"]) {
    await data(test.request("/v1/api/webhooks", {
      token: owner.key,
      json: { url: `https://hook.example/${path}`, events: ["email.received", "draft.created"] },
    }));
  }
  const kept = await fill(test, owner, "kept-one", 6);
  const storage = async () => (await test.kv.get<number>(["storage", owner.userId])).value;
  const storageBefore = await storage();
  const keysBefore = new Set(await keyList(test.kv));
  const { box, ids, emailIds } = await fill(test, owner, "purged-one", emailCount);
  const reply = await deliver(
    test,
    kept.box.email_address,
    message({ "Message-ID": "<both@x.example>", References: "<purged-one-0@example.net>" }),
  );
  await test.settle();
  // As if a model of this process had not read it yet.
  const row = keys.emailProcessing(owner.userId, emailIds[0]);
  await test.service.database.transact((tx) => tx.set(row, 1));
  assert.ok((await rowsThatMention(test.kv, ids)).length > 5 * emailCount);

  const [{ call }] = familiesOf(test, owner);
  const search = async () => {
    const answer = await call("POST", "/search", { query: "quixotry", limit: 100 });
    return (answer.body as { results: { mailbox_id: string }[] }).results
      .filter((each) => each.mailbox_id === box.mailbox_id).length;
  };
  assert.ok(await search() > 0);
  await test.dispatcher.stop(); // nothing is purged yet: the following effects come from the deletion alone
  const gone = { confirm_email_address: box.email_address };
  assert.equal((await call("DELETE", `/mailboxes/${box.mailbox_id}`, gone)).status, 200);
  assert.equal(await search(), 0);
  const listed = (await call("GET", "/emails?limit=100")).body as {
    data: { mailbox_id: string }[];
  };
  assert.ok(listed.data.length > 0);
  assert.ok(listed.data.every((each) => each.mailbox_id === kept.box.mailbox_id));
  const notFound = { status: 404, code: "NOT_FOUND", details: undefined };
  for (const path of [`/emails/${emailIds[0]}`, `/emails?mailbox_id=${box.mailbox_id}`]) {
    assert.deepEqual(failure(await call("GET", path)), notFound);
  }
  assert.equal((await call("GET", `/emails/${emailIds[0]}/raw`)).status, 404);
  assert.deepEqual(
    failure(await call("POST", `/emails/${emailIds[0]}/reply`, { body_text: "x" })),
    notFound,
  );
  assert.equal((await deliver(test, box.email_address, message())).code, "UNKNOWN_RECIPIENT");
  await runJobs(test);

  assert.deepEqual(await rowsThatMention(test.kv, ids), []);
  // Of each webhook the six emails of the kept mailbox, and the reply.
  assert.equal((await keyList(test.kv, ["deliveries"])).length, 2 * 7);
  assert.equal((await keyList(test.kv, ["deliveries_once"])).length, 2 * 7);
  const hits = await test.service.searchIndex.search({
    userId: owner.userId,
    text: "quixotry",
    filters: {},
    window: 1000,
  });
  assert.deepEqual(
    new Set(hits.hits.map((each) => each.emailId)),
    new Set(kept.emailIds),
  );
  const left = (await keyList(test.kv)).filter((key) => !keysBefore.has(key))
    .filter((key) =>
      !/^(activity|arrivals|audit|send_pace|usage|rate_windows|events|deliver|expiring|journal)/
        .test(key)
    )
    .filter((key) => !key.includes(reply.email_id));
  const thread = (await storedEmail(test.service.database, owner.userId, reply.email_id))!;
  assert.deepEqual(
    left.filter((key) => !key.includes(thread.threadId) && !key.includes(thread.raw.blobId))
      .map((key) => key.split(" ")[0]).sort(),
    [
      "emails_by_delivery", // the kept mailbox's email
      "mailboxes_by_address", // the hold
      // the references of the kept email's thread: itself, its ancestor, and the two emails that named it
      ...Array(4).fill("threads_by_reference"),
      "threads_by_subject", // the subject of the kept email
    ],
  );
  assert.equal(await storage(), storageBefore! + thread.size);
  assert.deepEqual(await disagreements(test.kv, test.service.settings.SHARED_DOMAINS), []);
  const page = await call("GET", `/emails?mailbox_id=${kept.box.mailbox_id}&limit=100`);
  assert.equal((page.body as { data: unknown[] }).data.length, 8);
});

/** Runs the jobs that the stopped dispatcher left, as the next process would. */
async function runJobs({ service }: TestService): Promise<void> {
  const dispatcher = new Dispatcher(service, workers);
  await dispatcher.start();
  await dispatcher.settled();
  await dispatcher.stop();
}
