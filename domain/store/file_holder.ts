/** How often a file that another process has is asked for. */
const askAgainMs = 100;

/**
 * Makes this process the only one that has a database file, for as long as it lives: a lock of the operating system
 * on a file beside it, which ends with the process however that ends. What is kept in memory (Entries, `exclusive`)
 * and the jobs taken over at the start rest on it; Deno KV itself lets any number of processes in.
 *
 * Answers what lets the file go; null where another process still has it after `patienceMs`.
 */
export async function holdFile(path: string, patienceMs: number): Promise<(() => void) | null> {
  const file = await Deno.open(`${path}.lock`, { create: true, write: true });
  const startedAt = performance.now();
  while (!await file.tryLock(true)) {
    if (performance.now() - startedAt > patienceMs) {
      file.close();
      return null;
    }
    await new Promise((done) => setTimeout(done, askAgainMs));
  }
  return () => file.close();
}
