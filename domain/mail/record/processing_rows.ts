import type { Database, Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import type { Processing } from "../lifecycle/processing.ts";
import { hasFilesToIndex } from "./email.ts";
import { storedEmail } from "./read_email.ts";

const rowsAtOnce = 50;

/**
 * The step from schema version 2: of an email's processing three rows had what was missing. Now one has it, and a row
 * of the same email that was brought forward before the process was killed is completed.
 */
export async function oneRowOfProcessing(database: Database, now: number): Promise<void> {
  await moveRows(database, "emails_unprocessed", (state) => ({
    ...state,
    indexed: "waiting",
    embedded: "waiting",
  }));
  await moveRows<"indexed" | "failed">(database, "emails_unchecked", (state, status) => ({
    ...state,
    checked: "waiting",
    problem: state.problem ?? (status === "failed" ? "The index did not take its text." : null),
  }));
  await moveRows(database, "emails_without_vectors", (state) => ({ ...state, embedded: "later" }));
  await markIndexed(database, now);
}

async function moveRows<Value>(
  database: Database,
  table: keys.FormerTable,
  change: (state: Processing, value: Value) => Processing,
): Promise<void> {
  for (;;) {
    const selector = { prefix: keys.formerRows(table) };
    const page = await database.collect<Value>(selector, { limit: rowsAtOnce });
    if (page.length === 0) return;
    await Promise.all(page.map(({ key, value }) =>
      database.transact(async (tx) => {
        tx.delete(key);
        const [, userId, emailId] = key.map(String);
        const state = await stateOf(tx, userId, emailId);
        if (state) tx.set(keys.emailProcessing(userId, emailId), change(state, value));
      })
    ));
  }
}

/** What was brought forward of an email; as if nothing were missing, if nothing was. null if the email was deleted. */
async function stateOf(tx: Tx, userId: string, emailId: string): Promise<Processing | null> {
  const [known, email] = await Promise.all([
    tx.get<Processing>(keys.emailProcessing(userId, emailId)),
    storedEmail(tx, userId, emailId),
  ]);
  if (known || !email) return known;
  const { auth, direction, parsed } = email;
  const checked = !auth ? "waiting" : auth.verdict === "error" ? "failed" : "done";
  return {
    parsed: !parsed ? "waiting" : parsed.problem === null ? "done" : "failed",
    checked: direction === "outbound" ? "none" : checked,
    indexed: "done",
    embedded: "done",
    problem: parsed?.problem ?? null,
  };
}

/**
 * An email that waited for the vectors of a provider was unprocessed too: its job says that it was indexed. The job for the
 * texts of its files was added after the vectors; now it is added with the index.
 */
async function markIndexed(database: Database, now: number): Promise<void> {
  for await (const { value: job } of database.list<Job>({ prefix: keys.jobsDue() })) {
    if (job.kind !== "embed_email") continue;
    const { userId, emailId } = (job as Job<"embed_email">).payload;
    const key = keys.emailProcessing(userId, emailId);
    await database.transact(async (tx) => {
      const state = await tx.get<Processing>(key);
      if (state?.indexed !== "waiting") return;
      tx.set(key, { ...state, indexed: "done" });
      const email = await storedEmail(tx, userId, emailId);
      if (email && hasFilesToIndex(email)) tx.set(...filesJob(job.jobId, { userId, emailId }, now));
    });
  }
}

/** A step has no `Jobs`: it runs before there is anybody to run them. */
function filesJob(
  jobId: string,
  payload: Job<"index_attachments">["payload"],
  now: number,
): [Deno.KvKey, Job<"index_attachments">] {
  const times = { runAt: now, createdAt: now, dueAt: now };
  const job = { jobId: `${jobId}-files`, kind: "index_attachments" as const, payload, attempts: 0 };
  return [keys.jobDue(now, job.jobId), { ...job, ...times }];
}
