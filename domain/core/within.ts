/** Work that had not ended in the time it was given. */
export class TookTooLong extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
  }
}

/** What `work` answers, or TookTooLong; the work itself goes on, and what becomes of it then is nobody's. */
export async function within<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TookTooLong(timeoutMs)), timeoutMs);
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
