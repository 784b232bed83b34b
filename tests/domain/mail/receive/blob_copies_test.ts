import assert from "node:assert/strict";
import type { User } from "../../../../domain/accounts/user.ts";
import { readUsage } from "../../../../domain/billing/usage.ts";
import { receive } from "../../../../domain/mail/receive/receive.ts";
import { storedEmail } from "../../../../domain/mail/record/read_email.ts";
import { deleteOldMail } from "../../../../domain/mail/manage/retention.ts";
import {
  BlobWriter,
  chunkBytes,
  readWholeBlob,
  sweepOrphans,
} from "../../../../domain/store/blobs.ts";
import { releaseBlob } from "../../../../domain/store/blobs/blob_release.ts";
import * as keys from "../../../../domain/store/keys.ts";
import {
  account,
  data,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";
import type { BlobRef } from "../../../../domain/core/blob_ref.ts";

const chunks = 16;
const message = new TextEncoder().encode(
  `Subject: x\r\n\r\n${"w".repeat((chunks - 1) * chunkBytes)}\r\n`,
);

/** Takes the message for all recipients: the results, how many blobs were written for it, and how many stay. */
async function taken(test: TestService, recipients: string[], bytes = message) {
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
    body: ReadableStream.from([bytes]),
  });
  database.write = write;
  const kept = await database.collect({ prefix: [table] });
  const dispositions = Object.groupBy(results, ({ disposition }) => disposition);
  return {
    accepted: dispositions.accepted?.length ?? 0,
    duplicate: dispositions.duplicate?.length ?? 0,
    rejected: dispositions.rejected?.length ?? 0,
    written: written / chunks,
    emails: new Set(results.flatMap(({ email_id }) => email_id ?? [])).size,
    kept: kept.length / chunks,
    pending: (await database.collect({ prefix: keys.blobsPending() })).length,
  };
}

async function ledger(test: TestService, owner: TestAccount) {
  const body = await (await test.request("/v1/api/arrivals", { token: owner.key })).json();
  return body.data as { disposition: string }[];
}

/** Ends the reference of one owner. */
async function releaseOne({ service, settle }: TestService, ref: BlobRef): Promise<void> {
  await service.database.transact((tx) => releaseBlob(tx, service, "u", ref));
  await settle();
}

/** The bytes that the account is charged. */
async function used(test: TestService, { userId }: TestAccount): Promise<number> {
  const user = await test.service.database.get<User>(keys.user(userId));
  return (await readUsage(test.service.database, user!, test.service.clock.now())).storageBytes;
}

const sixty = (name: (n: number) => string) => Array.from({ length: 60 }, (_, n) => name(n));

Deno.test("a message to 60 plus-addresses of one mailbox is one email, which every recipient is answered", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner, "agent");
  const [local, domain] = box.email_address.split("@");
  const plus = sixty((n) => `${local}+${n}@${domain}`);
  assert.deepEqual(await taken(test, [...plus, plus[0], box.email_address.toUpperCase()]), {
    ...{ accepted: 62, duplicate: 0, rejected: 0, emails: 1 },
    ...{ written: 1, kept: 1, pending: 0 },
  });
  assert.equal((await ledger(test, owner)).length, 1);
  // Later the same bytes are a duplicate, once for all of them.
  assert.deepEqual(await taken(test, plus), {
    ...{ accepted: 0, duplicate: 60, rejected: 0, emails: 1 },
    ...{ written: 1, kept: 1, pending: 0 },
  });
  assert.deepEqual((await ledger(test, owner)).map(({ disposition }) => disposition), [
    "duplicate",
    "accepted",
  ]);
});

Deno.test("an email keeps the recipients that led to its mailbox, and no other", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [one, two] = [await mailbox(test, owner), await mailbox(test, owner)];
  const [local, domain] = one.email_address.split("@");
  const recipients = [two.email_address, `${local}+B@${domain}`, `${local}+a@${domain}`];
  await taken(test, recipients);
  const { data } = await (await test.request("/v1/api/emails?order=asc", { token: owner.key }))
    .json();
  const ids = new Map<string, string>(
    data.map((each: Record<string, string>) => [each.mailbox_id, each.email_id]),
  );
  const envelopeOf = async (box: { mailbox_id: string }) =>
    (await storedEmail(test.service.database, owner.userId, ids.get(box.mailbox_id)!))?.envelope;
  assert.deepEqual(await envelopeOf(one), { from: "a@example.net", to: recipients.slice(1) });
  assert.deepEqual(await envelopeOf(two), { from: "a@example.net", to: [two.email_address] });
});

Deno.test("recipients of one mailbox whose names are as long as they may be fit into a row", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner, "agent");
  const long = sixty((n) => `agent+${n}${"ü".repeat(480)}@agents.test`);
  const { accepted, emails } = await taken(test, [...long, box.email_address]);
  assert.deepEqual([accepted, emails], [61, 1]);
});

Deno.test("a message to a mailbox and 60 unknown recipients is written once", async () => {
  await using test = await testService();
  const box = await mailbox(test, await account(test));
  const unknown = sixty((n) => `nobody${n}@agents.test`);
  assert.deepEqual(await taken(test, unknown), {
    ...{ accepted: 0, duplicate: 0, rejected: 60, emails: 0 },
    ...{ written: 1, kept: 0, pending: 0 },
  });
  assert.deepEqual(await taken(test, [box.email_address, ...unknown]), {
    ...{ accepted: 1, duplicate: 0, rejected: 60, emails: 1 },
    ...{ written: 1, kept: 1, pending: 0 },
  });
});

Deno.test("several mailboxes share one copy of the bytes of a large message; each account is charged", async () => {
  await using test = await testService();
  const owners = await Promise.all(Array.from({ length: 12 }, () => account(test)));
  const addresses = (await Promise.all(owners.map((each) => mailbox(test, each))))
    .map((box) => box.email_address);
  for (const [n, body] of [message, new TextEncoder().encode("Subject: s\r\n\r\nx")].entries()) {
    const { accepted, kept, pending } = await taken(
      test,
      [...addresses, "nobody@agents.test"],
      body,
    );
    assert.deepEqual([accepted, kept, pending], [12, 1 + n * 12 / chunks, 0]);
  }
  const usage = await Promise.all(owners.map((owner) => used(test, owner)));
  const bytes = message.length + "Subject: s\r\n\r\nx".length;
  assert.deepEqual(usage, owners.map(() => bytes));
});

for (
  const [name, body] of [
    ["a large", message],
    ["a small", new TextEncoder().encode("Subject: s\r\n\r\nx")],
  ] as const
) {
  Deno.test(`${name} message to several mailboxes is read until its last email is gone, and then no byte of it is kept`, async () => {
    await using test = await testService();
    const [one, two, three] = await Promise.all([account(test), account(test), account(test)]);
    const boxes = [
      await mailbox(test, one),
      await mailbox(test, two),
      await mailbox(test, two),
      await mailbox(test, three),
    ];
    await taken(test, boxes.map((box) => box.email_address), body);
    await test.settle();
    const left = async () => {
      const rows = await Promise.all(
        ["blob_chunks", "blob_owners", "blobs_pending"].map((table) =>
          Array.fromAsync(test.kv.list({ prefix: [table] }))
        ),
      );
      return rows.map((each) => each.length);
    };
    const chunkRows = (await left())[0];
    const rawOf = async (owner: TestAccount) => {
      const [email] = await data(test.request("/v1/api/emails", { token: owner.key }));
      const raw = await test.request(`/v1/api/emails/${email.email_id}/raw`, { token: owner.key });
      return new Uint8Array(await raw.arrayBuffer());
    };
    // An email is deleted,
    const [email] = await data(test.request("/v1/api/emails", { token: one.key }));
    await test.request(`/v1/api/emails/${email.email_id}`, { method: "DELETE", token: one.key });
    await test.settle();
    assert.deepEqual(await rawOf(two), body);
    assert.equal(await used(test, one), 0);
    // a mailbox,
    await test.request(`/v1/api/mailboxes/${boxes[1].mailbox_id}`, {
      ...{ method: "DELETE", token: two.key },
      json: { confirm_email_address: boxes[1].email_address },
    });
    await test.settle();
    assert.deepEqual(await rawOf(two), body);
    assert.equal(await used(test, two), body.length);
    // an account,
    const { status } = await test.request("/api/account", {
      ...{ method: "DELETE", token: three.accessToken },
      json: { confirm_email: three.email, password: three.password },
    });
    assert.equal(status, 200);
    await test.advance(100_000);
    assert.deepEqual(await rawOf(two), body);
    assert.deepEqual(await left(), body === message ? [chunkRows, 1, 0] : [1, 0, 0]);
    // and by its age the last one.
    await test.request(`/v1/api/mailboxes/${boxes[2].mailbox_id}/policy`, {
      ...{ method: "PUT", token: two.accessToken },
      json: { retention_days: 1 },
    });
    await test.advance(2 * 86_400_000);
    await deleteOldMail(test.service, () => true);
    await test.settle();
    assert.deepEqual(await left(), [0, 0, 0]);
    assert.equal(await used(test, two), 0);
  });
}

Deno.test("a recipient's email that is deleted while the message is delivered to others takes no bytes from them", async () => {
  await using test = await testService({ instances: 1 });
  const { service } = test;
  {
    const writer = new BlobWriter(service);
    await writer.write(message);
    const blob = (await writer.finish()).shared();
    const attach = () => service.database.transact((tx) => blob.attach(tx));
    await attach();
    await releaseOne(test, blob.ref);
    await attach();
    assert.equal((await readWholeBlob(service.database, blob.ref)).length, blob.ref.size);
    await attach();
    await blob.discard();
    await releaseOne(test, blob.ref);
    assert.equal((await readWholeBlob(service.database, blob.ref)).length, blob.ref.size);
    await releaseOne(test, blob.ref);
    const rows = await Array.fromAsync(test.kv.list({ prefix: [] }));
    assert.deepEqual(rows.filter(({ key }) => /^blob/.test(String(key[0]))), []);
  }
});

Deno.test("after a kill within a delivery to several mailboxes the sweep keeps what an email refers to, and nothing else", async () => {
  await using test = await testService({ instances: 1 });
  const { service } = test;
  const begun = async () => {
    const writer = new BlobWriter(service);
    await writer.write(message);
    return (await writer.finish()).shared();
  };
  const kept = await begun(), orphan = await begun(), left = await begun();
  await service.database.transact((tx) => kept.attach(tx));
  await service.database.transact((tx) => left.attach(tx));
  await releaseOne(test, left.ref);
  assert.equal(await sweepOrphans(service.database, service.clock.now() + 1), 2);
  assert.deepEqual(await readWholeBlob(service.database, kept.ref), message);
  for (const gone of [orphan, left]) {
    await assert.rejects(readWholeBlob(service.database, gone.ref), /0 of 16 chunks/);
    await assert.rejects(
      service.database.transact((tx) => gone.attach(tx)),
      { code: "SERVICE_UNAVAILABLE" },
    );
  }
  // The sweep of another process ran before the delivery ended.
  await releaseOne(test, kept.ref);
  const rows = await Array.fromAsync(test.kv.list({ prefix: [] }));
  assert.deepEqual(rows.filter(({ key }) => /^blob/.test(String(key[0]))), []);
});

Deno.test("a commit whose answer was lost keeps the bytes that it attached", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { database } = test.service;
  const transact = database.transact.bind(database);
  database.transact = async (body, options) => {
    let attached = false;
    const result = await transact(async (tx) => {
      const set = tx.set.bind(tx);
      tx.set = (key, ...rest) => {
        attached ||= key[0] === "emails";
        set(key, ...rest);
      };
      return await body(tx);
    }, options);
    if (attached) throw new Error("the answer was lost");
    return result;
  };
  await assert.rejects(taken(test, [box.email_address]), /was lost/);
  database.transact = transact;
  const { duplicate } = await taken(test, [box.email_address]);
  assert.equal(duplicate, 1);
  const [email] = await data(test.request("/v1/api/emails", { token: owner.key }));
  const raw = await test.request(`/v1/api/emails/${email.email_id}/raw`, { token: owner.key });
  assert.deepEqual(new Uint8Array(await raw.arrayBuffer()), message);
});
