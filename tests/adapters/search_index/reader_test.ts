import assert from "node:assert/strict";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import { type IndexThread, ReaderThread } from "../../../adapters/search_index/reader.ts";
import { IndexEngine } from "../../../fulltext/index/engine.ts";
import { eventually } from "../../eventually.ts";
import { indexedEmail } from "./search_index_suite.ts";

const query = { userId: "user-1", text: "overdue invoices of Acme", filters: {}, window: 10 };
const filler = "Nothing of this is asked for. ".repeat(200);

/** An engine in this thread as the thread of the index, with counts of what it was asked. */
class CountedIndex implements IndexThread, Disposable {
  readonly folder = Deno.makeTempDirSync();
  readonly path = `${this.folder}/index.sqlite`;
  readonly engine = new IndexEngine(
    this.path,
    () => 0,
    (numbers) => crypto.getRandomValues(numbers),
  );
  asked = 0;
  /** What it says about its load. */
  waiting: number | null = 100;

  search(asked: typeof query) {
    this.asked++;
    return Promise.resolve(this.engine.search(asked));
  }

  passages(asked: { userId: string; text: string; emailIds: string[] }) {
    this.asked++;
    return Promise.resolve(this.engine.passages(asked));
  }

  load() {
    return this.waiting;
  }

  add(emailId: string, text: string) {
    this.engine.add([indexedEmail(emailId, { subject: "Acme", text })]);
  }

  /** Searches until the reader itself answers. */
  untilFromReader(reader: ReaderThread) {
    return eventually("the reader answers", async () => {
      const before = this.asked;
      const answer = await reader.search(query);
      return this.asked === before && answer;
    });
  }

  [Symbol.dispose]() {
    this.engine.close();
    // The thread of a stopped reader may not have closed its file, so SQLite's logs may be there.
    Deno.removeSync(this.folder, { recursive: true });
  }
}

const idsOf = ({ hits }: { hits: { emailId: string }[] }) => hits.map(({ emailId }) => emailId);

Deno.test("while calls queue, a second thread answers the same as the index, and sees every commit", async () => {
  using index = new CountedIndex();
  const reader = new ReaderThread(index.path, index);
  try {
    index.add("a", `${filler}The invoice of Acme is overdue.${filler}`);
    const { weights: _, ...found } = index.engine.search(query);
    assert.deepEqual(await index.untilFromReader(reader), found);
    const before = index.asked;
    const passages = async (...emailIds: string[]) => {
      const asked = { userId: query.userId, text: query.text, emailIds };
      const answer = await reader.passages(asked);
      assert.deepEqual(answer, index.engine.passages(asked));
      return answer;
    };
    assert.match((await passages("a"))[0], /The invoice of Acme is overdue\./);
    for (let n = 0; n < 20; n++) {
      index.add(`b${n}`, "Acme: invoices, overdue since May.");
      assert.equal(
        (await reader.search(query)).total,
        Math.min(10, n + 2),
        "reads what was written",
      );
      index.add(`b${n}`, "Acme: invoices, overdue since June.");
      assert.deepEqual(await passages(`b${n}`), ["Acme: invoices, overdue since June."]);
    }
    index.engine.remove(query.userId, ["a"]);
    assert.ok(!idsOf(await reader.search({ ...query, window: 100 })).includes("a"));
    assert.deepEqual(await passages("a", "unknown"), ["", ""]);
    index.engine.removeAccount(query.userId);
    assert.deepEqual(await reader.search(query), { hits: [], total: 0 });
    assert.equal(index.asked, before + 1, "only the removed account was left to the index");
  } finally {
    reader.stop();
  }
});

Deno.test("without a queue no second thread starts, and one that is not needed any more ends", async () => {
  using index = new CountedIndex();
  index.add("a", "overdue");
  const reader = new ReaderThread(index.path, index, { idleMs: 200 });
  try {
    index.waiting = 0;
    for (let n = 1; n <= 50; n++) {
      assert.deepEqual(idsOf(await reader.search(query)), ["a"]);
      assert.equal(index.asked, n);
    }
    assert.equal(reader.isRunning, false);
    index.waiting = 100;
    await index.untilFromReader(reader);
    assert.equal(reader.isRunning, true);
    await eventually("the reader ends", () => Promise.resolve(!reader.isRunning));
    assert.deepEqual(idsOf(await reader.search(query)), ["a"]);
    await index.untilFromReader(reader);
  } finally {
    reader.stop();
  }
});

for (const kind of ["dying", "hanging"]) {
  Deno.test(`the index answers the searches of a ${kind} reader, and it is not started again at once`, async () => {
    using index = new CountedIndex();
    index.add("a", "overdue");
    const worker = new URL(`./${kind}_reader.ts`, import.meta.url);
    const reader = new ReaderThread(index.path, index, { worker });
    try {
      const all = { ...query, window: 3 };
      // Until it is up the index answers at once; then each search is lost once.
      let hasRun = false;
      await eventually("the reader has ended", async () => {
        hasRun ||= reader.isRunning;
        const answers = await Promise.all(Array.from({ length: 8 }, () => reader.search(all)));
        for (const answer of answers) assert.deepEqual(idsOf(answer), ["a"]);
        return hasRun && !reader.isRunning;
      });
      const before = index.asked;
      for (let n = 0; n < 30; n++) assert.deepEqual(idsOf(await reader.search(all)), ["a"]);
      assert.equal(index.asked, before + 30);
      assert.equal(reader.isRunning, false);
    } finally {
      reader.stop();
    }
  });
}

Deno.test("a second thread that cannot read its file leaves everything to the index", async () => {
  using index = new CountedIndex();
  index.add("a", "overdue");
  const reader = new ReaderThread("/nonexistent/index.sqlite", index);
  try {
    let hasRun = false;
    await eventually("the reader has ended", async () => {
      assert.deepEqual(idsOf(await reader.search(query)), ["a"]);
      hasRun ||= reader.isRunning;
      return hasRun && !reader.isRunning;
    });
  } finally {
    reader.stop();
  }
});

Deno.test("many searches at once see each email as soon as its add has ended, and none that was removed", async () => {
  const folder = await Deno.makeTempDir();
  const index = openEmbeddedIndex({ path: `${folder}/index.sqlite` });
  try {
    const found = () =>
      Promise.all(Array.from({ length: 8 }, async () => {
        const { hits } = await index.search({ ...query, text: "walrus", window: 1000 });
        return new Set(hits.map(({ emailId }) => emailId));
      }));
    for (let n = 0; n < 60; n++) {
      const text = `A walrus. ${filler}`;
      await index.add([0, 1, 2].map((k) => indexedEmail(`e${n}-${k}`, { text })));
      if (n > 0) await index.remove("user-1", [`e${n - 1}-1`]);
      // The next add is at work while these are answered.
      const next = index.add([indexedEmail("other", { text: filler })]);
      for (const ids of await found()) {
        assert.ok(ids.has(`e${n}-0`) && ids.has(`e${n}-1`));
        assert.ok(!ids.has(`e${n - 1}-1`));
        assert.equal(ids.size, 2 * n + 3);
      }
      await next;
    }
  } finally {
    await index.close();
    await Deno.remove(folder, { recursive: true });
  }
});
