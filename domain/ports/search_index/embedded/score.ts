import type { Ranked } from "./ranking.ts";

/** placeholder */
export function sparseScore({ match, likeness, literal }: Ranked): number {
  return literal ? 0.95 : Math.min(1, 0.7 * match + 0.3 * likeness);
}
