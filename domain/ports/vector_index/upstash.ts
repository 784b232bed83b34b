import { Index } from "@upstash/vector";
import { within } from "../../search/within.ts";
import { tokenize } from "../../search/tokens.ts";
import type { SearchFilters } from "../search_index/port.ts";
import type { EmbeddedEmail, VectorHit, VectorIndex } from "./port.ts";

export interface UpstashOptions {
  url: string;
  token: string;
}

/** What is kept with each vector, for the filters and the snippet; numbers for what is compared. */
type Metadata = {
  email: string;
  mailbox: string;
  model: string;
  date: number;
  /** In lower case, for GLOB looks at case. */
  from: string;
  to: string;
  subject: string;
  passage: string;
};

/** Vectors a request, what the free plan takes at most being 1,000. */
const BATCH_VECTORS = 100;
/** Upstash answers at most so many. */
const MAX_TOP = 1000;
/** The client has no time limit of its own. */
const TIMEOUT_MS = 15_000;
/** Metadata is at most 48 KB: lists of many recipients are cut. */
const MAX_FIELD = 8_000;
const MAX_PASSAGE = 400;
/** Upstash takes a sparse vector of at most a thousand numbers. */
const MAX_SPARSE = 1000;

/**
 * Upstash Vector over its REST interface: a namespace an account, so that one account's vectors
 * are never among those looked through for another.
 */
export function createUpstashIndex({ url, token }: UpstashOptions): VectorIndex {
  const index = new Index<Metadata>({
    url,
    token,
    enableTelemetry: false,
    retry: { retries: 0 },
  });
  const namespaceOf = (userId: string) => index.namespace(`ns_${userId}`);
  const removeEmail = (userId: string, emailId: string) =>
    within(namespaceOf(userId).delete({ prefix: `${emailId}#` }), TIMEOUT_MS);

  let hybrid: Promise<boolean> | null = null;
  /** A hybrid index takes no row without its sparse half; which kind it is never changes. */
  const isHybrid = () => {
    hybrid ??= within(index.info(), TIMEOUT_MS).then(({ sparseIndex }) => sparseIndex != null);
    hybrid.catch(() => hybrid = null);
    return hybrid;
  };

  return {
    name: "upstash",
    exact: false,
    async add(emails) {
      for (const [userId, own] of Map.groupBy(emails, ({ userId }) => userId)) {
        // Fewer passages than before would leave the old ones behind.
        for (const { emailId } of own) await removeEmail(userId, emailId);
        const sparse = await isHybrid();
        const rows = own.flatMap((email) => rowsOf(email, sparse));
        for (let n = 0; n < rows.length; n += BATCH_VECTORS) {
          await within(namespaceOf(userId).upsert(rows.slice(n, n + BATCH_VECTORS)), TIMEOUT_MS);
        }
      }
    },
    async remove(userId, emailIds) {
      for (const emailId of emailIds) await removeEmail(userId, emailId);
    },
    async removeMailbox(userId, mailboxId) {
      await within(
        namespaceOf(userId).delete({ filter: `mailbox = ${quoted(mailboxId)}` }),
        TIMEOUT_MS,
      );
    },
    async search({ userId, model, vector, filters, window, timeoutMs }) {
      const query = (filter: string, topK: number) =>
        within(
          namespaceOf(userId).query({
            vector: Array.from(vector),
            topK,
            filter,
            includeMetadata: true,
          }),
          timeoutMs,
        );
      const ofModel = `model = ${quoted(model)}`;
      const narrow = conditions(filters);
      // Several passages of one email come one by one.
      const topK = Math.min(MAX_TOP, window * 2);
      let found = await query([ofModel, ...narrow].join(" AND "), topK);
      if (narrow.length > 0 && found.length < Math.min(topK, 20)) {
        // A tight filter ends before all is looked through: the nearest of all, filtered here.
        found = [...found, ...await query(ofModel, MAX_TOP)];
      }
      return hitsOf(found, model, filters).slice(0, window);
    },
    async reset() {
      const namespaces = await within(index.listNamespaces(), TIMEOUT_MS);
      for (const namespace of namespaces.filter((name) => name.startsWith("ns_"))) {
        await within(index.namespace(namespace).reset(), TIMEOUT_MS);
      }
    },
    async check() {
      await within(index.info(), TIMEOUT_MS);
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
    from: from.toLowerCase().slice(0, MAX_FIELD),
    to: to.join("\n").toLowerCase().slice(0, MAX_FIELD),
    subject: subject.toLowerCase().slice(0, MAX_FIELD),
  };
  return passages.map(({ text, vector }, n) => ({
    id: `${emailId}#${n}`,
    vector: Array.from(vector),
    ...(sparse ? { sparseVector: sparseVector(`${subject}\n${text}`) } : {}),
    metadata: { ...metadata, passage: text.replace(/\s+/g, " ").slice(0, MAX_PASSAGE) },
  }));
}

/** The words of a passage as dimensions, worth less the more often they are said. */
function sparseVector(text: string): { indices: number[]; values: number[] } {
  const times = new Map<number, number>();
  for (const { word } of tokenize(text)) {
    const dimension = word.stemKey % 2 ** 31;
    times.set(dimension, (times.get(dimension) ?? 0) + 1);
  }
  const words = [...times].slice(0, MAX_SPARSE);
  return {
    indices: words.map(([dimension]) => dimension),
    values: words.map(([, count]) => count / (count + 1.2)),
  };
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
    if (part) all.push(`${field} GLOB ${quoted(`*${part.toLowerCase()}*`)}`);
  }
  return all;
}

/** A text in a filter; what would end it or is a wildcard of its own becomes "any character". */
function quoted(text: string): string {
  const inner = text.startsWith("*") && text.endsWith("*") && text.length > 1
    ? `*${text.slice(1, -1).replace(/['"\\*?[\]]/g, "?")}*`
    : text.replace(/['"\\]/g, "");
  return `'${inner}'`;
}

/** What came back, looked through as what comes from outside: wrong rows are left out. */
function hitsOf(
  found: { score: number; metadata?: Metadata }[],
  model: string,
  filters: SearchFilters,
): VectorHit[] {
  const best = new Map<string, VectorHit>();
  for (const { score, metadata } of found) {
    if (typeof metadata?.email !== "string" || !Number.isFinite(score)) continue;
    if (metadata.model !== model || !passes(metadata, filters)) continue;
    // Upstash gives (1 + cosine) / 2.
    const cosine = Math.max(-1, Math.min(1, 2 * score - 1));
    const known = best.get(metadata.email);
    if (known && known.cosine >= cosine) continue;
    best.set(metadata.email, {
      emailId: metadata.email,
      cosine,
      passage: String(metadata.passage ?? ""),
    });
  }
  return [...best.values()].sort((a, b) => b.cosine - a.cosine);
}

function passes(metadata: Metadata, filters: SearchFilters): boolean {
  const { mailboxIds, from, to, subject, dateFromMs, dateToMs } = filters;
  const holds = (text: string, part?: string) =>
    !part || String(text ?? "").includes(part.toLowerCase());
  return (!mailboxIds || mailboxIds.includes(metadata.mailbox)) &&
    (dateFromMs === undefined || metadata.date >= dateFromMs) &&
    (dateToMs === undefined || metadata.date <= dateToMs) &&
    holds(metadata.from, from) && holds(metadata.to, to) && holds(metadata.subject, subject);
}
