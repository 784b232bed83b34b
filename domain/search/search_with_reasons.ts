import { z } from "zod";
import { readUser } from "../accounts/user.ts";
import { readUsage } from "../billing/usage.ts";
import type { Caller } from "../core/caller.ts";
import { operation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { countMatches, searchEmails } from "./search_emails.ts";

/** The filters of a search: any of them may be the reason why nothing was found. */
const filters = [
  "mailbox_id",
  "from",
  "to",
  "subject",
  "date_from",
  "date_to",
  "label",
  "is_read",
  "direction",
  "auth_verdict",
] as const;
type Filter = typeof filters[number];
type Query = z.output<typeof searchEmails.input>;

const count = z.number().int();

/** `POST /api/search`: for people, who ask why nothing was found and how many searches are left. */
export const searchWithReasons = operation({
  ...searchEmails,
  name: "search_with_reasons",
  title: "Search emails, with why nothing was found",
  description:
    "As `POST /v1/api/search`, with how many searches of the plan are used. If nothing is found, `without` has for each filter of the request how many emails " +
    "match without it, at most 1,000; that counts as no search.",
  output: searchEmails.output.extend({
    searches: z.object({
      used: count.describe("In this period, including this search"),
      limit: count.nullable().describe("null is unlimited"),
    }),
    without: z.partialRecord(z.enum(filters), count).optional().describe(
      "Present if there are no results",
    ),
  }),
  fit: (output, maxChars, query) => ({
    ...output,
    ...searchEmails.fit!(output, maxChars, query),
  }),
  async run(service, caller, query, call) {
    const found = await searchEmails.run(service, caller, query, call);
    const [searches, without] = await Promise.all([
      searchesOf(service, caller),
      found.total === 0 ? withoutEach(service, caller, query) : undefined,
    ]);
    return { ...found, searches, ...(without ? { without } : {}) };
  },
});

async function searchesOf({ database, clock, plans }: Service, { userId, plan }: Caller) {
  const { searchesPerMonth } = await readUsage(
    database,
    await readUser(database, userId),
    clock.now(),
  );
  return { used: searchesPerMonth, limit: plans[plan].searchesPerMonth };
}

async function withoutEach(service: Service, caller: Caller, query: Query) {
  const given = filters.filter((name) => query[name] !== undefined);
  return Object.fromEntries(
    await Promise.all(given.map(async (name) => {
      const others = { ...query, [name]: undefined };
      return [name, await countMatches(service, caller, others)];
    })),
  ) as Partial<Record<Filter, number>>;
}
