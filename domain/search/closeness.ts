import type { Embedder, KnownCosines } from "../ports/embeddings.ts";

/**
 * Pairs of sentences of known similarity. Every model has its own scale: unrelated sentences have a cosine of 0.05 with
 * one model and 0.75 with another. The cosines of these pairs calibrate the scale of a model.
 */
export const knownPairs = {
  same: [
    [
      "Your order has been shipped and arrives on Friday.",
      "The package was sent, you will get it Friday.",
    ],
    ["Please reset your password with the link below.", "Use this link to choose a new password."],
    ["The meeting is moved to three o'clock.", "We meet at 3 pm now instead."],
    [
      "The invoice is due at the end of the month.",
      "Please pay the bill before the month is over.",
    ],
  ],
  related: [
    [
      "Your order has been shipped and arrives on Friday.",
      "How do I return an item that I bought?",
    ],
    [
      "Please reset your password with the link below.",
      "A new device has signed in to your account.",
    ],
    ["The meeting is moved to three o'clock.", "Here are the notes of yesterday's call."],
    ["The invoice is due at the end of the month.", "Our prices change in January."],
  ],
  unrelated: [
    ["Your order has been shipped and arrives on Friday.", "The choir rehearses a mass by Bach."],
    [
      "Please reset your password with the link below.",
      "Whales sing to each other over long distances.",
    ],
    ["The meeting is moved to three o'clock.", "This soup wants more salt and a bay leaf."],
    ["The invoice is due at the end of the month.", "The volcano has been asleep for centuries."],
  ],
} as const;

/** Converts a cosine of one model into a score, 0..1. */
export type Closeness = (cosine: number) => number;

/**
 * The scale of a model from the mean cosines of the known pairs, linear between them: unrelated is 0.2, related 0.6, a
 * paraphrase 0.9, identical 1. So the scores of docs/specification.md "Search" hold for every model: from 0.9 the same
 * content, 0.5 to 0.9 the same topic, below 0.5 weak.
 */
export function closenessOf(mean: KnownCosines): Closeness {
  const points: [number, number][] = [[-1, 0]];
  const above = (cosine: number, least: number) => Math.min(1, Math.max(cosine, least));
  const unrelated = above(mean.unrelated, -0.99);
  // The scale rises even if a model gives all pairs the same cosine.
  const related = above(mean.related, unrelated + 0.01);
  const same = above(mean.same, related + 0.01);
  points.push([unrelated, 0.2], [related, 0.6], [same, 0.9], [1, 1]);
  return (cosine) => {
    if (!(cosine > -1)) return 0;
    for (let n = 1; n < points.length; n++) {
      const [x0, y0] = points[n - 1];
      const [x1, y1] = points[n];
      if (cosine <= x1) return x1 === x0 ? y1 : y0 + (y1 - y0) * (cosine - x0) / (x1 - x0);
    }
    return 1;
  };
}

/** The scale of a model's cosines, and how far it is trusted. */
export interface Scale {
  /** For the order of hits. */
  closeness: Closeness;
  /** For their scores. */
  relevance: Closeness;
  /** The weight of closeness in the order of hits, 0..1; words have the rest. */
  weight: number;
  /** So many of the first ten are the nearest in meaning. */
  places: number;
}

/** A model whose strength is known, such as the built-in one: docs/search.md "Words and vectors". */
const known = { weight: 0.55, places: 3 };
/** The most that a model counts whose strength is not known: a weak one must not cost more than 3 % of nDCG@10. */
const most = { weight: 0.4, places: 2 };
/**
 * The separation from which vectors count, and the one from which they count fully. Random vectors have a separation of
 * 0 with a deviation of 0.5, so that one random model in a thousand counts at all; good models have more than 5.
 */
const leastSeparation = 1.5;
const wholeSeparation = 5;

/**
 * How far a model is trusted, from the cosines of pairs that mean the same and of pairs about different things: their
 * difference in standard deviations of the latter.
 */
export function trustOf(
  same: number[],
  different: number[],
): Pick<Scale, "weight" | "places"> {
  const mean = average(different);
  const deviation = Math.sqrt(average(different.map((cosine) => (cosine - mean) ** 2)));
  const separation = (average(same) - mean) / Math.max(deviation, 1e-6);
  const above = (separation - leastSeparation) / (wholeSeparation - leastSeparation);
  const share = Math.min(1, Math.max(0, above || 0));
  return { weight: most.weight * share, places: Math.floor(most.places * share) };
}

/** The scale of a model; one that is not known is measured at the first use, and again only after a failure. */
export class ModelScale {
  private measured: Promise<Scale> | null = null;
  /** Whether it was logged that the model does not separate the pairs. */
  reported = false;

  constructor(private readonly embedder: Embedder) {
    const { cosines } = embedder;
    if (!cosines) return;
    const { answer = cosines.same } = cosines;
    const relevance = closenessOf({ ...cosines, same: answer });
    this.measured = Promise.resolve({ closeness: closenessOf(cosines), relevance, ...known });
  }

  measure(timeoutMs: number): Promise<Scale> {
    if (this.measured) return this.measured;
    const measured = this.measured = measure(this.embedder, timeoutMs);
    measured.catch(() => this.measured = null);
    return measured;
  }
}

const kinds = ["same", "related", "unrelated"] as const;

async function measure(embedder: Embedder, timeoutMs: number): Promise<Scale> {
  const texts: string[] = [...new Set(kinds.flatMap((kind) => knownPairs[kind].flat()))];
  const vectors = await embedder.embed(texts, { timeoutMs });
  const cosineOf = (a: string, b: string) =>
    cosine(vectors[texts.indexOf(a)], vectors[texts.indexOf(b)]);
  const cosines = (kind: typeof kinds[number]) => knownPairs[kind].map(([a, b]) => cosineOf(a, b));
  const [same, related, unrelated] = kinds.map((kind) => average(cosines(kind)));
  // The texts of different rows are about different things.
  const different = knownPairs.same.flatMap(([a], row) =>
    kinds.flatMap((kind) =>
      knownPairs[kind].flatMap(([, b], other) => other === row ? [] : [cosineOf(a, b)])
    )
  );
  const closeness = closenessOf({ same, related, unrelated });
  return {
    closeness,
    relevance: closeness,
    ...trustOf(cosines("same"), different),
  };
}

function average(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let n = 0; n < a.length; n++) {
    dot += a[n] * b[n];
    aa += a[n] * a[n];
    bb += b[n] * b[n];
  }
  return dot / (Math.sqrt(aa * bb) || 1);
}
