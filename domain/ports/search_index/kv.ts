import { isSmallWord } from "../../search/small_words.ts";
import { tokenize, type Word } from "../../search/tokens.ts";
import type { Entries } from "../../store/entries.ts";
import * as keys from "../../store/keys.ts";
import type { IndexedEmail, SearchHit, SearchIndex } from "./port.ts";

/** Words of an email that get a posting: its identifiers first, then those of subject and people. */
const MAX_WORDS = 150;
/** A word in more emails than this says little; the newest of them are looked at. */
const MAX_EMAILS = 500;
/** What an email that holds an identifier of the query is worth at least. */
const LITERAL_SCORE = 0.9;
/** So many emails with an identifier, and it is no longer one. */
const LITERAL_EMAILS = 50;

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
export function createKvIndex(entries: Entries): SearchIndex {
  const removeOne = (userId: string, emailId: string) =>
    entries.transact(async (tx) => {
      const posted = await tx.get<PostedWords>(keys.postedWords(userId, emailId));
      if (!posted) return;
      tx.delete(keys.postedWords(userId, emailId));
      for (const word of posted.words) tx.delete(keys.posting(userId, word, emailId));
    });
  return {
    name: "kv",
    exact: false,
    async add(emails) {
      for (const { userId, emailId, ...email } of emails) {
        const words = tellingWords(email);
        await entries.transact(async (tx) => {
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
        const { key, value } of entries.list<PostedWords>({ prefix: keys.postedWordsOf(userId) })
      ) {
        if (value.mailboxId === mailboxId) await removeOne(userId, String(key.at(-1)));
      }
    },
    async search({ userId, text, window, wanted = window }) {
      const found = new Map<string, { covered: number; literal: boolean }>();
      let whole = 0;
      for (const word of queryWords(text)) {
        const rows = await entries.collect(
          { prefix: keys.postings(userId, word.stemKey) },
          { limit: MAX_EMAILS, reverse: true },
        );
        const rarity = Math.log(1 + 10_000 / (rows.length + 0.5));
        whole += rarity;
        for (const { key } of rows) {
          const emailId = String(key.at(-1));
          const hit = found.get(emailId) ?? { covered: 0, literal: false };
          hit.covered += rarity;
          hit.literal ||= word.identifier && rows.length <= LITERAL_EMAILS;
          found.set(emailId, hit);
        }
      }
      const hits = [...found].map(([emailId, { covered, literal }]): SearchHit => {
        const score = covered / whole;
        return {
          emailId,
          score: literal ? Math.max(LITERAL_SCORE, score) : score,
          ...(literal ? { literal } : {}),
        };
      });
      // Email ids rise with time: the newest first among equals.
      hits.sort((a, b) => b.score - a.score || (a.emailId < b.emailId ? 1 : -1));
      const total = Math.min(hits.length, window);
      return { hits: hits.slice(0, Math.min(total, wanted)), total };
    },
    passages: ({ emailIds }) => Promise.resolve(emailIds.map(() => "")),
    async reset() {
      for (const prefix of [keys.allPostings(), keys.allPostedWords()]) {
        for (;;) {
          const rows = await entries.collect({ prefix }, { limit: 500 });
          if (rows.length === 0) break;
          await entries.transact((tx) => rows.forEach(({ key }) => tx.delete(key)));
        }
      }
    },
    async check() {
      await entries.collect({ prefix: keys.allPostedWords() }, { limit: 1 });
    },
    close: () => Promise.resolve(),
  };
}

function queryWords(text: string): Word[] {
  const words = new Map<number, Word>();
  for (const { word } of tokenize(text.slice(0, 1000))) {
    if (!isSmallWord(word.text)) words.set(word.stemKey, word);
  }
  return [...words.values()].slice(0, 32);
}

/** The words of an email by which somebody would look for it, identifiers before all others. */
function tellingWords(
  { subject, from, to, attachmentNames, text }: Omit<IndexedEmail, "userId" | "emailId">,
): number[] {
  const first = tokenize([subject, from, ...to.slice(0, 20), ...attachmentNames].join("\n"));
  const all = [...first, ...tokenize(text.slice(0, 200_000))].map(({ word }) => word)
    .filter((word) => !isSmallWord(word.text));
  const ordered = [...all.filter(({ identifier }) => identifier), ...all];
  return [...new Set(ordered.map(({ stemKey }) => stemKey))].slice(0, MAX_WORDS);
}
