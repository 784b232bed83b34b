import type { Pieces } from "./pieces.ts";

/** What an unknown character costs more than the rarest piece, as in SentencePiece. */
const unknownPenalty = 10;

/**
 * The pieces of a text whose scores have the highest sum (Viterbi; Kudo 2018, arXiv 1804.10959, section 3.3). A character
 * that no piece has is unknown; neighbours of this kind are one piece.
 */
export function unigramPieces(text: string, pieces: Pieces): string[] {
  const best = new Float64Array(text.length + 1).fill(-Infinity);
  /** Where the best piece that ends here begins; negative (-1 - begin) if it is unknown. */
  const from = new Int32Array(text.length + 1);
  const unknown = pieces.leastScore - unknownPenalty;
  best[0] = 0;
  for (let begin = 0; begin < text.length; begin++) {
    if (best[begin] === -Infinity) continue;
    const next = begin + (text.codePointAt(begin)! > 0xffff ? 2 : 1);
    let isKnown = false;
    pieces.at(text, begin, (id, end) => {
      if (end === next) isKnown = true;
      const score = best[begin] + pieces.score(id);
      if (score > best[end]) [best[end], from[end]] = [score, begin];
    });
    if (!isKnown && best[begin] + unknown > best[next]) {
      [best[next], from[next]] = [best[begin] + unknown, -1 - begin];
    }
  }
  const found: string[] = [];
  let isAfterUnknown = false;
  for (let end = text.length; end > 0;) {
    const isUnknown = from[end] < 0;
    const begin = isUnknown ? -1 - from[end] : from[end];
    if (isUnknown && isAfterUnknown) {
      found[found.length - 1] = text.slice(begin, end) + found.at(-1);
    } else found.push(text.slice(begin, end));
    isAfterUnknown = isUnknown;
    end = begin;
  }
  return found.reverse();
}
