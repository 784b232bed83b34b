import type { JobKind } from "../core/job_kinds.ts";
import type { Service } from "../core/service.ts";
import type { Database } from "../store/database.ts";
import type { Job } from "../store/jobs.ts";
import { dropDead } from "../store/blobs/blob_release.ts";
import * as keys from "../store/keys.ts";
import { removeKeys, removeRows, removeWhere } from "../store/row_ranges.ts";

/** Removes the rows of all tables whose key has the account after the name of the table. New tables need no line here. */
export async function removeTables(database: Database, userId: string): Promise<void> {
  for await (const table of tablesOf(database)) {
    const own = [table, userId];
    await removeRows(database, { prefix: own });
    if (await database.get(own) !== null) await removeKeys(database, [own]);
  }
}

/** The names of all tables that have a row, each found by one read. */
async function* tablesOf(database: Database): AsyncGenerator<string> {
  let after = "";
  for (;;) {
    // In the order of keys, every text stands before a boolean.
    const [row] = await database.collect({ start: [after], end: [false] }, { limit: 1 });
    if (!row) return;
    const table = String(row.key[0]);
    yield table;
    after = `${table}\u0000`;
  }
}

/** Tables whose rows name the account only in their value. */
const tablesByValue = () => [
  keys.allAccessTokens(),
  keys.allRefreshTokens(),
  keys.allGrantAccess(),
  keys.allGrantFamilies(),
  keys.allConfirmations(),
  keys.allMemberInvitations(),
  keys.allPasswordResets(),
  keys.allSubjects(),
  keys.allInvited(),
  keys.allCustomers(),
  keys.allCheckouts(),
  keys.allReturnPaths(),
];

/** Clean-up jobs: they remove what no row refers to any more, such as the bytes of a deleted email. */
const cleaning: ReadonlySet<JobKind> = new Set<JobKind>([
  "purge_email",
  "purge_mailbox",
  "purge_webhook",
  "read_bounce",
  "remove_blob",
  "unindex_email",
]);

/**
 * Removes the rows of other tables that name the account, and its jobs except those that clean up. Returns the ids of
 * the rows, and how many clean-up jobs are left. `ownJobId` is the job that calls this.
 */
export async function removeNamed(
  { database, jobs }: Service,
  userId: string,
  ownJobId: string,
): Promise<{ removed: Deno.KvKeyPart[]; left: number }> {
  const removed: Deno.KvKeyPart[] = [];
  for (const prefix of tablesByValue()) {
    const gone = await removeWhere<{ userId?: string | null }>(
      database,
      prefix,
      (row) => row.userId === userId,
    );
    removed.push(...gone.map((key) => key.at(-1)!));
  }
  let left = 0;
  const isOwn = ({ jobId, payload }: Job) =>
    jobId !== ownJobId && "userId" in payload && payload.userId === userId;
  await removeWhere<Job>(database, keys.jobsDue(), (job) => {
    const cleans = isOwn(job) && cleaning.has(job.kind);
    if (cleans) left++;
    return isOwn(job) && !cleans;
  });
  for (const { value } of await database.collect<Job>({ prefix: keys.jobsDead() })) {
    if (isOwn(value)) await database.transact((tx) => dropDead(tx, { database, jobs }, value));
  }
  return { removed, left };
}
