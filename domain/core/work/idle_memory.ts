/** How long a thread must do nearly nothing before its memory is collected. */
const idleMs = 2_000;
/** So much work in that time is nearly nothing: a monitor asks for health each second. */
const idleWork = 10;
/** Less work leaves too little garbage to be worth a collection, which takes 20 to 60 ms. */
export const leastWork = 500;

/** V8's `gc`, which scripts see if it runs with `--expose-gc`. */
type Collect = (
  options: { type: "major"; execution: "sync"; flavor: "last-resort" },
) => void;

/**
 * Returns the memory of a thread to the system after a burst of work: once the thread has done nearly nothing for two
 * seconds, V8 collects all its garbage and shrinks its heap. By itself V8 keeps the heap of the burst as long as nothing
 * happens. Without `--expose-gc`, as on Deno Deploy, it does nothing.
 */
export class IdleMemory {
  /** Work since the last collection. */
  private work = 0;
  private waits = false;

  /** `after` calls a function after some milliseconds. */
  constructor(
    private readonly after: (delayMs: number, run: () => void) => void,
    private readonly collect: Collect | undefined = exposedCollector(),
  ) {}

  /** Counts work that was done: 1 for a request. The collection comes after 500, and two seconds with at most ten. */
  note(work = 1): void {
    this.work += work;
    if (!this.collect || this.waits || this.work < leastWork) return;
    this.waits = true;
    this.look(this.work);
  }

  private look(before: number): void {
    this.after(idleMs, () => {
      if (this.work - before > idleWork) return this.look(this.work);
      this.waits = false;
      this.work = 0;
      this.collect?.({ type: "major", execution: "sync", flavor: "last-resort" });
    });
  }
}

function exposedCollector(): Collect | undefined {
  return (globalThis as { gc?: Collect }).gc;
}
