import type { Clock } from "../core/clock.ts";

/** How often the lock is tried while another process has it. */
const askAgainMs = 100;

/**
 * Makes this process the only one that has a database file: it locks a file next to it, and the operating system ends
 * the lock when the process ends. Deno KV itself lets any number of processes open a file, but rows in memory
 * (Database, `exclusive`) and the take-over of jobs at the start need a single one.
 *
 * Returns what releases the file; null if another process still has it after `patienceMs`.
 */
export async function holdFile(
  clock: Clock,
  path: string,
  patienceMs: number,
): Promise<(() => void) | null> {
  const file = await Deno.open(lockOf(path), { create: true, write: true });
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

/**
 * Writes when the service of this process started, ms since 1970: `deno task doctor` compares it with the service that
 * answers.
 */
export async function signHolder(path: string, startedAt: number): Promise<void> {
  await Deno.writeTextFile(lockOf(path), String(startedAt));
}

/** When the service that holds the file started, ms since 1970; null if none is known to hold it. */
export async function startOfHolder(path: string): Promise<number | null> {
  try {
    using file = await Deno.open(lockOf(path), { read: true, write: true });
    if (await file.tryLock(true)) return null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  const text = await Deno.readTextFile(lockOf(path));
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** The file that is locked. It stays when the process ends. */
export function lockOf(path: string): string {
  return `${path}.lock`;
}
