import type { Database } from "./database.ts";
import * as keys from "./keys.ts";
/** Rows that one commit removes. Each key is in it twice, as a check and as a removal: 72 of the 80 KiB of keys. */
const rowsPerCommit = 60;
/** 6,000 rows a sweep, 8 million a day. Other writers have their turn between two commits. */
const maxCommits = 100;

/** Removes the rows that expire before `now`. Returns how many rows were removed. */
export async function removeExpired(database: Database, now: number): Promise<number> {
  let removed = 0;
  for (let commits = 0; commits < maxCommits; commits++) {
    const due = await database.collect<Deno.KvKey[]>(
      keys.range(keys.allExpiring(), { end: now }),
      { limit: rowsPerCommit },
    );
    if (due.length === 0) break;
    const gone: Deno.KvEntryMaybe<unknown>[] = [];
    const lists: Deno.KvKey[] = [];
    for (const list of due) {
      if (gone.length + list.value.length > rowsPerCommit) break;
      const rows = await database.readStored(list.value);
      gone.push(...rows.filter((row) => row.versionstamp === list.versionstamp));
      lists.push(list.key);
    }
    if (await database.remove(gone, lists)) removed += gone.length;
  }
  return removed;
}

/** Removes keys from the lists of expiring rows, after their rows were removed early. */
export async function forgetExpiring(
  database: Database,
  isGone: (key: Deno.KvKey) => boolean,
): Promise<void> {
  for await (const list of database.list<Deno.KvKey[]>({ prefix: keys.allExpiring() })) {
    const kept = list.value.filter((key) => !isGone(key));
    if (kept.length === list.value.length) continue;
    const rows = kept.length > 0 ? await database.readStored(kept) : [];
    const listed = rows.filter(({ versionstamp }) => versionstamp === list.versionstamp);
    if (listed.length > 0) await database.relist(list, listed);
    else await database.remove([list], []);
  }
}
