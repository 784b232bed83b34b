/** The tasks of the day set it to 0: they leave out what `deno task nightly` runs. A file run by hand leaves out nothing. */
export const isNight = Deno.env.get("TEST_NIGHTLY") !== "0";

/** How many times its promised time a step may take: by day other programs use the processors too. */
export const patience = isNight ? 1 : 5;

/** The rounds of a property: by day few, with the same values each time; at night many, with new ones. */
export function rounds(byDay: number, atNight: number): { numRuns: number; seed?: number } {
  return isNight ? { numRuns: atNight } : { numRuns: byDay, seed: 1 };
}

/**
 * A test whose assertion is on time, memory or growth. What else the machine does may decide it, and most take long:
 * `deno task nightly` runs it, `deno task test` reports it as ignored.
 */
export function nightly(name: string, run: () => void | Promise<void>, ignore = false): void {
  const reason = isNight ? "" : " (ignored: deno task nightly runs it)";
  Deno.test({ name: name + reason, ignore: ignore || !isNight, fn: run });
}
