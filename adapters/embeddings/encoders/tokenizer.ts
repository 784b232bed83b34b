import { Tokenizer } from "@huggingface/tokenizers";
import type { Pieces } from "./pieces.ts";
import { unigramPieces } from "./unigram.ts";
import { readPieces } from "./vocabulary.ts";

/** 128 tokens of any language have fewer characters; what follows is not read. */
const mostCharacters = 2_000;

/** The ids of a text, at most `limit` with those that stand around it, such as `[CLS]` and `[SEP]`. */
export type Tokenize = (text: string, limit: number) => {
  ids: number[];
  /** False: it has words, and none of them is known. */
  isKnown: boolean;
};

/**
 * A tokenizer from the bytes of its `tokenizer.json`. Unigram vocabularies, which have 128,000 pieces and more, are kept
 * flat; the library does the rest of them, and all of other kinds.
 */
export function openTokenizer(json: Uint8Array): Tokenize {
  const unigram = readPieces(json);
  const parts = { ...absentParts, ...JSON.parse(unigram?.rest ?? new TextDecoder().decode(json)) };
  const unknown: number = parts.model.unk_id ?? 0;
  if (unigram) parts.model = { ...parts.model, unk_id: 0, vocab: [["", 0]] };
  const tokenizer = new Tokenizer(parts, {});
  if (unigram) tokenizer.model = flatModel(unigram.pieces, unknown);
  const { before, after } = around(tokenizer);
  const unknownId = tokenizer.model?.unk_token_id;
  return (text, limit) => {
    const { ids, tokens } = tokenizer.encode(cut(text), { add_special_tokens: false });
    const words = ids.filter((id, n) => id === unknownId || isWord.test(tokens[n]));
    return {
      ids: [...before, ...ids.slice(0, limit - before.length - after.length), ...after],
      isKnown: words.length === 0 || words.some((id) => id !== unknownId),
    };
  };
}

/** Signs and spaces are in every text. */
const isWord = /[\p{L}\p{N}]/u;

/** The library demands that each is named. */
const absentParts = {
  added_tokens: [],
  decoder: null,
  normalizer: null,
  post_processor: null,
  pre_tokenizer: null,
};

/** What the library calls of its model. */
function flatModel(pieces: Pieces, unknown: number): Tokenizer["model"] {
  const encode = (words: string[]) => words.flatMap((word) => unigramPieces(word, pieces));
  const get = (piece: string) => {
    const id = pieces.idOf(piece);
    return id < 0 ? undefined : id;
  };
  return Object.assign(encode, {
    tokens_to_ids: { get },
    unk_token_id: unknown,
  }) as unknown as Tokenizer["model"];
}

/** The ids that a tokenizer puts before and after those of a text. */
function around(tokenizer: Tokenizer): { before: number[]; after: number[] } {
  const { ids: bare } = tokenizer.encode("a", { add_special_tokens: false });
  const { ids: whole } = tokenizer.encode("a");
  const begin = Math.max(0, whole.findIndex((_, n) => bare.every((id, k) => whole[n + k] === id)));
  return { before: whole.slice(0, begin), after: whole.slice(begin + bare.length) };
}

/** Half of a surrogate pair has no place in any vocabulary. */
function cut(text: string): string {
  return text.slice(0, mostCharacters).toWellFormed();
}
