import assert from "node:assert/strict";
import type {
  IndexedEmail,
  SearchFilters,
  SearchIndex,
} from "../../../domain/ports/search_index.ts";

/** An email for an index, with plain values except those of the test. */
export function indexedEmail(emailId: string, fields: Partial<IndexedEmail> = {}): IndexedEmail {
  return {
    userId: "user-1",
    emailId,
    mailboxId: "mailbox-1",
    direction: "inbound",
    from: "ada@example.org Ada Lovelace",
    to: ["robot@agents.test"],
    subject: "Weekly notes",
    dateMs: Date.UTC(2026, 0, 15),
    arrivedMs: Date.UTC(2026, 0, 15),
    text: "Nothing of interest this week.",
    attachmentNames: [],
    ...fields,
  };
}

/** Sixty emails that have many words of `longQuery`. */
export async function addNoise(index: SearchIndex) {
  await index.add(Array.from({ length: 60 }, (_, n) =>
    indexedEmail(`noise-${n}`, {
      subject: "Report of the budget meeting, deadline of the delivery",
      text: `The customer asked in the budget meeting about the delivery and its deadline, ${n}.`,
    })));
}

/** A question of thirty words, of which sixty emails have most, and an exact term. */
export function longQuery(literal: string): string {
  return "I am looking for what the customer has asked in the last budget meeting about the delivery " +
    `and its deadline, in connection with ${literal} if I remember right, or was it the report?`;
}

/** Exact terms, in mail that has no other words of `longQuery`. */
export const literalMails = [
  ["order number", "ORD-2024-8817", "Thanks for ORD-2024-8817.", true],
  ["order number, spelt otherwise", "zx 48213", "Yours: ZX-48213!", true],
  ["mixed letters and digits", "a1b2c3d4", "The key is A1B2C3D4.", true],
  ["flight", "LH1234", "Boarding LH1234 at nine.", true],
  ["e-mail address", "jean.dupont@example.com", "Write to jean.dupont@example.com soon.", true],
  ["long address", "a.b.c.dupont@mail.example.co.uk", "or a.b.c.dupont@mail.example.co.uk", false],
  ["UUID", "550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000", true],
  ["amount", "1,234.56", "Total 1,234.56 EUR", true],
  ["short number", "B12", "Room B12.", true],
  ["code in capitals", "QZX-PLMK", "Voucher QZX-PLMK inside.", true],
  ["version", "v2.13.7", "Released: v2.13.7", true],
  ["phrase", '"purple walrus parade"', "Come to the purple walrus parade.", false],
].map(([name, literal, text, inKv]) => ({
  literal: String(literal),
  inKv: Boolean(inKv),
  email: indexedEmail(String(name), { subject: "Hello", text: String(text) }),
}));

/** The guarantees of every search index; `open` returns a new, empty one. */
export function searchIndexSuite(name: string, open: () => Promise<SearchIndex>) {
  const test = (guarantee: string, run: (index: SearchIndex) => Promise<void>) =>
    Deno.test(`${name} index ${guarantee}`, async () => {
      const index = await open();
      try {
        await run(index);
      } finally {
        await index.close();
      }
    });
  const found = async (
    index: SearchIndex,
    text: string,
    filters: SearchFilters = {},
    userId = "user-1",
  ) =>
    (await index.search({ userId, text, filters, window: 100 })).hits.map(({ emailId }) => emailId);

  test("finds an email by words of its subject, text, people and attachments' names", async (index) => {
    await index.add([
      indexedEmail("other"),
      indexedEmail("wanted", {
        from: "grace@navy.example Grace Hopper",
        subject: "Compiler workshop",
        text: "The moth was taped into the logbook.",
        attachmentNames: ["floorplan-hangar.pdf"],
      }),
    ]);
    for (const query of ["compiler", "moth logbook", "Hopper", "navy.example", "floorplan"]) {
      assert.equal((await found(index, query))[0], "wanted", query);
    }
    assert.deepEqual(await found(index, "zeppelin"), []);
    assert.deepEqual(await found(index, "?!"), []);
    assert.deepEqual(await found(index, ""), []);
  });

  test("puts the email with the order number first, whatever characters surround it", async (index) => {
    const noise = Array.from({ length: 30 }, (_, n) =>
      indexedEmail(`noise-${n}`, {
        subject: "Your order has been shipped",
        text: `Your order number ORD-2024-${7000 + n} has been shipped. Thank you for the order.`,
      }));
    await index.add([
      ...noise,
      indexedEmail("wanted", {
        subject: "Re: delivery",
        text: "It was about ORD-2024-8817, I believe.",
      }),
    ]);
    for (
      const query of [
        "ORD-2024-8817",
        "ord-2024-8817",
        "order number 8817",
        "has the order ORD-2024-8817 been shipped? thank you",
      ]
    ) assert.equal((await found(index, query))[0], "wanted", query);
  });

  test("finds every identifier of a long query among the first ten, whatever else it asks", async (index) => {
    await addNoise(index);
    await index.add(literalMails.map(({ email }) => email));
    for (const { email, literal } of literalMails) {
      const ids = await found(index, longQuery(literal));
      assert.ok(ids.slice(0, 10).includes(email.emailId), `${literal}: ${ids.slice(0, 10)}`);
    }
    const several = literalMails.slice(0, 6);
    const ids = await found(index, several.map(({ literal }) => longQuery(literal)).join(" "));
    for (const { email, literal } of several) {
      assert.ok(ids.slice(0, 10).includes(email.emailId), `${literal} of several: ${ids}`);
    }
  });

  test("finds one identifier together with another that a dozen emails have", async (index) => {
    await addNoise(index);
    const times = (count: number, name: string, text: string) =>
      Array.from({ length: count }, (_, n) => indexedEmail(`${name}-${n}`, { text }));
    await index.add([
      ...times(12, "many", "The quarterly budget report is about PRJ-7001-X."),
      ...times(1, "one", `${"Nothing that was asked. ".repeat(300)} PRJ-7002-X.`),
    ]);
    const ids = await found(index, "the quarterly budget report of PRJ-7001-X and of PRJ-7002-X");
    assert.ok(ids.slice(0, 10).includes("one-0"), `${ids}`);
    assert.ok(ids[0].startsWith("many"), `${ids}`);
  });

  test("finds a phrase in quotation marks exactly, in the text and in the subject", async (index) => {
    const scattered = Array.from({ length: 30 }, (_, n) =>
      indexedEmail(`scattered-${n}`, {
        subject: "Harbour, blue",
        text: "The harbour is blue, blue is the harbour. Harbour master blue harbour's.",
      }));
    await index.add([
      ...scattered,
      indexedEmail("text", { text: "We meet at the café of the Blue\nHarbour Master, late." }),
      indexedEmail("subject", { subject: "Re: blue harbour master", text: "See you." }),
    ]);
    for (
      const query of ['"blue harbour master"', "is it the “Blue Harbour Master” of the harbour?"]
    ) {
      const ids = await found(index, query);
      assert.deepEqual(ids.slice(0, 2).toSorted(), ["subject", "text"], query);
    }
  });

  test("does not find mail that has only the small words of a query", async (index) => {
    await index.add([indexedEmail("a", { text: "When does my train leave, and from where?" })]);
    assert.deepEqual(await found(index, "when does my order ship, and from where?"), []);
    assert.deepEqual(await found(index, "from where"), ["a"]);
  });

  test("finds mail with a rare word of a short query among the first ten, however long that mail is", async (index) => {
    const noise = Array.from({ length: 60 }, (_, n) =>
      indexedEmail(`noise-${n}`, {
        subject: "Budget meeting report",
        text: `The report of the budget meeting ${n}.`,
      }));
    const filler = "Nothing that anybody has asked for stands here. ".repeat(300);
    await index.add([
      ...noise,
      indexedEmail("wanted", { text: `${filler} The xylophone was mentioned. ${filler}` }),
    ]);
    const ids = await found(index, "budget meeting report about the xylophones");
    assert.ok(ids.slice(0, 10).includes("wanted"), ids.slice(0, 10).join());
  });

  test("scores from 0 to 1, best first, the newest first among equals", async (index) => {
    await index.add([
      indexedEmail("older", { text: "the harbour report", arrivedMs: 1 }),
      indexedEmail("newest", { text: "the harbour report", arrivedMs: 3 }),
      indexedEmail("newer", { text: "the harbour report", arrivedMs: 2 }),
      indexedEmail("best", { subject: "Harbour report", text: "harbour report", arrivedMs: 0 }),
    ]);
    const { hits } = await index.search({
      userId: "user-1",
      text: "harbour report",
      filters: {},
      window: 100,
    });
    assert.deepEqual(hits.map(({ emailId }) => emailId), ["best", "newest", "newer", "older"]);
    for (const { score } of hits) assert.ok(score >= 0 && score <= 1, `${score}`);
    assert.deepEqual(
      hits.map(({ score }) => score).toSorted((a, b) => b - a),
      hits.map((h) => h.score),
    );
  });

  test("shows the matching words in a passage, wherever in the text they are", async (index) => {
    const filler = "Plain sentences about the weather and the garden go on and on. ".repeat(60);
    await index.add([
      indexedEmail("long", {
        text: `${filler}The tax auditor wants form 1099-K by Friday. ${filler}`,
      }),
    ]);
    const passages = await index.passages({
      userId: "user-1",
      text: "auditor 1099-K",
      emailIds: ["long", "never-was"],
    });
    assert.match(passages[0], /auditor/);
    assert.match(passages[0], /1099-K/);
    assert.ok(passages[0].length <= 400, `${passages[0].length}`);
    assert.equal(passages[1], "");
  });

  test("gives each email once, counts at most the window, and returns the requested part of it", async (index) => {
    const emails = Array.from({ length: 12 }, (_, n) => indexedEmail(`e${n}`, { arrivedMs: n }));
    await index.add(emails);
    await index.add(emails);
    assert.equal((await found(index, "notes")).length, 12);
    const { hits, total } = await index.search({
      userId: "user-1",
      text: "notes",
      filters: {},
      window: 5,
      wanted: 3,
    });
    assert.deepEqual(hits.map(({ emailId }) => emailId), ["e11", "e10", "e9"]);
    assert.equal(total, 5);
  });

  test("replaces an email that is added again", async (index) => {
    await index.add([indexedEmail("e", { text: "about walruses" })]);
    await index.add([indexedEmail("e", { text: "about narwhals" })]);
    assert.deepEqual(await found(index, "walruses"), []);
    assert.deepEqual(await found(index, "narwhals"), ["e"]);
  });

  test("filters by mailbox, people, subject and date, in any case and in part", async (index) => {
    await index.add([
      indexedEmail("a", {
        from: "ada@example.org Ada Lovelace",
        to: ["robot@agents.test", "charles@example.com Charles Babbage"],
        subject: "Engine drawings",
        dateMs: 1000,
      }),
      indexedEmail("b", {
        mailboxId: "mailbox-2",
        from: "bob@sub.example.net",
        subject: "Lunch",
        dateMs: 2000,
      }),
    ]);
    const cases: [SearchFilters, string[]][] = [
      [{}, ["a", "b"]],
      [{ mailboxIds: ["mailbox-2"] }, ["b"]],
      [{ mailboxIds: ["mailbox-1", "mailbox-2"] }, ["a", "b"]],
      [{ mailboxIds: [] }, []],
      [{ from: "ADA@example.org" }, ["a"]],
      [{ from: "lovelace" }, ["a"]],
      [{ from: "example." }, ["a", "b"]],
      [{ from: "Bob@Sub" }, ["b"]],
      [{ from: "robot@agents" }, []],
      [{ to: "charles@example.com" }, ["a"]],
      [{ from: "x' OR '1'='1" }, []],
      [{ from: "*" }, []],
      [{ to: "babbage" }, ["a"]],
      [{ to: "ROBOT@" }, ["a", "b"]],
      [{ subject: "ENGINE DRAW" }, ["a"]],
      [{ subject: "un" }, ["b"]],
      [{ dateFromMs: 1001 }, ["b"]],
      [{ dateToMs: 1999 }, ["a"]],
      [{ dateFromMs: 1000, dateToMs: 2000 }, ["a", "b"]],
      [{ from: "ada", dateFromMs: 1001 }, []],
    ];
    for (const [filters, expected] of cases) {
      assert.deepEqual(
        (await found(index, "interest this week", filters)).toSorted(),
        expected,
        JSON.stringify(filters),
      );
    }
  });

  test("does not take a display name for an address, in whichever line it stands", async (index) => {
    const fake = '"boss@bank.example" <x@evil.example>';
    await index.add([
      indexedEmail("from", { from: fake }),
      indexedEmail("to", { to: ["Ann <ann@one.example>", fake] }),
      indexedEmail("true", { from: "Boss <boss@bank.example>", to: ["boss@bank.example"] }),
    ]);
    for (const field of ["from", "to"]) {
      for (const part of ["boss@bank.example", "@BANK.example", "Boss <boss@bank.example>"]) {
        const ids = await found(index, "interest this week", { [field]: part });
        assert.deepEqual(ids, part.startsWith("Boss") && field === "to" ? [] : ["true"], part);
      }
    }
    assert.deepEqual(await found(index, "interest this week", { to: "x@evil.example" }), ["to"]);
  });

  test("finds a match far down the list if a filter removes the others", async (index) => {
    const noise = Array.from(
      { length: 300 },
      (_, n) => indexedEmail(`noise-${n}`, { subject: "budget budget budget", text: "the budget" }),
    );
    await index.add([
      ...noise,
      indexedEmail("wanted", {
        from: "carol@example.org",
        text: "a long letter in which, late, the budget is touched upon once",
      }),
    ]);
    assert.deepEqual(await found(index, "budget", { from: "carol" }), ["wanted"]);
  });

  test("forgets removed emails and mailboxes at once, and only those", async (index) => {
    await index.add([
      indexedEmail("a"),
      indexedEmail("b"),
      indexedEmail("c", { mailboxId: "mailbox-2" }),
      indexedEmail("a", { userId: "user-2" }),
    ]);
    await index.remove("user-1", ["a", "never-was"]);
    assert.deepEqual((await found(index, "notes")).toSorted(), ["b", "c"]);
    await index.removeMailbox("user-1", "mailbox-1");
    assert.deepEqual(await found(index, "notes"), ["c"]);
    assert.deepEqual(await found(index, "notes", {}, "user-2"), ["a"]);
    await index.add([indexedEmail("a")]);
    assert.deepEqual((await found(index, "notes")).toSorted(), ["a", "c"]);
  });

  test("never shows one account another's emails", async (index) => {
    await index.add([
      indexedEmail("mine", { text: "the passphrase is quicksilver" }),
      indexedEmail("theirs", { userId: "user-2", text: "the passphrase is quicksilver" }),
    ]);
    assert.deepEqual(await found(index, "quicksilver"), ["mine"]);
    assert.deepEqual(await found(index, "quicksilver", {}, "user-2"), ["theirs"]);
    assert.deepEqual(await found(index, "quicksilver", {}, "user-3"), []);
    assert.deepEqual(await found(index, `quicksilver" OR user_id:"user-2`), ["mine"]);
  });

  test("finds words of any script, with or without accents, in any case", async (index) => {
    await index.add([
      indexedEmail("de", { text: "Die Rechnung für Herrn Müller aus Köln" }),
      indexedEmail("ru", { text: "Счёт за электричество" }),
      indexedEmail("ja", { text: "東京都庁の会議は金曜日です" }),
      indexedEmail("object", { text: "the constructor and its prototype, __proto__ too" }),
    ]);
    assert.deepEqual(await found(index, "MULLER"), ["de"]);
    assert.deepEqual(await found(index, "электричество"), ["ru"]);
    assert.deepEqual(await found(index, "金曜日"), ["ja"]);
    assert.deepEqual(await found(index, "constructor"), ["object"]);
    assert.deepEqual(await found(index, "__proto__"), ["object"]);
  });

  test("is empty after a reset, and gives the same answers when filled again", async (index) => {
    const emails = ["red kite", "red squirrel", "grey squirrel", "red red wine"].map((text, n) =>
      indexedEmail(`e${n}`, { text, arrivedMs: n })
    );
    await index.add(emails);
    const query = { userId: "user-1", text: "red squirrel", filters: {}, window: 100 };
    const before = await index.search(query);
    await index.reset();
    assert.deepEqual(await index.search(query), { hits: [], total: 0 });
    for (const email of emails) await index.add([email]);
    assert.deepEqual(await index.search(query), before);
    await index.check();
  });
}
