/** Makes ids and random bytes; tests may pass their own. */
export interface Ids {
  /** UUIDv7 of `now` (ms since 1970). It sorts by time in a key, and increases within the process. */
  timed(now: number): string;
  /**
   * UUIDv7 of a time before now, for mail that is older than its arrival. It does not move the order of `timed`; ids of one
   * millisecond are in the order of the calls.
   */
  past(at: number): string;
  /** UUIDv4, for ids that must not reveal when they were made. */
  random(): string;
  /** Cryptographically random bytes. */
  bytes(length: number): Uint8Array;
}

/**
 * RFC 9562 UUIDv7: 48 bits of milliseconds, then a counter of 12 + 14 bits, so that ids of one millisecond keep their
 * order. Ids of one service keep this order even if the clock goes back.
 */
export function systemIds(): Ids {
  let lastMs = 0;
  let counter = 0;
  let pastCounter = crypto.getRandomValues(new Uint32Array(1))[0] & maxCounter;
  let writtenMs = -1;
  let time = "";
  let tails = "";
  let used = 0;
  const nextTail = () => {
    if (used === tails.length) {
      tails = crypto.getRandomValues(new Uint8Array(tailBytes * 128)).toHex();
      used = 0;
    }
    return tails.slice(used, used += 2 * tailBytes);
  };
  const idOf = (ms: number, count: number) => {
    const tail = nextTail();
    if (ms !== writtenMs) {
      const hex = ms.toString(16).padStart(12, "0");
      time = `${hex.slice(0, 8)}-${hex.slice(8)}`;
      writtenMs = ms;
    }
    const high = (0x7000 | (count >> 14)).toString(16);
    const low = (0x8000 | (count & 0x3fff)).toString(16);
    return `${time}-${high}-${low}-${tail}`;
  };
  return {
    timed(now) {
      if (now > lastMs) {
        lastMs = now;
        counter = crypto.getRandomValues(new Uint16Array(1))[0] & 0x0fff;
      } else if (++counter > maxCounter) {
        lastMs++;
        counter = 0;
      }
      return idOf(lastMs, counter);
    },
    past: (at) => idOf(at, pastCounter = (pastCounter + 1) & maxCounter),
    random: () => crypto.randomUUID(),
    bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  };
}

/** The least id that `timed` makes at or after `at` (ms since 1970). */
export function firstIdAt(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** When an id of `timed` was made, ms since 1970: its first 48 bits (RFC 9562, 5.7). */
export function timeOfId(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The counter of an id has 26 bits. */
const maxCounter = 0x3ffffff;

/** Random bytes of an id. They are drawn for 128 ids at once, because a draw costs more than the rest of an id. */
const tailBytes = 6;
