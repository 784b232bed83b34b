import type { Clock } from "../core/clock.ts";

/** How often the lock is tried while another process has it. */
const askAgainMs = 100;

/**
 * Makes this process the only one that has a database file: it locks a file beside it, and the operating system ends
 * the lock when the process ends. The rows in memory (Database, `exclusive`) and the jobs taken over at the start depend
 * on this, because Deno KV itself lets any number of processes open a file.
 *
 * Returns what releases the file; null if another process still has it after `patienceMs`.
 */
export async function holdFile(
  clock: Clock,
  path: string,
  patienceMs: number,
): Promise<(() => void) | null> {
  const file = await Deno.open(`${path}.lock`, { create: true, write: true });
  const startedAt = clock.elapsed();
  while (!await file.tryLock(true)) {
    if (clock.elapsed() - startedAt > patienceMs) {
      file.close();
      return null;
    }
    await new Promise<void>((done) => void clock.after(askAgainMs, done));
  }
  return () => file.close();
}
