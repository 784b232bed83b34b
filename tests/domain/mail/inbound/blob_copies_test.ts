import assert from "node:assert/strict";
import { receive } from "../../../../domain/mail/inbound/receive.ts";
import { chunkBytes } from "../../../../domain/store/blobs.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { account, mailbox, type TestService, testService } from "../../../service.ts";

const chunks = 16;
const message = new TextEncoder().encode(
  `Subject: x\r\n\r\n${"w".repeat((chunks - 1) * chunkBytes)}\r\n`,
);

/** Takes the message for all recipients: the results, how many blobs were written for it, and how many stay. */
async function taken(test: TestService, recipients: string[]) {
  const { database } = test.service;
  const [table] = keys.blobChunks("");
  let written = 0;
  const write = database.write.bind(database);
  database.write = (rows) => {
    written += rows.filter(({ key }) => key[0] === table).length;
    return write(rows);
  };
  const results = await receive(test.service, {
    ...{ source: "smtp", sender: "a@example.net", recipients, facts: {}, ingestId: null },
    body: ReadableStream.from([message]),
  });
  database.write = write;
  const kept = await database.collect({ prefix: [table] });
  const dispositions = Object.groupBy(results, ({ disposition }) => disposition);
  return {
    accepted: dispositions.accepted?.length ?? 0,
    duplicate: dispositions.duplicate?.length ?? 0,
    rejected: dispositions.rejected?.length ?? 0,
    written: written / chunks,
    kept: kept.length / chunks,
    pending: (await database.collect({ prefix: keys.blobsPending() })).length,
  };
}

const sixty = (name: (n: number) => string) => Array.from({ length: 60 }, (_, n) => name(n));

Deno.test("a message to 60 plus-addresses of one mailbox is written at most twice, and kept once", async () => {
  await using test = await testService();
  const box = await mailbox(test, await account(test), "agent");
  const [local, domain] = box.email_address.split("@");
  assert.deepEqual(await taken(test, sixty((n) => `${local}+${n}@${domain}`)), {
    ...{ accepted: 1, duplicate: 59, rejected: 0 },
    ...{ written: 2, kept: 1, pending: 0 },
  });
});

Deno.test("a message to a mailbox and 60 unknown recipients is written at most twice", async () => {
  await using test = await testService();
  const box = await mailbox(test, await account(test));
  const unknown = sixty((n) => `nobody${n}@agents.test`);
  assert.deepEqual(await taken(test, unknown), {
    ...{ accepted: 0, duplicate: 0, rejected: 60 },
    ...{ written: 1, kept: 0, pending: 0 },
  });
  assert.deepEqual(await taken(test, [box.email_address, ...unknown]), {
    ...{ accepted: 1, duplicate: 0, rejected: 60 },
    ...{ written: 2, kept: 1, pending: 0 },
  });
});

Deno.test("each accepted recipient has its own copy, also with refused recipients and duplicates between them", async () => {
  await using test = await testService();
  const owner = await account(test);
  const boxes = [await mailbox(test, owner), await mailbox(test, owner)];
  const [first, second] = boxes.map((box) => box.email_address);
  assert.deepEqual(await taken(test, [first, "nobody@agents.test", first, second, second]), {
    ...{ accepted: 2, duplicate: 2, rejected: 1 },
    ...{ written: 3, kept: 2, pending: 0 },
  });
});
