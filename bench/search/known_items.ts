import { openEmbeddedIndex } from "../../adapters/search_index/embedded.ts";
import type { IndexedEmail, SearchIndex } from "../../domain/ports/search_index.ts";
import { tokenize } from "../../fulltext/analysis/tokens.ts";
import type { Figure } from "../figure.ts";

/** Three kinds of query for every 5th message: how often the message comes first, and how often among the first ten. */
export async function knownItems(mail: IndexedEmail[]): Promise<Figure[]> {
  const index = openEmbeddedIndex({ path: null });
  const asked = mail.filter((_, n) => n % 5 === 0);
  const orderNumber = (n: number) => `${"ABCDEFGHJK"[n % 10]}${n % 7}-${100_000 + n * 37}`;
  await fill(
    index,
    mail.map((each, n) =>
      n % 5 === 0
        ? { ...each, text: `${each.text}\nYour reference is ${orderNumber(n / 5)}.\n` }
        : each
    ),
  );
  const frequency = new Map<string, number>();
  for (const { text } of mail) {
    for (const word of new Set(tokenize(text).map(({ word }) => word.text))) {
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
    }
  }
  const rareWords = ({ text }: IndexedEmail) =>
    [...new Set(tokenize(text).map(({ word }) => word.text))]
      .filter((word) => /^[a-z]{4,14}$/.test(word))
      .sort((a, b) => frequency.get(a)! - frequency.get(b)!).slice(0, 4).join(" ");
  /** Other inflections and another order, without the small words of the mail. */
  const paraphrase = ({ subject }: IndexedEmail) =>
    (subject.replace(/^(re|fwd?|\[[^\]]*\])[:\s]*/gi, "").toLowerCase().match(/[a-z]{4,}/g) ?? [])
      .map((word) => word.endsWith("ing") || word.endsWith("ed") ? word : word.replace(/s?$/, "s"))
      .reverse().join(" ");
  const holds = ({ text }: IndexedEmail, word: string) =>
    tokenize(text).some((token) => token.word.text === word);
  const kinds: [string, (email: IndexedEmail, n: number) => string][] = [
    ["its rare words", rareWords],
    ["its subject paraphrased", paraphrase],
    [
      "a question with its order number",
      (_, n) => `what has become of my order ${orderNumber(n)}, has it been sent yet?`,
    ],
  ];
  const figures: Figure[] = [];
  for (const [name, queryOf] of kinds) {
    let asked1 = 0;
    let first = 0;
    let ten = 0;
    for (const [n, each] of asked.entries()) {
      const query = queryOf(each, n);
      if (query.split(" ").length < 2) continue;
      asked1++;
      const hits = await found(index, query, 10);
      // Another message with the same words counts too, because circulars come many times.
      const place = hits.findIndex(({ emailId }) => {
        const hit = mail.find((other) => other.emailId === emailId)!;
        if (emailId === each.emailId) return true;
        if (name.includes("subject")) return paraphrase(hit) === query;
        return name.includes("rare") && query.split(" ").every((word) => holds(hit, word));
      });
      if (place === 0) first++;
      if (place >= 0) ten++;
    }
    const share = (count: number) => ({ ours: 100 * count / asked1, unit: "%", note: `${asked1}` });
    figures.push(
      { name: `search: known item by ${name}, success@1`, ...share(first) },
      { name: `search: known item by ${name}, success@10`, ...share(ten) },
    );
  }
  await index.close();
  return figures;
}

async function fill(index: SearchIndex, emails: IndexedEmail[]) {
  for (let n = 0; n < emails.length; n += 64) await index.add(emails.slice(n, n + 64));
}

async function found(index: SearchIndex, text: string, window: number) {
  return (await index.search({ userId: "user", text, filters: {}, window })).hits;
}
