/** Where ids and secrets come from; tests may give their own. */
export interface Ids {
  /** UUIDv7 of `now` (ms since 1970), increasing within the process: sorts by time in a key. */
  timed(now: number): string;
  /** UUIDv4, for ids that must not tell their age. */
  random(): string;
  /** Cryptographically random bytes. */
  bytes(length: number): Uint8Array;
}

/** RFC 9562 UUIDv7: 48 bits of milliseconds, then a counter (12 + 14 bits) so that ids of one millisecond keep their order. */
export function systemIds(): Ids {
  let lastMs = 0;
  let counter = 0;
  const tails = new Uint8Array(tailBytes * 128);
  let used = tails.length;
  const nextTail = () => {
    if (used === tails.length) {
      crypto.getRandomValues(tails);
      used = 0;
    }
    return tails.subarray(used, used += tailBytes).toHex();
  };
  return {
    timed(now) {
      if (now > lastMs) {
        lastMs = now;
        counter = crypto.getRandomValues(new Uint16Array(1))[0] & 0x0fff;
      } else if (++counter > 0x3ffffff) {
        lastMs++;
        counter = 0;
      }
      const tail = nextTail();
      const time = lastMs.toString(16).padStart(12, "0");
      const high = (0x7000 | (counter >> 14)).toString(16);
      const low = (0x8000 | (counter & 0x3fff)).toString(16);
      return `${time.slice(0, 8)}-${time.slice(8)}-${high}-${low}-${tail}`;
    },
    random: () => crypto.randomUUID(),
    bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  };
}

/** Random bytes of an id; drawn for many at once, because a draw costs more than the rest of it. */
const tailBytes = 6;

/** The millisecond an id of `timed` was made. */
export function timeOfId(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
