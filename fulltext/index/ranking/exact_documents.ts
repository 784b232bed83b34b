import { plainWords } from "../../analysis/exact_terms.ts";
import type { Account } from "../account.ts";
import type { QueryTerms } from "../query_terms.ts";

/** The documents that hold one exact term of a query. */
export interface ExactDocuments {
  /** The best first. */
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

/** The documents of each exact term that some document with a score above 0 holds. */
export function exactDocuments(
  account: Account,
  { exactTerms, isText }: Pick<QueryTerms, "exactTerms" | "isText">,
  scores: Float32Array,
): ExactDocuments[] {
  const most = isText ? fewForText : Math.max(fewDocuments, account.columns.live * commonShare);
  return exactTerms.flatMap(({ word, phrase, words, strong }) => {
    let documents = word ? documentsWith(account, [word.key], scores) : [];
    // Before they are sorted, because thousands may hold a small number.
    if (!strong && documents.length > fewNumbers) return [];
    const best = (some: number[]) => some.sort((a, b) => scores[b] - scores[a] || b - a);
    if (documents.length > 0) best(documents);
    else if (strong) {
      const all = best(documentsWith(account, words.map(({ key }) => key), scores));
      documents = all.slice(0, maxTexts).filter((each) => holdsPhrase(account, each, phrase));
    }
    return documents.length === 0
      ? []
      : [{ documents, telling: strong && documents.length <= most }];
  });
}

/** The documents that hold all of the words and have a score. */
function documentsWith(account: Account, keys: number[], scores: Float32Array): number[] {
  let found: number[] | null = null;
  for (const key of new Set(keys)) {
    const list = account.postings(key);
    const before: Set<number> | null = found && new Set(found);
    found = [];
    for (let n = 0; n < list.length; n++) {
      const document = list.documents[n];
      if (list.asWord[n] > 0 && scores[document] > 0 && (!before || before.has(document))) {
        found.push(document);
      }
    }
    if (found.length === 0) break;
  }
  return found ?? [];
}

function holdsPhrase(account: Account, document: number, phrase: string): boolean {
  return plainWords(account.text(document)).includes(phrase) ||
    account.phrasesOf(document).some((text) => plainWords(text).includes(phrase));
}
