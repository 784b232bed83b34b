import { pinHits } from "../../fulltext/analysis/pin_hits.ts";
import { coverageScore, literalScore } from "../../fulltext/analysis/coverage_score.ts";
import { termWeight } from "../../fulltext/analysis/term_weights.ts";
import { exactTermsOf } from "../../fulltext/analysis/exact_terms.ts";
import { tokenize, type Word } from "../../fulltext/analysis/tokens.ts";
import type { Database } from "../../domain/store/database.ts";
import type * as databaseKeys from "../../domain/store/keys.ts";
import type { IndexedEmail, SearchHit, SearchIndex } from "../../domain/ports/search_index.ts";

/** How many words of an email get a posting: identifiers first, then words of subject, people and text. */
const maxWords = 150;
/** Of these, words of the names of files: a hundred photos leave room for the text. */
const maxNameWords = 50;
/** Characters of an email that are read: 60 ms at most, on the thread that answers requests. */
const maxReadChars = 100_000;
/** How many postings of a word are read, the newest. */
const maxEmails = 500;
/** If an identifier is in more emails than this, it puts none before the others. */
const exactEmails = 50;
const firstHits = 10;
/** How many characters of a query are read, and how many words are looked up. */
const maxQueryLength = 4_000;
const maxAsked = 40;
/** Exact terms of an email or a query. */
const maxExactTerms = 60;

/** The keys of the rows of this index, as the database builds them. */
export type PostingKeys = Pick<
  typeof databaseKeys,
  "posting" | "postings" | "allPostings" | "postedWords" | "postedWordsOf" | "allPostedWords"
>;

/** The row of an email, by which its postings are found again. */
export interface PostedWords {
  mailboxId: string;
  words: number[];
}

/**
 * Postings in the database, for a machine without a disk: of identifiers and of the most distinctive words, so that a
 * search by vectors misses no identifier. It ranks more simply than the embedded index, does not filter (the caller
 * checks each hit against the database), and has no snippets.
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
      // Those of a batch share commits, which take the postings of about six emails.
      await Promise.all(emails.map(async ({ userId, emailId, ...email }) => {
        const key = keys.postedWords(userId, emailId);
        const words = tellingWords(email);
        const row: PostedWords = { mailboxId: email.mailboxId, words };
        await database.transact(async (tx) => {
          const before = await tx.get<PostedWords>(key, { likelyAbsent: true });
          for (const word of before?.words ?? []) {
            if (!words.includes(word)) tx.delete(keys.posting(userId, word, emailId));
          }
          tx.set(key, row);
          for (const word of words) tx.set(keys.posting(userId, word, emailId), 1);
        });
      }));
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
    // Postings are removed with their emails.
    removeAccount: () => Promise.resolve(),
    async search({ userId, text, window, wanted = window }) {
      const found = new Map<string, { covered: number; literal: boolean }>();
      const groups: string[][] = [];
      let whole = 0;
      const asked = askedWords(text);
      // All at the same time: each word takes a round trip to the database.
      const postings = await Promise.all(asked.map(({ word }) =>
        database.collect(
          { prefix: keys.postings(userId, word.stemKey) },
          { limit: maxEmails, reverse: true },
        )
      ));
      for (const [n, { baseWeight, isStrong }] of asked.entries()) {
        const rows = postings[n];
        const weight = baseWeight * Math.log(1 + 10_000 / Math.max(1, rows.length));
        whole += weight;
        const emailIds = rows.map(({ key }) => String(key.at(-1)));
        const telling = isStrong === true && rows.length <= exactEmails;
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
      // Email ids ascend with time: of equal scores the newest is first.
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

/** A word of a query; `isStrong` only for an exact term. */
interface AskedWord {
  word: Word;
  isStrong?: boolean;
}

/** The words of a query to look up, exact terms first. */
function askedWords(text: string) {
  const query = text.slice(0, maxQueryLength);
  const exact: AskedWord[] = exactWords(query);
  const plain: AskedWord[] = tokenize(query);
  const words = new Map<number, AskedWord & { baseWeight: number }>();
  for (const { word, isStrong } of [...exact, ...plain]) {
    const baseWeight = termWeight(word);
    if (baseWeight === 0 || words.has(word.stemKey)) continue;
    words.set(word.stemKey, { word, baseWeight, isStrong });
  }
  return [...words.values()].slice(0, maxAsked);
}

/** Exact terms of one word. Not phrases: this index has no texts. */
function exactWords(text: string): { word: Word; isStrong: boolean }[] {
  return exactTermsOf(text, maxExactTerms).flatMap(({ word, strong }) =>
    word ? [{ word, isStrong: strong }] : []
  );
}

/** The stems of an email that get a posting. */
function tellingWords(
  { subject, from, to, attachmentNames, text }: Omit<IndexedEmail, "userId" | "emailId">,
): number[] {
  const read = [subject, from, ...to.slice(0, 20), text.slice(0, maxReadChars)].join("\n");
  const stems = new Set<number>();
  addTelling(stems, attachmentNames.join("\n").slice(0, maxReadChars), maxNameWords);
  addTelling(stems, read, maxWords);
  return [...stems];
}

/** Adds the stems of a text until there are `most`: exact terms, then identifiers, then the others. */
function addTelling(stems: Set<number>, text: string, most: number): void {
  const all = tokenize(text).map(({ word }) => word).filter((word) => termWeight(word) > 0);
  const identifiers = all.filter(({ identifier }) => identifier);
  const exact = exactWords(text).filter(({ isStrong }) => isStrong);
  const ordered = [...exact.map(({ word }) => word), ...identifiers, ...all];
  for (const { stemKey } of ordered) {
    // V8 hashes numbers without a key: a larger set is slow if words were chosen to collide.
    if (stems.size === most) break;
    stems.add(stemKey);
  }
}
