// `deno task bench search`: how well and how fast the embedded index finds.
import { DatabaseSync } from "node:sqlite";
import { parseBody } from "../mime/body/parse_body.ts";
import { parseHead } from "../mime/headers/parse_head.ts";
import { openEmbeddedIndex } from "../adapters/search_index/embedded.ts";
import type { IndexedEmail, SearchIndex } from "../domain/ports/search_index.ts";
import { tokenize } from "../fulltext/analysis/tokens.ts";
import { throughRest } from "./search_http.ts";
import type { Figure } from "./figure.ts";
import { readMessages } from "./mail.ts";
import { type BenchOptions, numberOf } from "./options.ts";

export const description =
  "How well and how fast the embedded index finds; --mail DIR: known-item queries, success@1 and success@10";
export const options = {
  ir: {
    type: "string",
    description: "test collection in SMART format (docs, queries, qrels): nDCG@10, recall@10",
  },
  emails: {
    type: "string",
    description: "so many emails of one account, a hundred others idle, through REST",
  },
  store: { type: "string", description: "folder that keeps what --emails fills" },
} as const;

export async function run(
  { ir, mail: folder, emails, store }: BenchOptions & {
    ir?: string;
    emails?: string;
    store?: string;
  },
): Promise<Figure[]> {
  const size = numberOf("--emails", emails);
  const mail = folder === undefined ? [] : await readMail(folder);
  return [
    ...(ir === undefined ? [] : await collection(ir)),
    ...(mail.length > 0 && size === undefined ? await knownItems(mail) : []),
    ...(size === undefined ? [] : await throughRest(mail, size, store)),
  ];
}

interface Judged {
  docs: { id: string; title: string; text: string }[];
  queries: { id: string; text: string; relevant: Set<string> }[];
}

/** The SMART format: `.I id`, then fields `.T`, `.A`, `.W` and others that are not read. */
function readCollection(dir: string): Judged {
  const records = (name: string) =>
    Deno.readTextFileSync(`${dir}/${name}`).split(/^\.I\s+/m).slice(1).map((record) => {
      const id = /^\d+/.exec(record)![0];
      const fields: Record<string, string> = {};
      for (const [, name, text] of record.matchAll(field)) {
        fields[name] = `${fields[name] ?? ""}\n${text}`.trim();
      }
      return { id, fields };
    });
  const relevant = new Map<string, Set<string>>();
  for (const line of Deno.readTextFileSync(`${dir}/qrels`).split("\n")) {
    const [query, doc] = line.trim().split(/\s+/);
    if (!doc) continue;
    if (!relevant.has(query)) relevant.set(query, new Set());
    relevant.get(query)!.add(doc);
  }
  return {
    docs: records("docs").map(({ id, fields }) => ({
      id,
      title: fields.T ?? "",
      text: [fields.A, fields.W].filter(Boolean).join("\n"),
    })),
    queries: records("queries").flatMap(({ id, fields }) =>
      relevant.has(id)
        ? [{
          id,
          text: [fields.T, fields.W].filter(Boolean).join("\n"),
          relevant: relevant.get(id)!,
        }]
        : []
    ),
  };
}

const field = /^\.([A-Z])[ \t]*\n([\s\S]*?)(?=^\.[A-Z][ \t]*$|(?![\s\S]))/gm;

async function collection(dir: string): Promise<Figure[]> {
  const judged = readCollection(dir);
  const index = openEmbeddedIndex({ path: null });
  await fill(
    index,
    judged.docs.map(({ id, title, text }, n) => email(id, { subject: title, text, arrivedMs: n })),
  );
  const ours = async (text: string) => (await found(index, text, 10)).map(({ emailId }) => emailId);
  const plain = plainFts5(judged);
  const mean = async (search: (text: string) => Promise<string[]>) => {
    let gain = 0;
    let recall = 0;
    for (const { text, relevant } of judged.queries) {
      const hits = await search(text);
      gain += ndcg(hits, relevant);
      recall += hits.filter((id) => relevant.has(id)).length / relevant.size;
    }
    return { ndcg: gain / judged.queries.length, recall: recall / judged.queries.length };
  };
  const us = await mean(ours);
  const them = await mean((text) => Promise.resolve(plain(text)));
  await index.close();
  const [unit, note] = ["of 100", "bare: FTS5 BM25, porter, title twice"];
  return [
    { name: "search: nDCG@10", ours: 100 * us.ndcg, bare: 100 * them.ndcg, unit, note },
    { name: "search: recall@10", ours: 100 * us.recall, bare: 100 * them.recall, unit, note },
  ];
}

function plainFts5({ docs }: Judged): (text: string) => string[] {
  const db = new DatabaseSync(":memory:");
  db.exec("create virtual table docs using fts5(title, text, tokenize = 'porter unicode61')");
  const insert = db.prepare("insert into docs (rowid, title, text) values (?, ?, ?)");
  docs.forEach(({ title, text }, n) => insert.run(n + 1, title, text));
  const query = db.prepare(
    "select rowid as row from docs where docs match ? order by bm25(docs, 2, 1) limit 10",
  );
  return (text) => {
    const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
    const rows = query.all(words.map((word) => `"${word}"`).join(" OR ")) as { row: number }[];
    return rows.map(({ row }) => docs[row - 1].id);
  };
}

function ndcg(hits: string[], relevant: Set<string>): number {
  let gain = 0;
  let ideal = 0;
  for (let n = 0; n < 10; n++) {
    if (n < hits.length && relevant.has(hits[n])) gain += 1 / Math.log2(n + 2);
    if (n < relevant.size) ideal += 1 / Math.log2(n + 2);
  }
  return gain / ideal;
}

async function readMail(dir: string): Promise<IndexedEmail[]> {
  return (await readMessages(dir)).map(({ name, raw }, n) => {
    const head = parseHead(raw);
    const body = parseBody(raw);
    const from = head.from ? `${head.from.name ?? ""} <${head.from.address}>` : "";
    return email(name, { from, subject: head.subject, text: body.text, arrivedMs: n });
  });
}

/** Three kinds of query for every 5th message: how often it comes first, and among ten. */
async function knownItems(mail: IndexedEmail[]): Promise<Figure[]> {
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
  /** Other inflections, another order, without the mail's own small words. */
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
      // A message that holds what was asked for as well is as good: circulars come many times.
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

function email(emailId: string, fields: Partial<IndexedEmail>): IndexedEmail {
  return {
    userId: "user",
    emailId,
    mailboxId: "mailbox",
    direction: "inbound",
    from: "collection@example.org",
    to: ["reader@agents.test"],
    subject: "",
    dateMs: 0,
    arrivedMs: 0,
    text: "",
    attachmentNames: [],
    ...fields,
  };
}

async function fill(index: SearchIndex, emails: IndexedEmail[]) {
  for (let n = 0; n < emails.length; n += 64) await index.add(emails.slice(n, n + 64));
}

async function found(index: SearchIndex, text: string, window: number) {
  return (await index.search({ userId: "user", text, filters: {}, window })).hits;
}
