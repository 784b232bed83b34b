/** Names of header fields, which are looked up in the bytes of a header: most fields are not wanted and need no text. */
export class FieldNames {
  private readonly byLength: string[][] = [];

  /** In lower case. */
  constructor(names: Iterable<string>) {
    for (const name of names) (this.byLength[name.length] ??= []).push(name);
  }

  /** The name in `bytes[start, end)`, in either case; undefined if it is another one. */
  at(bytes: Uint8Array, start: number, end: number): string | undefined {
    const names = this.byLength[end - start];
    if (names === undefined) return undefined;
    for (const name of names) if (standsAt(name, bytes, start)) return name;
    return undefined;
  }
}

/** Whether `name` stands at `start`. It is in lower case; the bytes may be in either. */
export function standsAt(name: string, bytes: Uint8Array, start: number): boolean {
  for (let n = 0; n < name.length; n++) {
    const byte = bytes[start + n];
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    if (lower !== name.charCodeAt(n)) return false;
  }
  return true;
}
