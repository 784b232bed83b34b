/** The possible outcomes of the commit or the delivery at which a process dies. */
export type Death = "before" | "after";

/**
 * The life of one instance. It ends at its n-th commit or call of the relay, before or after that takes effect. From
 * then on it gets no answers and changes nothing outside, as if it had been killed: its promises stay pending.
 */
export class Life {
  /** Commits and calls of the relay so far. */
  calls = 0;
  /** Resolves at the death. */
  readonly over: Promise<void>;
  private isOver = false;
  private readonly end: () => void;
  private fate: { at: number; death: Death } | null = null;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.end = () => {
      this.isOver = true;
      resolve();
    };
  }

  /** Counts from 1 again; at the n-th call it ends. */
  endAt(at: number, death: Death): void {
    this.calls = 0;
    this.fate = { at, death };
  }

  /** A call that changes what others see. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    if (this.isOver) return await never();
    const isLast = ++this.calls === this.fate?.at;
    if (isLast && this.fate?.death === "before") this.end();
    else {
      const result = await work();
      if (isLast) this.end();
      if (!this.isOver) return result;
    }
    return await never();
  }

  /** A call that changes nothing. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    if (this.isOver) return await never();
    const result = await work();
    return this.isOver ? await never() : result;
  }

  /** The store for this instance. */
  store(kv: Deno.Kv): Deno.Kv {
    const own: Partial<Deno.Kv> = {
      get: (...question) => this.read(() => kv.get(...question)) as never,
      getMany: (...question) => this.read(() => kv.getMany(...question)) as never,
      set: (...row) => this.change(() => kv.set(...row)),
      delete: (...row) => this.change(() => kv.delete(...row)),
      list: (...question) => this.listed(kv.list(...question)) as never,
      atomic: () => this.atomic(kv.atomic()),
    };
    return withOwn(kv, own);
  }

  private listed<T>(rows: Deno.KvListIterator<T>): Deno.KvListIterator<T> {
    return withOwn(rows, {
      next: () => this.read(() => rows.next()),
      [Symbol.asyncIterator]() {
        return this as Deno.KvListIterator<T>;
      },
    });
  }

  private atomic(operation: Deno.AtomicOperation): Deno.AtomicOperation {
    const own: Deno.AtomicOperation = withOwn(operation, {
      commit: () => this.change(() => operation.commit()) as never,
    }, () => own);
    return own;
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}

/** `target` with some properties of its own; methods of the target that return it return `chained()`. */
function withOwn<T extends object>(target: T, own: Partial<T>, chained?: () => T): T {
  return new Proxy(target, {
    get(_target, name) {
      if (name in own) return Reflect.get(own, name);
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        const answer = value.apply(target, given);
        return chained && answer === target ? chained() : answer;
      };
    },
  });
}
