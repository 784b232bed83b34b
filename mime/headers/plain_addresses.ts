import type { MailAddress } from "./parse_head.ts";

/** More entries are not plain: they are cut elsewhere. */
const maxPlainEntries = 200;

/**
 * The entries of an address field in its usual form: `Ann Lee <ann@example.com>`, `"Lee, Ann" <ann@example.com>` and
 * `ann@example.com`, in printable ASCII, with commas between them. null for any other text, which postal-mime reads; for
 * these entries its result is the same. It calls functions for each character, which took a third of reading a head.
 */
export function plainAddresses(text: string): MailAddress[] | null {
  const entries: MailAddress[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === space || code === tab || code === comma) {
      at++;
      continue;
    }
    if (entries.length === maxPlainEntries) return null;
    const isQuoted = code === quote;
    const nameEnd = isQuoted ? endOfQuoted(text, at + 1) : endOfWords(text, at);
    if (nameEnd < 0) return null;
    let open = nameEnd;
    if (isQuoted) {
      open++;
      while (text.charCodeAt(open) === space) open++;
    }
    const name = text.slice(isQuoted ? at + 1 : at, nameEnd).trim();
    if (text[open] === "<") {
      const close = endOfAddress(text, open + 1);
      if (text[close] !== ">") return null;
      const address = text.slice(open + 1, close);
      entries.push({ address, name: name === address ? "" : name });
      at = close + 1;
      while (text.charCodeAt(at) === space) at++;
    } else {
      at = open;
      if (isQuoted || endOfAddress(name, 0) !== name.length) return null;
      entries.push({ address: name, name: "" });
    }
    if (at < text.length && text.charCodeAt(at) !== comma) return null;
  }
  return entries;
}

const space = 0x20;
const tab = 0x09;
const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

const isPrintable = (code: number) => code >= space && code < 0x7f;

/** Index of the quote after a name, or -1 if the name is not plain. */
function endOfQuoted(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash || !isPrintable(code)) return -1;
  }
  return -1;
}

/** Index of the `<` or the comma after words, or the length; -1 if another sign is among them. */
function endOfWords(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3c || code === comma) return at;
    if (!isPrintable(code)) return -1;
    switch (code) {
      case quote:
      case backslash:
      case 0x28: // (
      case 0x29: // )
      case 0x3a: // :
      case 0x3b: // ;
      case 0x3e: // >
        return -1;
    }
  }
  return at;
}

/** Index after `local@domain` in these letters and signs only; -1 if there is none. */
function endOfAddress(text: string, at: number): number {
  let sign = -1;
  const start = at;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x40 && sign < 0 && at > start) sign = at;
    else if (!isAddressCode(code)) break;
  }
  return sign > 0 && at > sign + 1 ? at : -1;
}

/** Letters, digits and the signs of a dot-atom (RFC 5322, section 3.2.3). */
function isAddressCode(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x2d && code <= 0x39) || code === 0x5f ||
    code === 0x2b || code === 0x3d || code === 0x26 || code === 0x27 || code === 0x23;
}
