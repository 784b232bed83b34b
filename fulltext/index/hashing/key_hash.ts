/** Fills an array with random numbers, as `crypto.getRandomValues` does. */
export type FillRandom = (numbers: Uint32Array<ArrayBuffer>) => void;

/**
 * Hashes the keys of terms for tables in memory. A key is an unkeyed hash of a word (`hash48`), so a sender can choose
 * words with neighbouring keys; a table that used the key itself as the place would take quadratic time for such an
 * email.
 *
 * Simple tabulation: one random number for each value of each of the six bytes, XORed. Linear probing then takes
 * constant expected time an operation for every set of keys that was chosen without knowledge of the numbers (Patrascu
 * and Thorup, "The power of simple tabulation hashing", 2012).
 *
 * The hashes differ between processes: never write one to disk.
 */
export class KeyHash {
  private readonly numbers = new Uint32Array(6 * 256);

  constructor(fillRandom: FillRandom) {
    fillRandom(this.numbers);
  }

  /** A 32-bit hash of a key, which is an integer from 0 to before 2^48. */
  of(key: number): number {
    const { numbers } = this;
    const low = key | 0;
    const high = (key / 0x1_0000_0000) | 0;
    return numbers[low & 255] ^ numbers[256 | (low >>> 8 & 255)] ^
      numbers[512 | (low >>> 16 & 255)] ^ numbers[768 | (low >>> 24)] ^
      numbers[1024 | (high & 255)] ^ numbers[1280 | (high >>> 8 & 255)];
  }
}
