import { concatBytes } from "../../../domain/core/bytes.ts";

/**
 * The pieces of a body that is read whole. Their memory is freed at the end of the `using` block, not by the next garbage
 * collection: on an idle service 128 MiB of refused posts stayed for minutes.
 */
export class Pieces implements Disposable {
  private readonly pieces: Uint8Array[] = [];
  private handedOut: ArrayBufferLike | null = null;
  size = 0;

  add(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.size += piece.length;
  }

  /** All pieces as one array. It stays valid after the pieces are disposed. */
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
