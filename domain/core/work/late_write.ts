import type { Clock } from "../clock.ts";

/** Runs `write` some time after it was asked for: once for all who asked, and never twice at the same time. */
export class LateWrite {
  private cancel: (() => void) | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly clock: Clock,
    private readonly delayMs: number,
    private readonly write: () => Promise<void>,
  ) {}

  ask(): void {
    this.cancel ??= this.clock.wakeIn(this.delayMs, () => void this.flush());
  }

  /** Runs it now. */
  flush(): Promise<void> {
    this.cancel?.();
    this.cancel = null;
    return this.running = this.running.then(this.write);
  }
}
