import { type ExactTerm, plainWords } from "../../analysis/exact_terms.ts";
import type { Account } from "../account.ts";
import type { QueryTerms } from "../query_terms.ts";
import type { QueryBudget } from "./query_budget.ts";
import { BestDocuments } from "./top.ts";

/** The documents that hold one exact term of a query. */
export interface ExactDocuments {
  /** The best first; of many only the first ones are ordered. */
  documents: number[];
  /** True if few documents have it: then they come before all others. */
  telling: boolean;
}

/** A term that is in more than 50 documents and in more than 2 % of all puts none before the others. */
const commonShare = 0.02;
const fewDocuments = 50;
/** The same for a query that is a text: on real mail a version number in it is not what it is about. */
const fewForText = 1;
/** A small number ("12") in more documents than this is ignored. */
const fewNumbers = 10;
/** How many texts are read for a phrase: those of the best documents with all its words. */
const maxTexts = 60;

/** So many of the documents of a word are ordered. */
const ordered = 10;

/** A term with the documents that may hold it, and those that do. */
interface Candidates {
  term: ExactTerm;
  /** Documents whose text must be read, the best first. */
  unread: number[];
  documents: number[];
}

/**
 * The documents of each exact term that some document with a score above 0 holds. Equal terms count once. Once the budget
 * is used up, no more postings and texts are read: documents that would have to be are left out.
 */
export function exactDocuments(
  account: Account,
  { exactTerms, isText }: Pick<QueryTerms, "exactTerms" | "isText">,
  scores: Float32Array,
  budget: QueryBudget,
): ExactDocuments[] {
  const most = isText ? fewForText : Math.max(fewDocuments, account.columns.live * commonShare);
  const different = new Map(exactTerms.map((term) => [`${term.word?.key} ${term.phrase}`, term]));
  const found = [...different.values()].map((term): Candidates => {
    const documents = term.word ? documentsWith(account, [term.word.key], scores, budget) : [];
    // Before they are ordered, because thousands may hold a small number.
    if (!term.strong && documents.length > fewNumbers) return { term, unread: [], documents: [] };
    if (documents.length > 0 || !term.strong) {
      return { term, unread: [], documents: bestFirst(account, documents, scores, ordered) };
    }
    const all = documentsWith(account, term.words.map(({ key }) => key), scores, budget);
    const unread = bestFirst(account, all, scores, maxTexts).slice(0, maxTexts);
    return { term, unread, documents: [] };
  });
  readTexts(account, found, budget);
  return found.flatMap(({ term: { strong }, documents }) =>
    documents.length === 0 ? [] : [{ documents, telling: strong && documents.length <= most }]
  );
}

/** Documents, which ascend, with the `count` of the highest scores first, of equal ones the newest. */
function bestFirst(
  { columns }: Account,
  documents: number[],
  scores: Float32Array,
  count: number,
): number[] {
  const best = new BestDocuments(scores, columns, count);
  // The newest first: then of equal ones the others are no better than those that it has.
  for (let n = documents.length - 1; n >= 0; n--) best.offer(documents[n]);
  const first = new Set(best.documents);
  return [...first, ...documents.filter((document) => !first.has(document))];
}

/**
 * Finds the documents whose text holds the phrase of a term. Each text is read and folded once for all terms. The best
 * document of each term comes first, then the second, so that one term does not use up the budget of all.
 */
function readTexts(account: Account, all: Candidates[], budget: QueryBudget): void {
  const folded = new Map<number, string[]>();
  for (let place = 0; place < maxTexts; place++) {
    for (const { term, unread, documents } of all) {
      if (place >= unread.length) continue;
      const document = unread[place];
      let texts = folded.get(document);
      if (!texts) {
        if (!budget.hasCharacters) continue;
        const read = [account.text(document), ...account.phrasesOf(document)];
        for (const { length } of read) budget.readCharacters(length);
        folded.set(document, texts = read.map(plainWords));
      }
      if (texts.some((text) => text.includes(term.phrase))) documents.push(document);
    }
  }
}

/** The documents that hold all of the words and have a score, ascending. */
function documentsWith(
  account: Account,
  keys: number[],
  scores: Float32Array,
  budget: QueryBudget,
): number[] {
  let found: number[] | null = null;
  // The rarest first: then the others are compared with few documents.
  const rarestFirst = [...new Set(keys)].sort((a, b) =>
    account.stemCount(a) - account.stemCount(b)
  );
  for (const key of rarestFirst) {
    if (!budget.hasPostings()) return [];
    const list = account.postings(key);
    budget.readPostings(list.length);
    const before: number[] | null = found;
    found = [];
    let at = 0;
    for (let n = 0; n < list.length; n++) {
      const document = list.documents[n];
      if (list.asWord[n] === 0 || !(scores[document] > 0)) continue;
      if (before) {
        while (before[at] < document) at++;
        if (before[at] !== document) continue;
      }
      found.push(document);
    }
    if (found.length === 0) break;
  }
  return found ?? [];
}
