import { Index } from "@upstash/vector";
import type { SearchFilters } from "../../domain/ports/search_index.ts";
import { PersonFilter } from "../../fulltext/analysis/people.ts";
import { queryWords, textWords } from "./sparse_words.ts";
import type { EmbeddedEmail, VectorHit, VectorIndex } from "../../domain/ports/vector_index.ts";

export interface UpstashOptions {
  url: string;
  token: string;
}

/** Metadata of a vector, for the filters and the snippet. */
type Metadata = {
  email: string;
  mailbox: string;
  model: string;
  date: number;
  /** In lower case, because GLOB is case-sensitive. */
  from: string;
  to: string;
  subject: string;
  passage: string;
};

/** Vectors a request; the free plan accepts 1,000. */
const batchVectors = 100;
/** Upstash returns at most this many. */
const maxTop = 1000;
/** The client has no time limit of its own. */
const maxRequestMs = 15_000;
/** Characters of a field: metadata is at most 48 KB, so long recipient lists are cut. */
const maxField = 8_000;
const maxPassage = 400;

/**
 * Upstash Vector over its REST interface. Each account has its own namespace, so that a query never sees another
 * account's vectors.
 */
export function createUpstashIndex({ url, token }: UpstashOptions): VectorIndex {
  /** A client whose requests are aborted after `timeoutMs`. */
  const clientWithin = (timeoutMs: number) =>
    new Index<Metadata>({
      url,
      token,
      enableTelemetry: false,
      retry: { retries: 0 },
      signal: () => AbortSignal.timeout(timeoutMs),
    });
  const index = clientWithin(maxRequestMs);
  const namespaceOf = (userId: string, client = index) => client.namespace(`ns_${userId}`);
  const removeEmail = (userId: string, emailId: string) =>
    namespaceOf(userId).delete({ prefix: `${emailId}#` });

  let hybrid: Promise<boolean> | null = null;
  /** Whether rows need sparse vectors, too. The kind of an index never changes. */
  const isHybrid = (client = index) => {
    hybrid ??= client.info().then(({ sparseIndex }) => sparseIndex != null);
    hybrid.catch(() => hybrid = null);
    return hybrid;
  };

  return {
    name: "upstash",
    exact: false,
    async add(emails) {
      for (const [userId, own] of Map.groupBy(emails, ({ userId }) => userId)) {
        // Otherwise old passages would stay if the email has fewer now.
        for (const { emailId } of own) await removeEmail(userId, emailId);
        const sparse = await isHybrid();
        const rows = own.flatMap((email) => rowsOf(email, sparse));
        for (let n = 0; n < rows.length; n += batchVectors) {
          await namespaceOf(userId).upsert(rows.slice(n, n + batchVectors));
        }
      }
    },
    async remove(userId, emailIds) {
      for (const emailId of emailIds) await removeEmail(userId, emailId);
    },
    async removeMailbox(userId, mailboxId) {
      await namespaceOf(userId).delete({ filter: `mailbox = ${quoted(mailboxId)}` });
    },
    async search({ userId, model, vector, filters, window, timeoutMs }) {
      const namespace = namespaceOf(userId, clientWithin(timeoutMs));
      const query = (filter: string, topK: number) =>
        namespace.query({ vector: Array.from(vector), topK, filter, includeMetadata: true });
      const ofModel = `model = ${quoted(model)}`;
      const narrow = conditions(filters);
      // Several hits may be passages of one email.
      const topK = Math.min(maxTop, window * 2);
      let found = await query([ofModel, ...narrow].join(" AND "), topK);
      if (narrow.length > 0 && found.length < Math.min(topK, 20)) {
        // With a narrow filter Upstash stops before it has seen all vectors. So the nearest of all are requested and
        // filtered here.
        found = [...found, ...await query(ofModel, maxTop)];
      }
      return hitsOf(found, model, filters).slice(0, window);
    },
    async searchWords({ userId, text, filters, window, timeoutMs }) {
      const sparseVector = queryWords(text);
      const client = clientWithin(timeoutMs);
      if (!await isHybrid(client)) return null;
      if (sparseVector.indices.length === 0) return [];
      // Only the sparse half, because a fused answer has ranks instead of scores.
      const found = await namespaceOf(userId, client).query({
        sparseVector,
        topK: Math.min(maxTop, window * 2),
        filter: conditions(filters).join(" AND ") || undefined,
        includeMetadata: true,
      });
      return bestPassages(found, (metadata) => passes(metadata, filters))
        .filter(({ score }) => score > 0).slice(0, window)
        .map(({ emailId, score }) => ({ emailId, share: Math.min(1, score) }));
    },
    async reset() {
      const namespaces = await index.listNamespaces();
      for (const namespace of namespaces.filter((name) => name.startsWith("ns_"))) {
        await index.namespace(namespace).reset();
      }
    },
    async check() {
      await index.info();
    },
  };
}

function rowsOf(email: EmbeddedEmail, sparse: boolean) {
  const { emailId, mailboxId, model, dateMs, from, to, subject, passages } = email;
  const metadata = {
    email: emailId,
    mailbox: mailboxId,
    model,
    date: dateMs,
    from: from.toLowerCase().slice(0, maxField),
    to: to.join("\n").toLowerCase().slice(0, maxField),
    subject: subject.toLowerCase().slice(0, maxField),
  };
  return passages.map(({ text, vector }, n) => ({
    id: `${emailId}#${n}`,
    vector: Array.from(vector),
    ...(sparse
      ? { sparseVector: textWords([from, ...to.slice(0, 20), subject, text].join("\n")) }
      : {}),
    metadata: { ...metadata, passage: text.replace(/\s+/g, " ").slice(0, maxPassage) },
  }));
}

function conditions({ mailboxIds, from, to, subject, dateFromMs, dateToMs }: SearchFilters) {
  const all: string[] = [];
  if (mailboxIds) {
    all.push(
      mailboxIds.length > 0 ? `mailbox IN (${mailboxIds.map(quoted).join(", ")})` : "mailbox = ''",
    );
  }
  if (dateFromMs !== undefined) all.push(`date >= ${dateFromMs}`);
  if (dateToMs !== undefined) all.push(`date <= ${dateToMs}`);
  for (const [field, part] of [["from", from], ["to", to], ["subject", subject]] as const) {
    if (!part) continue;
    const needle = field === "subject" ? part.toLowerCase() : needleOf(part);
    all.push(`${field} GLOB ${quoted(`*${needle}*`)}`);
  }
  return all;
}

const needleOf = (part: string) => new PersonFilter(part.toLowerCase()).needle;

/** A quoted text for a filter. In a pattern, characters that would end it, and wildcards inside, become `?`. */
function quoted(text: string): string {
  const inner = text.startsWith("*") && text.endsWith("*") && text.length > 1
    ? `*${text.slice(1, -1).replace(/['"\\*?[\]]/g, "?")}*`
    : text.replace(/['"\\]/g, "");
  return `'${inner}'`;
}

function hitsOf(
  found: { score: number; metadata?: Metadata }[],
  model: string,
  filters: SearchFilters,
): VectorHit[] {
  // A score of Upstash is (1 + cosine) / 2.
  return bestPassages(found, (each) => each.model === model && passes(each, filters))
    .map(({ score, ...hit }) => ({ ...hit, cosine: Math.max(-1, Math.min(1, 2 * score - 1)) }));
}

/**
 * The best passage of each email, best first. The answer comes from outside: wrong rows are left out.
 */
function bestPassages(
  found: { score: number; metadata?: Metadata }[],
  isWanted: (metadata: Metadata) => boolean,
): { emailId: string; score: number; passage: string }[] {
  const best = new Map<string, { emailId: string; score: number; passage: string }>();
  for (const { score, metadata } of found) {
    if (typeof metadata?.email !== "string" || !Number.isFinite(score)) continue;
    if (!isWanted(metadata)) continue;
    const emailId = metadata.email;
    if ((best.get(emailId)?.score ?? -Infinity) >= score) continue;
    best.set(emailId, { emailId, score, passage: String(metadata.passage ?? "") });
  }
  return [...best.values()].sort((a, b) => b.score - a.score);
}

function passes(metadata: Metadata, filters: SearchFilters): boolean {
  const { mailboxIds, from, to, subject, dateFromMs, dateToMs } = filters;
  const holds = (text: string, part?: string) =>
    !part || String(text ?? "").includes(part.toLowerCase());
  const people = (lines: string, part?: string) =>
    !part || new PersonFilter(part.toLowerCase()).passesOne(String(lines ?? ""));
  return (!mailboxIds || mailboxIds.includes(metadata.mailbox)) &&
    (dateFromMs === undefined || metadata.date >= dateFromMs) &&
    (dateToMs === undefined || metadata.date <= dateToMs) &&
    people(metadata.from, from) && people(metadata.to, to) && holds(metadata.subject, subject);
}
