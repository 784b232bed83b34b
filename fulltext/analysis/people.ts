/**
 * A filter for senders or recipients by a part of them, in any case. A stranger chooses the display name freely: so a part
 * with an at sign is looked for in the address alone, and of `Name <address>` each half in its own place.
 */
export class PersonFilter {
  /** Text that every person who passes has. */
  readonly needle: string;
  private readonly name: string;
  private readonly address: string | null;

  /** @param part in lower case. */
  constructor(part: string) {
    const { name, address } = part.includes("@") ? personOf(part) : { name: "", address: null };
    this.needle = address ?? part;
    this.name = name;
    this.address = address;
  }

  /** Whether it looks at addresses alone. */
  get isOfAddress(): boolean {
    return this.address !== null;
  }

  /** Whether a person passes; both texts are in lower case. */
  passes(name: string, address: string): boolean {
    if (this.address === null) return `${name} <${address}>`.includes(this.needle);
    return address.includes(this.address) && name.includes(this.name);
  }

  /** The same for people in lines, each `Name <address>` or an address. */
  passesOne(lines: string): boolean {
    if (this.address === null) return lines.includes(this.needle);
    return lines.split("\n").some((line) => {
      const { name, address } = personOf(line);
      return this.passes(name, address);
    });
  }
}

function personOf(text: string): { name: string; address: string } {
  const open = text.lastIndexOf("<");
  return {
    name: open < 0 ? "" : text.slice(0, open).trim(),
    address: text.slice(open + 1).replace(/>\s*$/, "").trim(),
  };
}
