import type { Clock } from "../clock.ts";

const sliceBytes = 2 ** 20;

/**
 * Divides long work on bytes: after each MiB, which takes a few milliseconds, it yields to the other work of the
 * process. A form of 64 MiB without a break delayed all other requests by seconds.
 */
export class Yielder {
  private worked = 0;

  constructor(private readonly clock: Pick<Clock, "after">) {}

  /** To be called after work on `bytes`; yields if there was a MiB of work since it last did. */
  async after(bytes: number): Promise<void> {
    this.worked += bytes;
    if (this.worked < sliceBytes) return;
    this.worked = 0;
    await new Promise<void>((done) => this.clock.after(0, done));
  }

  /** The bytes in slices of at most a MiB; it yields after each. */
  async *slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      const slice = bytes.subarray(at, at + sliceBytes);
      yield slice;
      await this.after(slice.length);
    }
  }
}
