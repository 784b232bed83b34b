const none = new Uint8Array();

/** Reads pieces of any size in the lengths that a format asks for. */
export class ByteReader {
  #pieces: AsyncIterator<Uint8Array>;
  #held: Uint8Array = none;
  #ended = false;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** The next `length` bytes, fewer at the end; they stay to be read. */
  async peek(length: number): Promise<Uint8Array> {
    while (this.#held.length < length && !this.#ended) {
      const piece = await this.#next();
      if (piece) this.#held = joined([this.#held, piece]);
    }
    return this.#held.subarray(0, length);
  }

  /** The next `length` bytes, fewer at the end. */
  async take(length: number): Promise<Uint8Array> {
    const bytes = await this.peek(length);
    this.#held = this.#held.subarray(bytes.length);
    return bytes;
  }

  /** The next `length` bytes in pieces, fewer at the end. */
  async *pieces(length = Infinity): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0;) {
      const piece = this.#held.length > 0 ? this.#held : await this.#next();
      if (!piece) return;
      const wanted = piece.subarray(0, Math.min(left, piece.length));
      this.#held = piece.subarray(wanted.length);
      left -= wanted.length;
      yield wanted;
    }
  }

  /** Lets the source close what it has open. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#pieces.return?.();
  }

  async #next(): Promise<Uint8Array | null> {
    if (this.#ended) return null;
    const { value, done } = await this.#pieces.next();
    if (done) this.#ended = true;
    return done ? null : value;
  }
}

/** All the pieces as one array, to the end: what was opened for them is closed. */
export async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return joined(all);
}

/** The pieces as one array; a single one is returned itself. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const [first = none, ...others] = pieces.filter((piece) => piece.length > 0);
  if (others.length === 0) return first as Uint8Array<ArrayBuffer>;
  const whole = new Uint8Array(others.reduce((sum, { length }) => sum + length, first.length));
  let at = 0;
  for (const piece of [first, ...others]) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

// A mark of the byte order belongs to the text.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of bytes; where they are no UTF-8 it has replacement characters. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The lines of a text in UTF-8, without their ends. Throws RangeError for one longer than `mostBytes`. */
export async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<string> {
  let rest: Uint8Array[] = [], size = 0;
  for await (const piece of pieces) {
    let at = 0;
    for (let lf; (lf = piece.indexOf(0x0a, at)) >= 0; at = lf + 1) {
      yield textOf(joined([...rest, piece.subarray(at, lf)]));
      [rest, size] = [[], 0];
    }
    if (at === piece.length) continue;
    rest.push(piece.subarray(at));
    size += piece.length - at;
    if (size > mostBytes) throw new RangeError(`a line is longer than ${mostBytes} bytes`);
  }
  if (rest.length > 0) yield textOf(joined(rest));
}
