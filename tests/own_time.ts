/**
 * How long this thread has waited for a processor, ms: the second figure of schedstat (proc(5)). 0 if the
 * system has none; then a busy machine counts as a busy program.
 */
export function waitedMs(): number {
  try {
    return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

/**
 * A clock in ms that stands still while this thread waits for a processor, so that other programs do not count in the
 * measured time.
 */
export function ownMs(): number {
  return performance.now() - waitedMs();
}
