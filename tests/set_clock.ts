import { FakeClock } from "./service.ts";

/** A clock that can be set, also back. What waits for a time waits longer then; what waits for a span does not. */
export class SetClock extends FakeClock {
  aheadMs = 0;
  override now(): number {
    return super.now() + this.aheadMs;
  }
  override wakeAt(at: number, wake: () => void): () => void {
    let cancel = () => {};
    const arm = () => {
      cancel = super.wakeAt(at - this.aheadMs, () => this.now() < at ? arm() : wake());
    };
    arm();
    return () => cancel();
  }
  override wakeIn(delayMs: number, wake: () => void): () => void {
    return super.wakeAt(super.now() + delayMs, wake);
  }
}
