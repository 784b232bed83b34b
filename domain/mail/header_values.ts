import type { HeaderValues } from "./automatic.ts";

const maxHeaderBytes = 256 * 1024;

/** The header fields of raw bytes by lower-case name, unfolded (RFC 5322, section 2.2.3); Latin-1, not decoded. */
export function headerValues(raw: Uint8Array): HeaderValues {
  const text = new TextDecoder("latin1").decode(raw.subarray(0, maxHeaderBytes));
  const block = text.split(/\r?\n\r?\n/, 1)[0];
  const fields = new Map<string, string[]>();
  for (const line of block.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    fields.set(name, [...fields.get(name) ?? [], line.slice(colon + 1).trim()]);
  }
  return (name) => fields.get(name) ?? [];
}
