import type { Clock } from "./clock.ts";

const turnBytes = 2 ** 20;

/**
 * Long work on bytes in portions: after each MiB everything else in the process gets its turn. A MiB takes a few milliseconds;
 * a form of 64 MiB at one go held all other requests for seconds.
 */
export class Turns {
  private worked = 0;

  constructor(private readonly clock: Pick<Clock, "after">) {}

  /** Call it after work on `bytes`. */
  async after(bytes: number): Promise<void> {
    this.worked += bytes;
    if (this.worked < turnBytes) return;
    this.worked = 0;
    await new Promise<void>((done) => this.clock.after(0, done));
  }

  /** The bytes in pieces of at most a MiB, with a turn after each. */
  async *over(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += turnBytes) {
      const piece = bytes.subarray(at, at + turnBytes);
      yield piece;
      await this.after(piece.length);
    }
  }
}
