/** The word of `known` that takes the fewest changed letters to write in place of `given`; the first of equals. */
export function nearest(given: string, known: readonly string[]): string {
  const distances = known.map((each) => distance(given, each));
  return known[distances.indexOf(Math.min(...distances))];
}

/** Levenshtein's distance: letters to insert, remove or change. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[to.length];
}
