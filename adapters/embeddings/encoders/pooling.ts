/** How the vectors of the tokens become one; several are put one after another (sentence-transformers, `Pooling`). */
export const poolings = [
  "cls",
  "mean",
  "max",
  "mean_sqrt_len",
  "weightedmean",
  "lasttoken",
] as const;
export type Pooling = typeof poolings[number];

/** `numbers` holds a vector of `width` numbers for each token. The result has length 1. */
export function pooled(
  numbers: Float32Array,
  width: number,
  kinds: readonly Pooling[],
): Float32Array {
  const tokens = numbers.length / width;
  const made = new Float32Array(width * kinds.length);
  for (const [n, kind] of kinds.entries()) {
    const part = made.subarray(n * width, (n + 1) * width);
    if (kind === "max") part.fill(-Infinity);
    for (let token = 0; token < tokens; token++) {
      const weight = weightOf(kind, token, tokens);
      for (let k = 0; k < width; k++) {
        const value = numbers[token * width + k];
        if (kind === "max") part[k] = Math.max(part[k], value);
        else part[k] += weight * value;
      }
    }
  }
  return ofLengthOne(made);
}

/** The share of a token in a sum. */
function weightOf(kind: Pooling, token: number, tokens: number): number {
  switch (kind) {
    case "cls":
      return token === 0 ? 1 : 0;
    case "lasttoken":
      return token === tokens - 1 ? 1 : 0;
    case "mean_sqrt_len":
      return 1 / Math.sqrt(tokens);
    case "weightedmean":
      return 2 * (token + 1) / (tokens * (tokens + 1));
    default:
      return 1 / tokens;
  }
}

/** @throws Error for a vector without a direction. */
export function ofLengthOne(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!(length > 0 && length < Infinity)) throw new Error("the encoder gave no direction");
  return vector.map((value) => value / length);
}
