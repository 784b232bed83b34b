import { type Clock, systemClock } from "../../domain/core/clock.ts";
import { createLog } from "../../domain/core/log.ts";
import { Database } from "../../domain/store/database.ts";
import type { RemoteKv } from "./remote_kv.ts";

const log = createLog({ level: "error", format: "json", write: () => {} });

/** The clock of the system, five times as fast: a deadline of five seconds is over after one. */
export const fastClock: Clock = {
  ...systemClock,
  elapsed: () => 5 * systemClock.elapsed(),
  after: (delayMs, run) => systemClock.after(delayMs / 5, run),
};

/** A database of its own on the stand-in, as another process would have. */
export async function openDatabase(
  remote: RemoteKv,
  options: { clock?: Clock } = {},
): Promise<Database & AsyncDisposable> {
  const open = () => remote.open();
  const database = new Database(await open(), { log, exclusive: false, reopen: open, ...options });
  return Object.assign(database, {
    async [Symbol.asyncDispose]() {
      await database.settled();
      database.close();
    },
  });
}
