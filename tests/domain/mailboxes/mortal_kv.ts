/**
 * A database whose process is killed after `commits` more commits: what was committed stays, everything
 * later fails.
 */
export function mortalKv(kv: Deno.Kv, commits: number): { kv: Deno.Kv; isDead: () => boolean } {
  let left = commits;
  const spend = () => {
    if (left-- <= 0) throw new Error("the process was killed");
  };
  const mortal = new Proxy(kv, {
    get(target, name) {
      if (name !== "atomic") {
        const member = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
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
  return { kv: mortal, isDead: () => left < 0 };
}
