import assert from "node:assert/strict";
import { IndexEngine } from "../../../fulltext/index/engine.ts";

Deno.test("hits of the shown places come with their passages, those of passages(); the others without", () => {
  const index = new IndexEngine(null, () => performance.now(), (numbers) => numbers.fill(7));
  const email = (n: number) => ({
    userId: "user",
    emailId: `email-${n}`,
    mailboxId: "mailbox",
    from: "ada@example.com",
    to: [],
    subject: `Harbour ${n}`,
    dateMs: n,
    arrivedMs: n,
    text: n === 3
      ? ""
      : `${"lorem ipsum ".repeat(40)} crane ${n} of the harbour ${"dolor ".repeat(60)}`,
    attachmentNames: [],
  });
  index.add([1, 2, 3, 4, 5].map(email));
  const query = { userId: "user", text: "harbour crane", filters: {}, window: 10 };
  const { hits: plain } = index.search(query);
  assert.ok(plain.length > 0);
  assert.ok(plain.every(({ passage }) => passage === undefined));
  const emailIds = plain.map(({ emailId }) => emailId);
  const passages = index.passages({ userId: "user", text: query.text, emailIds });
  for (const shown of [{ from: 0, until: 3 }, { from: 2, until: 50 }, { from: 50, until: 60 }]) {
    const { hits } = index.search({ ...query, shown });
    assert.deepEqual(
      hits,
      plain.map((hit, n) =>
        n >= shown.from && n < shown.until ? { ...hit, passage: passages[n] } : hit
      ),
    );
  }
  assert.match(passages[0], /crane/);
  index.close();
});
