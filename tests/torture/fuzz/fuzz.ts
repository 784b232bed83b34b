import type { FuzzTarget } from "./targets.ts";
import { growingText, mutated } from "./grammar.ts";
import { type Growing, grown, slowness } from "../../growth.ts";
import { seeded } from "../seeded.ts";

/** An input that makes a function fail. */
export interface Finding {
  target: string;
  trial: number;
  what: string;
  input: Growing;
}

/** Size in bytes of the randomly broken texts, which find exceptions. */
const brokenBytes = 4 * 1024;
const brokenTexts = 3;

/**
 * One trial, the same for the same seed and number: a text of the target's grammar with a repeated piece.
 * Returns the finding: an exception, or more than linear time.
 */
export async function fuzzOnce(
  targets: readonly FuzzTarget[],
  seed: number,
  trial: number,
): Promise<Finding | null> {
  const random = seeded(seed * 1_000_003 + trial);
  const target = targets[trial % targets.length];
  const input = growingText(target.grammar, random);
  const found = (what: string): Finding => ({ target: target.name, trial, what, input });
  try {
    const slow = await slowness(target.run, input);
    if (slow) {
      const times = slow.times.map(({ bytes, ms }) => `${bytes / 1024} KiB ${ms.toFixed(1)} ms`);
      return found(`${slow.what}: ${times.join(", ")}`);
    }
    for (let n = 0; n < brokenTexts; n++) {
      input.after = mutated(mutated(grown(input, brokenBytes), random), random);
      await target.run(grown(input, 0));
    }
  } catch (error) {
    return found(`threw ${error instanceof Error ? error.message : String(error)}`);
  }
  return null;
}
