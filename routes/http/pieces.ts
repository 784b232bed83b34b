import { concatBytes } from "../../domain/core/bytes.ts";

/**
 * The pieces of a body that is read whole. Their memory is free at the end of the block that has them, not when the collector
 * next looks: on a quiet service 128 MiB of posts that were refused stayed for minutes.
 */
export class Pieces implements Disposable {
  private readonly pieces: Uint8Array[] = [];
  private handedOut: ArrayBufferLike | null = null;
  size = 0;

  add(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.size += piece.length;
  }

  /** All that has come, as one array; it lasts longer than the pieces. */
  whole(): Uint8Array {
    const whole = concatBytes(this.pieces, this.size);
    this.handedOut = whole.buffer;
    return whole;
  }

  [Symbol.dispose](): void {
    for (const { buffer } of this.pieces) {
      const free = buffer instanceof ArrayBuffer && buffer !== this.handedOut && !buffer.detached;
      if (free) buffer.transfer(0);
    }
  }
}
