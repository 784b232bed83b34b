const buckets = 256;

/**
 * Values by names in lower-case ASCII. A name is looked up in its place in a source, in either case: a tag needs no text
 * of its own for its name, and none for the names of attributes that nobody reads.
 */
export class NameTable<Value> {
  private readonly entries: { name: string; value: Value }[][] = [];

  constructor(values: Iterable<readonly [name: string, value: Value]>) {
    for (let n = 0; n < buckets; n++) this.entries.push([]);
    for (const [name, value] of values) {
      this.entries[bucketOf(name, 0, name.length)].push({ name, value });
    }
  }

  /** The value of the name `source[start, end)`. */
  at(source: string, start: number, end: number): Value | undefined {
    const entries = this.entries[bucketOf(source, start, end)];
    for (let n = 0; n < entries.length; n++) {
      if (isName(entries[n].name, source, start, end)) return entries[n].value;
    }
    return undefined;
  }
}

function bucketOf(source: string, start: number, end: number): number {
  // The lower five bits are the same in both cases.
  const first = source.charCodeAt(start) & 31;
  const last = source.charCodeAt(end - 1) & 31;
  return (first * 7 + last * 31 + end - start) % buckets;
}

function isName(name: string, source: string, start: number, end: number): boolean {
  if (end - start !== name.length) return false;
  for (let n = 0; n < name.length; n++) {
    const code = source.charCodeAt(start + n);
    const lower = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    if (lower !== name.charCodeAt(n)) return false;
  }
  return true;
}
