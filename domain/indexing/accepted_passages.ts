import { cutText } from "../../mime/text/cut_text.ts";
import { EmbeddingsError } from "../ports/embeddings.ts";
import type { EmbeddedEmail } from "../ports/vector_index.ts";

type Passages = EmbeddedEmail["passages"];

/** Requests that one email may cost; what is left then gets no vector. */
const maxRequests = 64;
/** A passage is halved down to about this length, characters: a model of 512 tokens reads so many Chinese ones. */
const shortestLength = 400;

/**
 * The vectors of those passages of an email that the provider accepts. Refused ones are looked for by halving the list.
 * A refused passage is cut in two, because it may be too long for the model, and left out if it is short.
 *
 * @throws every error of `embed` but a refusal.
 */
export async function acceptedPassages(
  passages: string[],
  embed: (passages: string[]) => Promise<Float32Array[]>,
): Promise<Passages> {
  let requests = 0;
  async function accepted(some: string[]): Promise<Passages> {
    if (requests++ >= maxRequests) return [];
    try {
      const vectors = await embed(some);
      return some.map((text, n) => ({ text, vector: vectors[n] }));
    } catch (error) {
      if (!(error instanceof EmbeddingsError && error.refused)) throw error;
    }
    const parts = halves(some);
    return parts ? [...await accepted(parts[0]), ...await accepted(parts[1])] : [];
  }
  return await accepted(passages);
}

/** The two halves of a list, or of the text of its only passage; null if that is too short. */
function halves(passages: string[]): [string[], string[]] | null {
  if (passages.length > 1) {
    const middle = passages.length >>> 1;
    return [passages.slice(0, middle), passages.slice(middle)];
  }
  const [text] = passages;
  if (text.length < 2 * shortestLength) return null;
  const half = cutText(text, text.length >>> 1);
  const space = half.lastIndexOf(" ");
  const first = space > half.length / 2 ? half.slice(0, space) : half;
  return [[first], [text.slice(first.length).trim()]];
}
