/** The most that further encoders count, and by how much their agreement with the first is multiplied for it. */
const mostShare = 0.6;
const agreementFactor = 1.5;
/** The agreement over so many rows counts half: over few rows it is chance. */
const fewRows = 10;

/**
 * One cosine for each row from those of several encoders, of which the first reads the most languages. To a question
 * that another does not understand it is near to anything. Then its cosines have little to do with those of the first.
 * So it counts the more, the more both agree over all rows (docs/search.md "Words and vectors").
 */
export function joinedCosines([first, ...others]: Float32Array[]): Float32Array {
  if (others.length === 0) return first;
  const shares = others.map((other) => {
    const agreement = correlation(first, other) * first.length / (first.length + fewRows);
    return Math.min(mostShare, Math.max(0, agreementFactor * agreement)) / others.length;
  });
  const left = shares.reduce((left, share) => left - share, 1);
  return first.map((cosine, row) =>
    others.reduce((sum, other, n) => sum + shares[n] * other[row], left * cosine)
  );
}

/** Pearson's correlation, -1..1; 0 if one of the two does not vary. */
function correlation(a: Float32Array, b: Float32Array): number {
  const [meanA, meanB] = [a, b].map((all) => all.reduce((sum, each) => sum + each, 0) / all.length);
  let together = 0, ofA = 0, ofB = 0;
  for (let n = 0; n < a.length; n++) {
    const [x, y] = [a[n] - meanA, b[n] - meanB];
    together += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return together / Math.sqrt(ofA * ofB) || 0;
}
