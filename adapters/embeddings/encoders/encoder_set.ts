import { createHash } from "node:crypto";
import type { KnownCosines } from "../../../domain/ports/embeddings.ts";
import type { EncoderSource } from "./encoder.ts";

/** Encoders whose vectors are put one after another and are stored as one. */
export interface EncoderSet {
  /** Names all on which vectors depend. */
  model: string;
  sources: EncoderSource[];
  /** The lengths of the vectors of each; absent if there is one. */
  parts?: readonly number[];
  /** As in Embedder. */
  cosines?: KnownCosines;
}

/** How mail is cut into passages: another rule gives other vectors. */
const passageRule = "128 tokens with the subject, 4 a mail, own words first";

/** A model's name from the SHA-256 of its files and from how they are used. */
export function modelName(
  kind: string,
  sources: readonly EncoderSource[],
  sums: readonly string[],
) {
  const uses = sources.map(({ hasRows, pooling, prompts }) => ({ hasRows, pooling, prompts }));
  const all = JSON.stringify([passageRule, uses, sums]);
  return `${kind}-${createHash("sha256").update(all).digest("hex").slice(0, 16)}`;
}
