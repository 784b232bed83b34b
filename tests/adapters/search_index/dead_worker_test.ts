import assert from "node:assert/strict";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import {
  account,
  deliver,
  FakeClock,
  mailbox,
  message,
  type TestService,
  testService,
} from "../../service.ts";
import { patience } from "../../nightly.ts";
import { searchFor } from "../../domain/search/semantic_service.ts";
import { eventually } from "../../eventually.ts";

const worker = new URL("./dying_worker.ts", import.meta.url);

/** A service whose index can be killed, with one email. */
async function withMortalIndex(
  run: (test: TestService, path: string, box: string) => Promise<void>,
  silentMs?: number,
  clock = new FakeClock(),
) {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/index.sqlite`;
  {
    await using test = await testService({
      parts: { searchIndex: openEmbeddedIndex({ path, worker, silentMs }), clock },
    });
    await run(test, path, dir);
  }
  await Deno.remove(dir, { recursive: true });
}

/** A search waits two seconds for the index; on a busy machine the next worker starts later. */
class PatientClock extends FakeClock {
  override after(delayMs: number, run: () => void): () => void {
    return super.after(10 * delayMs, run);
  }
}

// SPEC: search.degraded
Deno.test("a search whose index worker dies is answered completely by the next worker", async () => {
  await withMortalIndex(
    async (test, path) => {
      const owner = await account(test);
      const box = await mailbox(test, owner);
      await deliver(test, box.email_address, message({ Subject: "Boat" }, "A dinghy for sale."));
      await test.settle();
      await Deno.writeTextFile(`${path}.die`, "");
      const answer = await searchFor(test, owner, "dinghy");
      assert.deepEqual(answer.results.map(({ subject }) => subject), ["Boat"]);
      assert.equal(answer.degraded, undefined);
      assert.match(answer.results[0].snippet, /dinghy/);
    },
    undefined,
    new PatientClock(),
  );
});

// SPEC: search.degraded
Deno.test("a query that kills every worker is answered degraded from list rows, and the next query is complete again", async () => {
  await withMortalIndex(async (test) => {
    const owner = await account(test);
    const [box, other] = [await mailbox(test, owner), await mailbox(test, owner)];
    await deliver(test, box.email_address, message({ Subject: "How to die" }, "A dinghy."));
    await deliver(test, other.email_address, message({ Subject: "Die Fledermaus" }, "At eight."));
    await deliver(test, box.email_address, message({ Subject: "Lunch" }, "At noon."));
    await test.settle();
    const found = async (more = {}) => {
      const answer = await searchFor(test, owner, "die", more);
      assert.equal(answer.degraded, true);
      assert.ok(answer.results.every(({ score }) => score > 0 && score < 0.5));
      return answer.results.map(({ subject }) => subject);
    };
    assert.deepEqual(await found(), ["Die Fledermaus", "How to die"]);
    assert.deepEqual(await found({ subject: "how" }), ["How to die"]);
    assert.deepEqual(await found({ mailbox_id: other.mailbox_id }), ["Die Fledermaus"]);
    // Workers that die without an answer are a second apart.
    const after = await eventually("the next worker answers", async () => {
      const answer = await searchFor(test, owner, "dinghy");
      return !answer.degraded && answer;
    }, test.log);
    assert.deepEqual(after.results.map(({ subject }) => subject), ["How to die"]);
  });
});

// SPEC: search.degraded
Deno.test("mail that arrives while the index worker dies is indexed by the next one", async () => {
  await withMortalIndex(async (test, path) => {
    const owner = await account(test);
    const box = await mailbox(test, owner);
    // A worker that starts slowly would die of the check at its start, not of the mail.
    await searchFor(test, owner, "dinghy");
    await Deno.writeTextFile(`${path}.die`, "");
    await deliver(test, box.email_address, message({ Subject: "Boat" }, "A dinghy for sale."));
    await test.settle();
    assert.equal((await searchFor(test, owner, "dinghy")).pending, 1);
    await test.advance(60_000);
    const answer = await searchFor(test, owner, "dinghy");
    assert.deepEqual([answer.pending, answer.degraded], [0, undefined]);
    assert.deepEqual(answer.results.map(({ subject }) => subject), ["Boat"]);
  });
});

// SPEC: search.degraded
Deno.test("if an index worker hangs, searches are answered without it, and it is replaced", async () => {
  await withMortalIndex(async (test) => {
    const owner = await account(test);
    const box = await mailbox(test, owner);
    await deliver(test, box.email_address, message({ Subject: "Boat" }, "We hang on."));
    await test.settle();
    // Two seconds are promised; a busy machine gets more. A hanging worker would never answer.
    const begun = performance.now();
    const answer = await searchFor(test, owner, "hang");
    assert.ok(performance.now() - begun < 6_000 * patience);
    assert.equal(answer.degraded, true);
    assert.deepEqual(answer.results.map(({ subject }) => subject), ["Boat"]);
    await eventually("the next worker answers", async () => {
      const after = await searchFor(test, owner, "boat");
      assert.deepEqual(after.results.map(({ subject }) => subject), ["Boat"]);
      return !after.degraded;
    }, test.log);
  }, 2_000);
});
