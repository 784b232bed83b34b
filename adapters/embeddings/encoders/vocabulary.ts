import { Pieces } from "./pieces.ts";

const [quote, backslash, comma, open, close] = [...'"\\,[]'].map((char) => char.charCodeAt(0));

/**
 * Reads `model.vocab` of a unigram `tokenizer.json`, a list of `[piece, score]`, without a JavaScript value for all of it,
 * which would take 100 MB. `rest` is the file with an empty list in its place. Null if the vocabulary is no
 * list: then the tokenizer is of another kind.
 *
 * @throws SyntaxError if the list is none of pieces and scores.
 */
export function readPieces(json: Uint8Array): { pieces: Pieces; rest: string } | null {
  const begin = beginOfList(json);
  if (begin < 0) return null;
  const pieces = new Pieces();
  const decoder = new TextDecoder();
  let at = begin;
  const skip = (wanted: number) => {
    while (json[at] <= 0x20) at++;
    if (json[at] !== wanted) return false;
    at++;
    return true;
  };
  const demand = (wanted: number) => {
    if (!skip(wanted)) throw new SyntaxError(`the vocabulary is malformed at byte ${at}`);
  };
  while (skip(open)) {
    demand(quote);
    const first = at;
    let escapes = false;
    for (; json[at] !== quote; at++) {
      if (json[at] === backslash) escapes = true, at++;
      if (at >= json.length) throw new SyntaxError("the vocabulary does not end");
    }
    const text = decoder.decode(json.subarray(first, at++));
    demand(comma);
    const number = at;
    while (at < json.length && json[at] !== close) at++;
    const score = Number(decoder.decode(json.subarray(number, at++)));
    if (!Number.isFinite(score)) throw new SyntaxError(`no score at byte ${number}`);
    pieces.add(escapes ? JSON.parse(`"${text}"`) : text, score);
    skip(comma);
  }
  demand(close);
  pieces.index();
  const rest = decoder.decode(json.subarray(0, begin)) + decoder.decode(json.subarray(at - 1));
  return { pieces, rest };
}

/** After the bracket of `"vocab": [`; -1 if there is none. */
function beginOfList(json: Uint8Array): number {
  const name = new TextEncoder().encode('"vocab"');
  for (let from = 0;;) {
    const found = json.indexOf(quote, from);
    if (found < 0) return -1;
    from = found + 1;
    if (!name.every((byte, n) => json[found + n] === byte)) continue;
    const after = new TextDecoder().decode(json.subarray(found + name.length, found + 64));
    const match = /^\s*:\s*\[/.exec(after);
    if (match) return found + name.length + match[0].length;
  }
}
