import type { Ids } from "../core/ids.ts";

/** How often a webhook's deliveries are tried: three times within seconds, or ten times within two days. */
export const retrySchedules = ["standard", "extended"] as const;

export type RetrySchedule = (typeof retrySchedules)[number];

/** After the first and the second failure, in ms: exact, because the specification promises them. */
const firstDelaysMs = [500, 1_000];

/** After the third failure and those that follow, in ms; see `extendedDelayMs`. */
const laterDelaysMs = [
  5_000,
  30_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  8 * 3_600_000,
  24 * 3_600_000,
];

/**
 * The wait in ms between the end of a failed attempt and the start of the next; null if it was the last. `failures`:
 * how many have failed since the delivery was begun or replayed, 1 or more.
 */
export function retryDelayMs(
  schedule: RetrySchedule,
  failures: number,
  ids: Pick<Ids, "bytes">,
): number | null {
  const first = firstDelaysMs[failures - 1];
  if (first !== undefined) return first;
  const later = laterDelaysMs[failures - 1 - firstDelaysMs.length];
  return schedule === "standard" || later === undefined ? null : extendedDelayMs(later, ids);
}

/** A tenth more or less at random: deliveries that failed together in an outage are not all retried at once. */
function extendedDelayMs(delayMs: number, ids: Pick<Ids, "bytes">): number {
  const random = new DataView(ids.bytes(4).slice().buffer).getUint32(0) / 2 ** 32;
  return Math.round(delayMs * (0.9 + 0.2 * random));
}
