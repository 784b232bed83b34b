import { ArchiveError } from "../source.ts";

/** Below this an archive may unpack to anything: 64 MiB. */
const freeBytes = 64 * 2 ** 20;
/** Mail is packed to a tenth; deflate at its worst makes 1 byte of 1,032. */
const mostTimes = 200;
const mostEntries = 2_000_000;

/** What one archive may unpack to. A bomb stops here, however its parts overlap. */
export class Budget {
  #entries = 0;
  #unpacked = 0;

  /** `packed` is the archive's size in bytes. */
  constructor(readonly packed: number) {}

  /** Throws ArchiveError at the first entry too many. */
  countEntry(): void {
    if (++this.#entries <= mostEntries) return;
    throw new ArchiveError(`has more than ${mostEntries} entries: it is not read on`);
  }

  /** Throws ArchiveError as soon as more came out than an archive of mail has. */
  count(bytes: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked <= Math.max(freeBytes, mostTimes * this.packed)) return;
    throw new ArchiveError(`unpacks to more than ${mostTimes} times its size: it is not read on`);
  }
}
