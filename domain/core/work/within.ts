import type { Clock } from "../clock.ts";

/** Thrown by `within`. */
export class TookTooLong extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
  }
}

/**
 * The result of `work`, or TookTooLong after `timeoutMs` of real time. The work is not cancelled; its later result or error
 * is ignored.
 */
export async function within<Value>(
  clock: Pick<Clock, "after">,
  work: Promise<Value>,
  timeoutMs: number,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(timeoutMs, () => reject(new TookTooLong(timeoutMs)));
  return await Promise.race([work, promise]).finally(cancel);
}
