import type { Service } from "../../core/service.ts";
import type { Reads } from "./reads.ts";
import * as keys from "../../store/keys.ts";
import { isProcessed, type Processing } from "../lifecycle/processing.ts";

/** A backlog of up to this many rows is read as a range; in a larger one each email is looked up. */
const maxRangeRows = 500;

/** The ids of unprocessed emails, those of `emailIds` and maybe others. `emailIds` are in order, ascending or descending. */
export async function unprocessedOf(
  service: Reads,
  userId: string,
  emailIds: readonly string[],
): Promise<Set<string>> {
  if (emailIds.length === 0) return new Set();
  // On a shared store nothing of it is in memory, and the part that is asked for takes one request.
  const waiting = service.database.exclusive &&
    await service.database.cachedRangeIfSmall<Processing>(keys.emailsProcessing(userId));
  if (waiting) return idsOf(waiting);
  const [one, other] = [emailIds[0], emailIds[emailIds.length - 1]];
  const [first, last] = one < other ? [one, other] : [other, one];
  const range = keys.range(keys.emailsProcessing(userId), { start: first, end: `${last}\u0000` });
  const rows = await service.database.collect<Processing>(range, { limit: maxRangeRows });
  if (rows.length < maxRangeRows) return idsOf(rows);
  const asked = await service.database.getMany<Processing>(
    emailIds.map((emailId) => keys.emailProcessing(userId, emailId)),
  );
  return new Set(emailIds.filter((_id, n) => asked[n] && !isProcessed(asked[n])));
}

function idsOf(rows: readonly Deno.KvEntry<Processing>[]): Set<string> {
  return new Set(
    rows.filter(({ value }) => !isProcessed(value)).map(({ key }) => key.at(-1) as string),
  );
}

/** How many emails of an account are not processed, of the newest `limit` of which anything is missing. */
export async function countPending(
  { database }: Pick<Service, "database">,
  userId: string,
  limit: number,
): Promise<number> {
  const prefix = keys.emailsProcessing(userId);
  const rows = await database.cachedRangeIfSmall<Processing>(prefix) ??
    database.list<Processing>({ prefix }, { limit, reverse: true });
  let pending = 0;
  for await (const { value } of rows) if (!isProcessed(value)) pending++;
  return pending;
}

/**
 * Finds out which emails of a list are unprocessed. Those whose ids are known early are looked up while their rows are
 * read.
 */
export class UnprocessedLook {
  private begun: { ids: ReadonlySet<string>; found: Promise<Set<string>> } | null = null;

  constructor(private readonly service: Reads, private readonly userId: string) {}

  /** Of the first call only: a list shows few of the emails that it reads later. */
  begin(emailIds: readonly string[]): void {
    if (this.begun) return;
    const found = unprocessedOf(this.service, this.userId, emailIds.toSorted());
    // Thrown to the caller of `of`, if there is one.
    found.catch(() => {});
    this.begun = { ids: new Set(emailIds), found };
  }

  /** The ids of unprocessed emails, those of `emailIds` and maybe others. `emailIds` are as in `unprocessedOf`. */
  async of(emailIds: readonly string[]): Promise<Set<string>> {
    const early = this.begun;
    const rest = emailIds.filter((emailId) => !early?.ids.has(emailId));
    const [first, others] = await Promise.all([
      early?.found ?? new Set<string>(),
      unprocessedOf(this.service, this.userId, rest),
    ]);
    return first.union(others);
  }
}
