/**
 * How long a thread that answers calls one after another has been silent. Finding out needs no call, which would wait
 * behind the others. Times are ms of any clock that never goes back.
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

  /** The thread has ended, so no call is waiting any more. */
  stopped(): void {
    this.unanswered.clear();
  }

  /** For how long a call has waited without any answer; 0 if none is waiting. */
  silentMs(at: number): number {
    const [oldest] = this.unanswered.values();
    return oldest === undefined ? 0 : at - Math.max(oldest, this.lastAnswerAt);
  }
}
