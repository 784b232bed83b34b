/** The keys of what is counted of an account's activity; a part of `keys.ts`. */
type Key = Deno.KvKey;

/** How often something happened in an hour or a day that begins at `at` (ms since 1970, UTC): a `Deno.KvU64`. */
export const activity = (
  userId: string,
  step: "hour" | "day",
  at: number,
  what: string,
  part: number,
): Key => ["activity", userId, step, at, what, part];
export const activities = (userId: string, step: "hour" | "day"): Key => ["activity", userId, step];
export const allActivities = (): Key => ["activity"];
