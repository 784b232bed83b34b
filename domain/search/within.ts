/** What `work` answers, or an error once it has taken too long; the work itself goes on. */
export async function within<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
