/** Bytes that grow as they are written; the formats of the embedded index are made with it. */
export class ByteWriter {
  private _bytes = new Uint8Array(1024);
  length = 0;

  /** What was written, as a view that the next write may change. */
  get written(): Uint8Array {
    return this._bytes.subarray(0, this.length);
  }

  copy(): Uint8Array {
    return this._bytes.slice(0, this.length);
  }

  clear() {
    this.length = 0;
  }

  byte(value: number) {
    this.reserve(1);
    this._bytes[this.length++] = value;
  }

  /** Seven bits a byte, the lowest first. */
  varint(value: number) {
    this.reserve(5);
    while (value > 127) {
      this._bytes[this.length++] = (value & 127) | 128;
      value >>>= 7;
    }
    this._bytes[this.length++] = value;
  }

  /** A term key: 48 bits. */
  key(value: number) {
    this.reserve(6);
    const high = Math.floor(value / 0x1_0000_0000);
    const bytes = this._bytes;
    bytes[this.length++] = high >>> 8;
    bytes[this.length++] = high;
    bytes[this.length++] = value >>> 24;
    bytes[this.length++] = value >>> 16;
    bytes[this.length++] = value >>> 8;
    bytes[this.length++] = value;
  }

  uint32(value: number) {
    this.reserve(4);
    for (let shift = 24; shift >= 0; shift -= 8) this._bytes[this.length++] = value >>> shift;
  }

  bytes(value: Uint8Array) {
    this.reserve(value.length);
    this._bytes.set(value, this.length);
    this.length += value.length;
  }

  private reserve(more: number) {
    if (this.length + more <= this._bytes.length) return;
    const larger = new Uint8Array(Math.max(this._bytes.length * 2, this.length + more));
    larger.set(this.written);
    this._bytes = larger;
  }
}

/** Reads what a ByteWriter wrote. */
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
    const high = (this.data[this.offset] << 8) | this.data[this.offset + 1];
    this.offset += 2;
    return high * 0x1_0000_0000 + this.uint32();
  }
}
