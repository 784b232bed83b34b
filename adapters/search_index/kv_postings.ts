import { pinHits } from "../../fulltext/analysis/pin_hits.ts";
import { coverageScore, literalScore } from "../../fulltext/analysis/coverage_score.ts";
import { termWeight } from "../../fulltext/analysis/term_weights.ts";
import { exactTermsOf } from "../../fulltext/analysis/exact_terms.ts";
import { tokenize, type Word } from "../../fulltext/analysis/tokens.ts";
import type { Database } from "../../domain/store/database.ts";
import type * as databaseKeys from "../../domain/store/keys.ts";
import type { IndexedEmail, SearchHit, SearchIndex } from "../../domain/ports/search_index.ts";

/** Words of an email that get a posting: its identifiers first, then those of subject and people. */
const maxWords = 150;
/** Further into an email nobody looks for words: the thread that answers does this, in 60 ms at most. */
const maxLookedAt = 100_000;
/** A word in more emails than this says little; the newest of them are looked at. */
const maxEmails = 500;
/** So many emails with an identifier, and it is no longer one. */
const literalEmails = 50;
const firstHits = 10;
/** A query is a question: so much of it is read, and so many of its words are asked for. */
const maxQueryLength = 4_000;
const maxAsked = 40;
/** Of those an email or a query may have. */
const maxLiterals = 60;

/** The keys of the rows of this index, as the database builds them. */
export type PostingKeys = Pick<
  typeof databaseKeys,
  "posting" | "postings" | "allPostings" | "postedWords" | "postedWordsOf" | "allPostedWords"
>;

/** What is kept of an email, so that its postings can be found again. */
export interface PostedWords {
  mailboxId: string;
  words: number[];
}

/**
 * Words in the database, for where there is no disk: postings of identifiers and of the words
 * that say most, so that beside vectors no literal is missed. It does not rank like the embedded
 * index, does not filter (whoever searches re-checks against the database), and makes no snippets.
 */
export function createKvIndex(database: Database, keys: PostingKeys): SearchIndex {
  const removeOne = (userId: string, emailId: string) =>
    database.transact(async (tx) => {
      const posted = await tx.get<PostedWords>(keys.postedWords(userId, emailId));
      if (!posted) return;
      tx.delete(keys.postedWords(userId, emailId));
      for (const word of posted.words) tx.delete(keys.posting(userId, word, emailId));
    });
  return {
    name: "kv",
    exact: false,
    complete: false,
    async add(emails) {
      for (const { userId, emailId, ...email } of emails) {
        const words = tellingWords(email);
        await database.transact(async (tx) => {
          const before = await tx.get<PostedWords>(keys.postedWords(userId, emailId));
          for (const word of before?.words ?? []) {
            if (!words.includes(word)) tx.delete(keys.posting(userId, word, emailId));
          }
          tx.set(
            keys.postedWords(userId, emailId),
            { mailboxId: email.mailboxId, words } satisfies PostedWords,
          );
          for (const word of words) tx.set(keys.posting(userId, word, emailId), 1);
        });
      }
    },
    async remove(userId, emailIds) {
      for (const emailId of emailIds) await removeOne(userId, emailId);
    },
    async removeMailbox(userId, mailboxId) {
      for await (
        const { key, value } of database.list<PostedWords>({ prefix: keys.postedWordsOf(userId) })
      ) {
        if (value.mailboxId === mailboxId) await removeOne(userId, String(key.at(-1)));
      }
    },
    async search({ userId, text, window, wanted = window }) {
      const found = new Map<string, { covered: number; literal: boolean }>();
      const groups: string[][] = [];
      let whole = 0;
      for (const { word, importance, isStrong } of askedWords(text)) {
        const rows = await database.collect(
          { prefix: keys.postings(userId, word.stemKey) },
          { limit: maxEmails, reverse: true },
        );
        const weight = importance * Math.log(1 + 10_000 / Math.max(1, rows.length));
        whole += weight;
        const emailIds = rows.map(({ key }) => String(key.at(-1)));
        const telling = isStrong === true && rows.length <= literalEmails;
        if (telling || isStrong === false && rows.length <= firstHits) groups.push(emailIds);
        for (const emailId of emailIds) {
          const hit = found.get(emailId) ?? { covered: 0, literal: false };
          hit.covered += weight;
          hit.literal ||= telling;
          found.set(emailId, hit);
        }
      }
      const hits = [...found].map(([emailId, { covered, literal }]): SearchHit => {
        const score = coverageScore(covered / whole);
        return {
          emailId,
          score: literal ? Math.max(literalScore, score) : score,
          ...(literal ? { literal } : {}),
        };
      });
      // Email ids rise with time: the newest first among equals.
      hits.sort((a, b) => b.score - a.score || (a.emailId < b.emailId ? 1 : -1));
      const named = pinHits(
        hits,
        groups.map((group) => hits.filter(({ emailId }) => group.includes(emailId))),
        firstHits,
      );
      for (const hit of named) hit.named = true;
      const total = Math.min(hits.length, window);
      return { hits: hits.slice(0, Math.min(total, wanted)), total };
    },
    passages: ({ emailIds }) => Promise.resolve(emailIds.map(() => "")),
    async reset() {
      for (const prefix of [keys.allPostings(), keys.allPostedWords()]) {
        for (;;) {
          const rows = await database.collect({ prefix }, { limit: 500 });
          if (rows.length === 0) break;
          await database.transact((tx) => rows.forEach(({ key }) => tx.delete(key)));
        }
      }
    },
    async check() {
      await database.collect({ prefix: keys.allPostedWords() }, { limit: 1 });
    },
    close: () => Promise.resolve(),
  };
}

/** A word of a query, and where it is meant to the letter, whether surely. */
interface AskedWord {
  word: Word;
  isStrong?: boolean;
}

/** The words of a query that are asked for, those meant to the letter before all others. */
function askedWords(text: string) {
  const query = text.slice(0, maxQueryLength);
  const literals: AskedWord[] = literalWords(query);
  const plain: AskedWord[] = tokenize(query);
  const words = new Map<number, AskedWord & { importance: number }>();
  for (const { word, isStrong } of [...literals, ...plain]) {
    const importance = termWeight(word);
    if (importance === 0 || words.has(word.stemKey)) continue;
    words.set(word.stemKey, { word, importance, isStrong });
  }
  return [...words.values()].slice(0, maxAsked);
}

/** What is meant to the letter and is one word of the index: not phrases, for their texts are not here. */
function literalWords(text: string): { word: Word; isStrong: boolean }[] {
  return exactTermsOf(text, maxLiterals).flatMap(({ word, strong }) =>
    word ? [{ word, isStrong: strong }] : []
  );
}

/** The words of an email by which somebody would look for it, identifiers before all others. */
function tellingWords(
  { subject, from, to, attachmentNames, text }: Omit<IndexedEmail, "userId" | "emailId">,
): number[] {
  const looked = [
    subject,
    from,
    ...to.slice(0, 20),
    ...attachmentNames,
    text.slice(0, maxLookedAt),
  ]
    .join("\n");
  const all = tokenize(looked).map(({ word }) => word).filter((word) => termWeight(word) > 0);
  const identifiers = all.filter(({ identifier }) => identifier);
  const literals = literalWords(looked).filter(({ isStrong }) => isStrong);
  const ordered = [...literals.map(({ word }) => word), ...identifiers, ...all];
  return [...new Set(ordered.map(({ stemKey }) => stemKey))].slice(0, maxWords);
}
