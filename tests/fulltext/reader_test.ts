import assert from "node:assert/strict";
import { IndexEngine } from "../../fulltext/index/engine.ts";
import { IndexReader } from "../../fulltext/reader.ts";
import type { IndexedEmail, SearchFilters } from "../../fulltext/types.ts";

const fillRandom = (numbers: Uint32Array<ArrayBuffer>) => crypto.getRandomValues(numbers);

/** Numbers below `end`, the same in every run. */
function numbersFrom(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor(state / 0x80000000 * end);
  };
}

/** An engine and a reader of one file, and emails of words of a small vocabulary. */
class Pair {
  readonly path = Deno.makeTempFileSync({ suffix: ".sqlite" });
  readonly engine = new IndexEngine(this.path, () => performance.now(), fillRandom);
  readonly reader = new IndexReader(this.path, fillRandom);
  readonly below = numbersFrom(7);

  text(words: number): string {
    const word = () => `w${(Math.min(this.below(800), this.below(800)) * 7919).toString(36)}x`;
    return Array.from({ length: words }, word).join(" ");
  }

  email(userId: string, emailId: string): IndexedEmail {
    const { below } = this;
    return {
      userId,
      emailId,
      mailboxId: `mailbox-${below(3)}`,
      from: `p${below(60)}@example.org`,
      to: [`q${below(30)}@example.org`],
      subject: `${this.text(3)} ${below(500)}`,
      dateMs: below(1e9),
      arrivedMs: below(1e9),
      text: `${this.text(5 + below(20))} ORD-${below(400)}`,
      attachmentNames: [],
    };
  }

  filters(): SearchFilters {
    const { below } = this;
    return {
      ...(below(4) === 0 ? { from: `p${below(60)}` } : {}),
      ...(below(5) === 0 ? { subject: this.text(1) } : {}),
      ...(below(5) === 0 ? { mailboxIds: [`mailbox-${below(3)}`] } : {}),
      ...(below(6) === 0 ? { dateFromMs: 5e8 } : {}),
    };
  }

  /** Asserts that both answer the same; returns how many emails match. */
  ask(userId: string): number {
    const text = this.text(1 + this.below(4)) + (this.below(4) ? "" : ` ORD-${this.below(400)}`);
    const query = { userId, text, filters: this.filters(), window: 1000 };
    const asked = this.engine.search(query);
    const answer = this.reader.search(query) ??
      (this.reader.open(userId) ? this.reader.search(query) : null);
    // The reader has no account without documents.
    if (answer || asked.total > 0) assert.deepEqual(answer, asked);
    return asked.total;
  }

  [Symbol.dispose]() {
    this.reader.close();
    this.engine.close();
    for (const file of ["", "-wal", "-shm"]) {
      try {
        Deno.removeSync(this.path + file);
      } catch {
        // SQLite has removed it.
      }
    }
  }
}

Deno.test("a reader answers as the engine does while mail is added, replaced, removed and merged", () => {
  using pair = new Pair();
  const { engine, below } = pair;
  const users = ["user-0", "user-1"];
  const someUser = () => users[below(4) === 0 ? 1 : 0];
  const ids: string[] = [];
  let found = 0;
  for (let step = 0; step < 120; step++) {
    const emails = Array.from({ length: 1 + below(60) }, () => {
      ids.push(`e${ids.length}`);
      return pair.email(someUser(), ids.at(-1)!);
    });
    if (below(3) === 0) emails.push(pair.email(someUser(), ids[below(ids.length)]));
    engine.add(emails);
    // Of the newest, which are in no segment, and of older ones.
    const newest = Math.max(0, ids.length - 100);
    for (const userId of users) {
      const removed = () => ids[below(2) ? newest + below(ids.length - newest) : below(ids.length)];
      engine.remove(userId, Array.from({ length: below(30) }, removed));
    }
    for (let n = below(4); n > 0; n--) engine.work();
    for (const userId of users) found += pair.ask(userId);
  }
  while (engine.work());
  engine.removeMailbox("user-0", "mailbox-1");
  for (const userId of users) found += pair.ask(userId);
  assert.ok(found > 10_000);
});

Deno.test("a reader follows the removal of an account and a reset, whose numbers are given again", () => {
  using pair = new Pair();
  const { engine } = pair;
  const emailsOf = (userId: string, count: number) =>
    Array.from({ length: count }, (_, n) => pair.email(userId, `${userId}-${n}`));
  engine.add([...emailsOf("first", 300), ...emailsOf("second", 300)]);
  for (let n = 0; n < 5; n++) for (const userId of ["first", "second"]) pair.ask(userId);
  engine.removeAccount("second");
  engine.add(emailsOf("third", 400));
  for (let n = 0; n < 10; n++) for (const userId of ["first", "second", "third"]) pair.ask(userId);
  engine.reset();
  engine.add([...emailsOf("third", 270), ...emailsOf("first", 520)]);
  let found = 0;
  for (let n = 0; n < 20; n++) for (const userId of ["first", "third"]) found += pair.ask(userId);
  assert.ok(found > 100);
});

Deno.test("a reader that missed more removals than are logged opens its accounts again", () => {
  using pair = new Pair();
  const { engine, reader } = pair;
  const emails = Array.from({ length: 10_300 }, (_, n) => ({
    ...pair.email("user", `e${n}`),
    text: n % 100 === 0 ? "walrus" : "",
  }));
  for (let n = 0; n < emails.length; n += 500) engine.add(emails.slice(n, n + 500));
  const query = { userId: "user", text: "walrus", filters: {}, window: 1000 };
  reader.open("user");
  assert.ok(reader.search(query)!.total >= 103);
  engine.remove("user", emails.slice(0, 10_250).map(({ emailId }) => emailId));
  assert.equal(reader.search(query), null);
  assert.ok(reader.open("user"));
  assert.deepEqual(reader.search(query), engine.search(query));
  assert.equal(engine.search(query).total, 0);
});
