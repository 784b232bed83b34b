import type { Database } from "../store/database.ts";
import type { Change } from "./change.ts";
import type { Position } from "./position.ts";
import { readChanges } from "./read_changes.ts";
import type { Wait } from "./waiting.ts";

/** Changes of one page. */
const pageSize = 100;

/**
 * The changes of an account after a position, page by page: first the existing ones, then new ones, until the wait
 * ends. The wait's caller is confirmed after each read: the iteration ends with UNAUTHORIZED once the credential has
 * ended. Throws CURSOR_EXPIRED if changes after the position are gone.
 */
export async function* follow(
  database: Database,
  { userId, from, wait, passes }: {
    userId: string;
    from: Position;
    wait: Wait;
    passes: (change: Change) => boolean;
  },
): AsyncGenerator<(Change & { position: Position })[], void, void> {
  let after = from;
  for (;;) {
    const page = await readChanges(database, userId, after, { limit: pageSize, passes });
    await wait.confirm();
    after = page.end;
    if (page.changes.length > 0) yield page.changes;
    if (page.hasMore ? wait.ended : !await wait.news()) return;
  }
}
