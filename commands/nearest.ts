import { editDistance } from "../domain/core/edit_distance.ts";

/** The word of `known` with the smallest edit distance to `given`; the first if several have it. */
export function nearest(given: string, known: readonly string[]): string {
  const distances = known.map((each) => editDistance(given, each));
  return known[distances.indexOf(Math.min(...distances))];
}
