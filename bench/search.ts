// `deno task bench search`: how well and how fast the embedded index finds.
//   --ir DIR       a test collection (docs, queries, qrels in SMART format): nDCG@10 and recall@10
//                  beside plain FTS5 BM25 on the same text
//   --mail DIR     *.eml: known-item queries, success@1 and success@10
//   --scale N      N emails of one account made from --mail: indexing rate, query times, memory
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { parseBody } from "../domain/mail/parse_body.ts";
import { parseHead } from "../domain/mail/parse_head.ts";
import { openEmbeddedIndex } from "../domain/ports/search_index/embedded.ts";
import type { IndexedEmail, SearchIndex } from "../domain/ports/search_index/port.ts";
import { tokenize } from "../domain/search/tokens.ts";
import type { Figure } from "./main.ts";

export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      ir: { type: "string" },
      mail: { type: "string" },
      scale: { type: "string" },
    },
    strict: false,
  }) as { values: { ir?: string; mail?: string; scale?: string } };
  const figures: Figure[] = [];
  if (values.ir) figures.push(...await collection(values.ir));
  const mail = values.mail ? readMail(values.mail) : [];
  if (mail.length > 0) figures.push(...await knownItems(mail));
  if (values.scale && mail.length > 0) figures.push(...await atScale(mail, Number(values.scale)));
  return figures;
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
      for (const [, name, text] of record.matchAll(FIELD)) {
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

const FIELD = /^\.([A-Z])[ \t]*\n([\s\S]*?)(?=^\.[A-Z][ \t]*$|(?![\s\S]))/gm;

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

function readMail(dir: string): IndexedEmail[] {
  const names = [...Deno.readDirSync(dir)].map(({ name }) => name).filter((name) =>
    name.endsWith(".eml")
  ).sort();
  return names.map((name, n) => {
    const raw = Deno.readFileSync(`${dir}/${name}`);
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

/** One large account on disk: copies of real mail, halves of two put together, numbers of their own. */
async function atScale(mail: IndexedEmail[], size: number): Promise<Figure[]> {
  const dir = await Deno.makeTempDir();
  const index = openEmbeddedIndex({ path: `${dir}/index.sqlite` });
  try {
    const random = seeded(7);
    const pick = () => mail[Math.floor(random() * mail.length)];
    const made = (n: number): IndexedEmail => {
      const [one, other] = [pick(), pick()];
      const half = (text: string) => text.slice(0, 2000).slice(0, 1 + Math.floor(random() * 2000));
      return {
        ...one,
        emailId: `e${n}`,
        arrivedMs: n,
        dateMs: n * 60_000,
        subject: `${one.subject} ${n % 9973}`,
        text: `${half(one.text)}\n${half(other.text)}\nReference ${n.toString(36)}-${n}`,
      };
    };
    const begun = performance.now();
    for (let n = 0; n < size; n += 64) {
      await index.add(Array.from({ length: Math.min(64, size - n) }, (_, k) => made(n + k)));
    }
    const seconds = (performance.now() - begun) / 1000;
    const file = Deno.statSync(`${dir}/index.sqlite`).size;
    const queries = Array.from({ length: 400 }, (_, n) => queryOf(pick(), random, n));
    await found(index, queries[0].text, 10);
    const times: number[] = [];
    for (const query of queries) {
      const start = performance.now();
      await index.search({ ...query, userId: "user", window: 1000, wanted: 30 });
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const at = `search: ${size} emails of one account`;
    const ms = (share: number) =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))];
    return [
      { name: `${at}, indexed`, ours: size / seconds, unit: "/s" },
      { name: `${at}, on disk`, ours: file / size, unit: "bytes an email" },
      { name: `${at}, query p50`, ours: ms(0.5), unit: "ms" },
      { name: `${at}, query p95`, ours: ms(0.95), unit: "ms" },
      { name: `${at}, query max`, ours: ms(1), unit: "ms" },
      { name: `${at}, resident`, ours: Deno.memoryUsage().rss / 2 ** 20, unit: "MiB" },
    ];
  } finally {
    await index.close();
    await Deno.remove(dir, { recursive: true });
  }
}

/** Words of a mail, as people ask: two to eight of them, a number now and then, a filter now and then. */
function queryOf(mail: IndexedEmail, random: () => number, n: number) {
  const words = mail.text.split(/\s+/).filter((word) => /^[\w-]{3,15}$/.test(word));
  const at = Math.floor(random() * Math.max(1, words.length - 8));
  const text = words.slice(at, at + 2 + Math.floor(random() * 7)).join(" ") || mail.subject;
  const filters = n % 8 === 0
    ? { from: mail.from.slice(-8, -1) }
    : n % 8 === 1
    ? { dateFromMs: 30_000 * 60_000 }
    : n % 8 === 2
    ? { subject: mail.subject.slice(0, 6) }
    : {};
  return { text: n % 10 === 0 ? `${text} ${n * 31}` : text, filters };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.imul(state ^ (state >>> 15), state | 1);
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
    return ((state ^ (state >>> 14)) >>> 0) / 4294967296;
  };
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
