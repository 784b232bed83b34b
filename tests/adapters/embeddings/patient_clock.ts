import { systemClock } from "../../../domain/core/clock.ts";

/** A clock for tests of what encoders find: a question waits for them for 15 s, because other tests use the processors too. */
export const patientClock = {
  elapsed: systemClock.elapsed,
  after: (delayMs: number, run: () => void) => systemClock.after(delayMs * 10, run),
};
