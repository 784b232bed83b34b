import type { Database } from "./database.ts";
import * as keys from "./keys.ts";

/** Each row is read twice, under its old and its new key: 80 of the 100 checks of a commit. */
const rowsPerCommit = 40;

/** Tables that had another name during development: old name -> new name. */
const renamedTables = {
  hosts: "custom_domains",
  hosts_by_name: "custom_domains_by_name",
  hosts_verified: "custom_domains_verified",
  host_quota: "custom_domain_quota",
  host_mailboxes: "custom_domain_mailboxes",
  mailboxes_by_host: "mailboxes_by_domain",
  marks: "meta",
} as const;
/** The key of the same row in another table. */
const inTable = (table: string, key: Deno.KvKey): Deno.KvKey => [table, ...key.slice(1)];

/**
 * Moves the rows of tables that had other names during development. A row that is already there under its new name is
 * the newer one and stays.
 */
export async function renameDevelopmentTables(database: Database): Promise<void> {
  for (const [from, to] of Object.entries(renamedTables)) {
    for (;;) {
      const page = await database.collect({ prefix: [from] }, {
        limit: database.perCommit(rowsPerCommit, 2),
      });
      if (page.length === 0) break;
      await database.transact(async (tx) => {
        for (const { key } of page) {
          const value = await tx.get(key);
          if (value === null) continue;
          const moved = inTable(to, key);
          if (await tx.get(moved) === null) tx.set(moved, withDomainId(value));
          tx.delete(key);
        }
      });
    }
  }
  await renameJobs(database);
}

/** The jobs that check a domain's DNS records again. */
async function renameJobs(database: Database): Promise<void> {
  for (const prefix of [keys.jobsDue(), keys.jobsDead()]) {
    for await (const { key, value } of database.list<{ kind?: string }>({ prefix })) {
      if (value.kind !== "reverify_host") continue;
      await database.transact(async (tx) => {
        const job = await tx.get<{ payload: unknown }>(key);
        const payload = withDomainId(job?.payload);
        if (job) tx.set(key, { ...job, kind: "reverify_domain", payload });
      });
    }
  }
}

/** Custom domains had a `hostId`. */
function withDomainId(value: unknown): unknown {
  if (value === null || typeof value !== "object" || !("hostId" in value)) return value;
  const { hostId, ...rest } = value;
  return { ...rest, domainId: hostId };
}
