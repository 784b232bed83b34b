import { z } from "zod";
import { readActivity, startOf, type Step, steps } from "../activity/counters.ts";
import { isoTime, timestampField } from "../core/clock.ts";
import { invalidField } from "../core/errors.ts";
import { operation } from "../core/operation.ts";
import { dateBound, lowerBoundMs, upperBoundMs } from "../mail/read/filters.ts";

/** A month of hours, two years of days. */
const maxSteps = 750;

const activityOfStep = z.object({
  at: timestampField.describe("The start of the hour or day, UTC"),
  received: z.number().int().describe("Emails that came in"),
  sent: z.number().int().describe("Emails that were sent, also those that could not be delivered"),
  imported: z.number().int().describe("Emails that were imported, at the time of the import"),
  delivered: z.number().int().describe("Webhook deliveries that succeeded"),
  failed: z.number().int().describe("Webhook deliveries that ended without success"),
  searches: z.number().int(),
  search_p95_ms: z.number().int().nullable().describe(
    "95 % of the searches took at most this many ms, rounded up by at most 26 %; null without a search",
  ),
}).meta({ id: "Activity", description: "What happened in an hour or a day" });

export const getActivity = operation({
  name: "get_activity",
  title: "Get the activity",
  description:
    "Mail in and out, ended webhook deliveries and searches of the account, by hour or day in UTC: every step from the one that `from` is in to the " +
    "last that begins before `to`. Hours are kept for 32 days, days for 800; older steps are left out.",
  scope: null,
  audit: "none",
  input: z.object({
    from: dateBound.describe("YYYY-MM-DD or ISO 8601, UTC"),
    to: dateBound.describe("YYYY-MM-DD (the whole day) or ISO 8601, UTC; after `from`"),
    step: z.enum(["hour", "day"]).describe(`At most ${maxSteps} steps are answered`),
  }),
  output: z.object({ activity: z.array(activityOfStep) }),
  errors: ["VALIDATION_ERROR"],
  async run({ database, clock }, { userId }, { from, to, step }) {
    const range = rangeOf(step, lowerBoundMs(from), upperBoundMs(to));
    const counts = await readActivity(database, userId, { step, ...range, now: clock.now() });
    return {
      activity: counts.map(({ at, searchP95Ms, ...counted }) => ({
        at: isoTime(at),
        ...counted,
        search_p95_ms: searchP95Ms,
      })),
    };
  },
});

/** The start of the first step, and the latest end of the last one, ms since 1970. */
function rangeOf(step: Step, from: number, to: number): { from: number; to: number } {
  if (to <= from) throw invalidField("to", "must be after `from`");
  const first = startOf(step, from);
  if (to - first > maxSteps * steps[step].ms) {
    throw invalidField(
      "step",
      `the time from \`from\` to \`to\` has more than ${maxSteps} of them`,
    );
  }
  return { from: first, to };
}
