import assert from "node:assert/strict";
import { sweepOrphans } from "../../../domain/store/blobs.ts";
import { endOverdueUploads } from "../../../domain/uploads/upload.ts";
import { account, data, mailbox, type TestService, testService } from "../../service.ts";
import { mortalKv } from "../mailboxes/mortal_kv.ts";
import { mailDisagreements } from "../../torture/mail_scan.ts";
import { bytes, filesOf, newUpload, put, rowsOfFiles, storageOf, uploaded } from "./uploading.ts";

/** Runs `work` in a process that dies at its commit number `commits`, and `after` in the next one. */
async function killed(
  kv: Deno.Kv,
  commits: number,
  work: (test: TestService) => Promise<unknown>,
  after: (test: TestService) => Promise<void>,
): Promise<boolean> {
  const mortal = mortalKv(kv, commits);
  {
    await using test = await testService({ kv: mortal.kv, instances: 1 });
    await mortal.settleOrDie(work(test).then(() => {}, () => {}));
  }
  await using test = await testService({ kv, instances: 1 });
  await test.settle();
  await sweepOrphans(test.service.database, test.clock.now() + 1);
  await after(test);
  return mortal.isDead();
}

// SPEC: uploads.killed
Deno.test("a kill at any commit of an upload leaves all of it or nothing, and counts what is there", async () => {
  const kv = await Deno.openKv(":memory:");
  const content = bytes(2_000_000);
  for (let commits = 0, isDead = true; isDead; commits++) {
    const { owner, upload } = await (async () => {
      await using test = await testService({ kv, instances: 1 });
      const owner = await account(test);
      return { owner, upload: await newUpload(test, owner.key) };
    })();
    isDead = await killed(
      kv,
      commits,
      async (test) => {
        const { status } = await put(test, upload.upload_url, content);
        assert.equal(status, 200);
      },
      async (test) => {
        const rows = await rowsOfFiles(kv);
        const again = await put(test, upload.upload_url, content);
        if (again.status === 409) {
          assert.ok(rows.blob_chunks > 0, `commit ${commits}`);
        } else {
          assert.equal(again.status, 200, `commit ${commits}`);
          assert.deepEqual([rows.blob_chunks, rows.blobs_pending], [undefined, undefined]);
        }
        assert.equal(await storageOf(test, owner), content.length, `commit ${commits}`);
        await test.advance(86_400_000);
        await endOverdueUploads(test.service);
        await test.settle();
        assert.equal(await storageOf(test, owner), 0, `commit ${commits}`);
        assert.deepEqual(await rowsOfFiles(kv), {}, `commit ${commits}`);
      },
    );
    assert.ok(commits < 20, "the loop ends");
  }
  kv.close();
});

Deno.test("a kill at any commit of a send leaves its upload or the mail, never both or none", async () => {
  const kv = await Deno.openKv(":memory:");
  const content = bytes(300_000);
  for (let commits = 0, isDead = true; isDead; commits++) {
    const { owner, box, upload_id } = await (async () => {
      await using test = await testService({ kv, instances: 1 });
      const owner = await account(test);
      const box = await mailbox(test, owner);
      return { owner, box, upload_id: await uploaded(test, owner.key, content) };
    })();
    const json = {
      ...{ mailbox_id: box.mailbox_id, to: "out@example.net", body_text: "x" },
      ...{ attachments: [{ upload_id }], idempotency_key: `k${commits}` },
    };
    const send = (test: TestService) =>
      test.request("/v1/api/emails/send", { token: owner.key, json });
    isDead = await killed(kv, commits, send, async (test) => {
      const { email_id } = await data(send(test));
      assert.deepEqual((await filesOf(test, owner.key, email_id))[0].content, content);
      const mails = await data(test.request("/v1/api/emails", { token: owner.key }));
      assert.equal(mails.length, 1, `commit ${commits}`);
      await test.settle();
      const { size } = mails[0];
      assert.equal(await storageOf(test, owner), size, `commit ${commits}`);
      assert.equal((await rowsOfFiles(kv)).uploads, undefined);
      const wrong = await mailDisagreements(kv);
      assert.deepEqual(wrong.filter((each) => !/^usage/.test(each)), []);
    });
    assert.ok(commits < 20, "the loop ends");
  }
  kv.close();
});
