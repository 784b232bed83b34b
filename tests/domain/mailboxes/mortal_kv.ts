export interface MortalKv {
  kv: Deno.Kv;
  isDead: () => boolean;
  /** Resolves when `work` ends, or the process is killed. */
  settleOrDie(work: Promise<void>): Promise<void>;
}

/**
 * A database whose process is killed after `commits` more commits: what was committed stays, everything
 * later fails.
 */
export function mortalKv(kv: Deno.Kv, commits: number): MortalKv {
  let left = commits;
  const died = Promise.withResolvers<void>();
  const isDead = () => left < 0;
  const killed = () => new Error("the process was killed");
  const spend = () => {
    if (left-- > 0) return;
    died.resolve();
    throw killed();
  };
  const mortal = new Proxy(kv, {
    get(target, name) {
      if (name !== "atomic") {
        const member = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          if (isDead()) throw killed();
          return member.apply(target, given);
        };
      }
      return () => {
        const atomic = target.atomic();
        const commit = atomic.commit.bind(atomic);
        atomic.commit = () => {
          spend();
          return commit();
        };
        return atomic;
      };
    },
  });
  return {
    kv: mortal,
    isDead,
    // What runs then waits for a database that never comes back.
    settleOrDie: (work) => Promise.race([work, died.promise]),
  };
}
