/** A buffer that grows as it is written. Numbers are big-endian. */
export class ByteWriter {
  private buffer = new Uint8Array(1024);
  length = 0;

  /** A view of the bytes so far, which the next write may change. */
  get written(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  clear() {
    this.length = 0;
  }

  byte(value: number) {
    this.reserve(1);
    this.buffer[this.length++] = value;
  }

  /** LEB128 of 32 bits: seven bits a byte, the lowest first, bit 8 set in all but the last. */
  varint(value: number) {
    this.reserve(5);
    while (value > 127) {
      this.buffer[this.length++] = (value & 127) | 128;
      value >>>= 7;
    }
    this.buffer[this.length++] = value;
  }

  /** A term key: 48 bits. */
  key(value: number) {
    this.reserve(6);
    const high = Math.floor(value / 0x1_0000_0000);
    const bytes = this.buffer;
    bytes[this.length++] = high >>> 8;
    bytes[this.length++] = high;
    bytes[this.length++] = value >>> 24;
    bytes[this.length++] = value >>> 16;
    bytes[this.length++] = value >>> 8;
    bytes[this.length++] = value;
  }

  uint32(value: number) {
    this.reserve(4);
    for (let shift = 24; shift >= 0; shift -= 8) this.buffer[this.length++] = value >>> shift;
  }

  bytes(value: Uint8Array) {
    this.reserve(value.length);
    this.buffer.set(value, this.length);
    this.length += value.length;
  }

  private reserve(more: number) {
    if (this.length + more <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + more));
    larger.set(this.written);
    this.buffer = larger;
  }
}

/** Reads the numbers of a ByteWriter. */
export class ByteReader {
  offset = 0;
  constructor(readonly data: Uint8Array) {}

  byte(): number {
    return this.data[this.offset++];
  }

  varint(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = this.data[this.offset++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      shift += 7;
    }
  }

  uint32(): number {
    const { data, offset } = this;
    this.offset += 4;
    return ((data[offset] << 24) | (data[offset + 1] << 16) | (data[offset + 2] << 8) |
      data[offset + 3]) >>> 0;
  }

  key(): number {
    this.offset += 6;
    return keyAt(this.data, this.offset - 6);
  }
}

/** The term key at an offset. */
export function keyAt(data: Uint8Array, at: number): number {
  const high = (data[at] << 8) | data[at + 1];
  const low = (data[at + 2] << 24) | (data[at + 3] << 16) | (data[at + 4] << 8) | data[at + 5];
  return high * 0x1_0000_0000 + (low >>> 0);
}
