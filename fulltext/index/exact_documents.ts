import { type ExactTerm, plainWords } from "../analysis/exact_terms.ts";
import type { Account } from "./account.ts";

/** Where something is that the query means to the letter. */
export interface LiteralDocuments {
  /** The best first. */
  documents: number[];
  /** Whether so few hold it that mail that does is what was asked for. */
  telling: boolean;
}

/** What is in more than this share of the documents, and in more than these, says little. */
const commonShare = 0.02;
const fewDocuments = 50;
/** A small number that is in more is one of many. */
const fewNumbers = 10;
/** A phrase is looked for in the texts of so many of the documents that hold its words. */
const maxTexts = 60;

/** The documents of each literal of a query that some mail has; only those with a score above 0. */
export function literalDocuments(
  account: Account,
  literals: ExactTerm[],
  scores: Float32Array,
): LiteralDocuments[] {
  const most = Math.max(fewDocuments, account.columns.live * commonShare);
  return literals.flatMap(({ word, phrase, words, strong }) => {
    let documents = word ? documentsWith(account, [word.key], scores) : [];
    const isWord = documents.length > 0;
    if (!isWord && strong) {
      const all = documentsWith(account, words.map(({ key }) => key), scores);
      documents = all.slice(0, maxTexts).filter((each) => holdsPhrase(account, each, phrase));
    }
    // Of a small number a few hits may be what was meant; it puts no mail before all other.
    if (documents.length === 0 || !strong && documents.length > fewNumbers) return [];
    return [{ documents, telling: strong && documents.length <= most }];
  });
}

/** The documents that hold all of the words, the best first. */
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
  return (found ?? []).sort((a, b) => scores[b] - scores[a] || b - a);
}

function holdsPhrase(account: Account, document: number, phrase: string): boolean {
  return plainWords(account.text(document)).includes(phrase) ||
    account.phrasesOf(document).some((text) => plainWords(text).includes(phrase));
}
