import assert from "node:assert/strict";
import { bestPassage, wantedWords } from "../../../fulltext/analysis/best_passage.ts";
import { Account } from "../../../fulltext/index/account.ts";
import { IndexEngine } from "../../../fulltext/index/engine.ts";
import { allowedDocuments } from "../../../fulltext/index/filters.ts";
import { queryTerms } from "../../../fulltext/index/query_terms.ts";
import { QueryBudget } from "../../../fulltext/index/ranking/query_budget.ts";
import { rankDocuments } from "../../../fulltext/index/ranking/ranking.ts";

/** 600 words of two letters. */
const words = Array.from(
  { length: 600 },
  (_, n) => String.fromCharCode(97 + n % 26) + String.fromCharCode(97 + Math.floor(n / 26)),
);

function engineWith(texts: string[]): IndexEngine {
  const engine = new IndexEngine(null, () => 0, (numbers) => crypto.getRandomValues(numbers));
  engine.add(texts.map((text, n) => ({
    ...{ userId: "u", emailId: `e${n}`, mailboxId: "m", from: "a@b.example", to: ["c@d.example"] },
    ...{ subject: "hello", dateMs: n, arrivedMs: n, text, attachmentNames: [] },
  })));
  return engine;
}

function search(engine: IndexEngine, text: string) {
  return engine.search({ userId: "u", text, filters: {}, window: 100 });
}

/** What calls of a method of `Account` return while `run` runs. */
function results<Name extends "text" | "postings">(
  name: Name,
  run: (account: () => Account) => void,
): ReturnType<Account[Name]>[] {
  const found: ReturnType<Account[Name]>[] = [];
  const original = Account.prototype[name] as (...args: unknown[]) => unknown;
  let account: Account;
  Account.prototype[name] = function (this: Account, ...args: unknown[]) {
    account = this;
    const result = original.apply(this, args) as ReturnType<Account[Name]>;
    found.push(result);
    return result;
  } as Account[Name];
  try {
    run(() => account);
  } finally {
    Account.prototype[name] = original as Account[Name];
  }
  return found;
}

Deno.test("each text is read once for all quoted phrases of a query", () => {
  const engine = engineWith(
    Array.from({ length: 60 }, (_, n) => `aa xx bb cc yy dd ${n === 7 ? "aa bb cc dd" : ""}`),
  );
  for (const query of ['"aa bb" '.repeat(20), '"aa bb" "bb cc" "cc dd" "dd aa" "bb dd"']) {
    const read = results("text", () => {
      assert.equal(search(engine, query).hits[0].emailId, "e7", query);
    });
    assert.equal(read.length, 60, query);
  }
});

Deno.test("a query reads at most 4,000,000 characters of long texts for its phrases, those of the best first", () => {
  const long = `aa xx bb ${words.join(" ")} `.repeat(200).slice(0, 250_000);
  const engine = engineWith([...Array.from({ length: 40 }, () => long), "aa bb ".repeat(40)]);
  const read = results("text", () => {
    const { hits } = search(engine, '"aa bb"');
    assert.equal(hits[0].emailId, "e40");
  });
  const characters = read.reduce((sum, text) => sum + text.length, 0);
  assert.ok(characters <= 4_250_000, `${characters}`);
});

Deno.test("if the words of a query are in too many emails, the commonest are left out", () => {
  const common = words.join(" ");
  const engine = engineWith(
    Array.from({ length: 300 }, (_, n) => n === 5 ? `${common} zeppelin` : common),
  );
  const query = `${words.join(" ")} zeppelin`;
  let account: Account;
  results("postings", (found) => {
    search(engine, query);
    account = found();
  });
  let ranked: ReturnType<typeof rankDocuments> = [];
  const lengths: number[] = [];
  const original = account!.postings.bind(account!);
  account!.postings = (key) => {
    const list = original(key);
    lengths.push(list.length);
    return list;
  };
  const terms = queryTerms(query);
  ranked = rankDocuments(
    account!,
    { ...terms, onlyIdentifiers: true },
    allowedDocuments(account!, {}),
    10,
    new QueryBudget(2_000),
  );
  const postings = lengths.reduce((sum, length) => sum + length, 0);
  assert.ok(postings <= 2_300, `${postings}`);
  assert.equal(account!.columns.emailId[ranked[0].document], "e5");
  assert.ok(ranked[0].coverage < 0.5, "it has few of the words that were looked for");
});

Deno.test("a passage costs a bounded number of words, also if each word of a text is wanted", () => {
  const wanted = wantedWords(words.join(" "), () => 1);
  const before = wanted.left;
  const text = `${words.slice(0, 50).join(" ")} `.repeat(2_000);
  for (let n = 1; n <= 30; n++) {
    assert.ok(bestPassage(text, wanted).length > 100);
    assert.ok(before - wanted.left <= Math.min(n, 10) * 2_001 + n, `${before - wanted.left}`);
  }
});
