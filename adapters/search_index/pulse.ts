/**
 * Signs of life of a thread that answers calls one after another: they say whether it can be relied on without a call
 * that would wait behind the others. Times are ms of any clock.
 */
export class Pulse {
  private readonly unanswered = new Map<number, number>();
  private lastAnswerAt = -Infinity;

  asked(callId: number, at: number): void {
    this.unanswered.set(callId, at);
  }

  answered(callId: number, at: number): void {
    this.unanswered.delete(callId);
    this.lastAnswerAt = at;
  }

  /** The thread is gone, and with it whatever it was asked. */
  stopped(): void {
    this.unanswered.clear();
  }

  /** For how long it has answered nothing although it was asked; 0 where nothing waits. */
  silentMs(at: number): number {
    const [oldest] = this.unanswered.values();
    return oldest === undefined ? 0 : at - Math.max(oldest, this.lastAnswerAt);
  }
}
