import type { EmailOfAccount } from "../../core/job_kinds.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { recordEmailChange } from "../record/email_changes.ts";
import { emitProcessed, emitReceived } from "../record/email_events.ts";
import type { EmailRow, StoredRow } from "../record/email_row.ts";
import { readableRow } from "../record/read_email.ts";
import { writeRow } from "../record/write_email.ts";
import { isComplete, type Processing, processing, type ProcessingEvent } from "./processing.ts";

type Owned = EmailRow & { userId: string };

/** The only writer of an email's processing: its row, and all that a move causes. `state` is null for a new email. */
export async function applyProcessing(
  tx: Tx,
  service: Service,
  email: Owned,
  state: Processing | null,
  event: ProcessingEvent,
): Promise<void> {
  const { userId, emailId } = email;
  const { next, effects } = processing(state, event);
  const key = keys.emailProcessing(userId, emailId);
  if (!isComplete(next)) tx.set(key, next);
  else if (state && !isComplete(state)) tx.delete(key);
  let told = email;
  for (const effect of effects) {
    if ("auth" in effect) {
      told = { ...email, auth: effect.auth };
      writeRow(tx, userId, told);
    } else if ("change" in effect) {
      recordEmailChange(tx, told, effect.change, service.clock.now());
    } else if ("event" in effect) await emitReceived(tx, service, told);
    else if ("processed" in effect) await emitProcessed(tx, service, told, effect.processed);
    else {
      const { job, payload, at } = effect;
      service.jobs.add(tx, job, { ...payload, userId, emailId } as Job<typeof job>["payload"], at);
    }
  }
}

/** Moves the processing of a stored email. Returns false, and writes nothing, if the email was deleted. */
export async function advance(
  tx: Tx,
  service: Service,
  { userId, emailId }: EmailOfAccount,
  event: ProcessingEvent,
): Promise<boolean> {
  const [stored, state] = await Promise.all([
    tx.get<StoredRow>(keys.email(userId, emailId)),
    tx.get<Processing>(keys.emailProcessing(userId, emailId)),
  ]);
  const row = stored && readableRow(service.database, emailId, stored);
  if (!row) return false;
  await applyProcessing(tx, service, { ...row, userId }, state ?? completeOf(row), event);
  return true;
}

/** The state of an email that has no row of it. */
function completeOf({ direction, auth }: EmailRow): Processing {
  const checked = !auth || auth.verdict === "error" ? "failed" : "done";
  return {
    parsed: "done",
    checked: direction === "outbound" ? "none" : checked,
    indexed: "done",
    embedded: "done",
    problem: null,
  };
}

type ProcessingJob = Job<"process_email" | "process_large_email" | "check_sender" | "embed_email">;

/** Moves the processing of the email of a job in the commit that ends the job. */
export async function endJob(
  service: Service,
  job: ProcessingJob,
  event: ProcessingEvent,
  also: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { userId, emailId } = job.payload;
  const isThere = await service.database.transact(async (tx) => {
    await also(tx);
    if (!await advance(tx, service, job.payload, event)) return false;
    service.jobs.complete(tx, job);
    return true;
  }, { prefetch: [keys.email(userId, emailId), keys.emailProcessing(userId, emailId)] });
  if (!isThere) await endWithoutEmail(service, job);
}

/** Ends the job of an email that was deleted. An earlier run may have added it to the indexes: it must leave them. */
export async function endWithoutEmail(service: Service, job: ProcessingJob): Promise<void> {
  const { userId, emailId } = job.payload;
  await service.searchIndex.remove(userId, [emailId]);
  await service.semantic?.vectors.remove(userId, [emailId]);
  await service.database.transact((tx) => {
    tx.delete(keys.emailProcessing(userId, emailId));
    service.jobs.complete(tx, job);
  });
}
