import { charsetOfTexts } from "../text/charset.ts";
import { decodeHeaderText } from "./encoded_words.ts";
import { FieldNames } from "./field_names.ts";
import { fieldText, firstField, type HeaderLimits, readHeader } from "./header_fields.ts";
import { headRange } from "./header_range.ts";
import { parseStructuredField } from "./structured_field.ts";

/** A header field as it is shown: its name as written, its value unfolded and decoded. */
export interface ShownField {
  name: string;
  value: string;
}

/** So much of a message is searched for its fields. */
export const headerScanBytes = 256 * 1024;
const limits: HeaderLimits = {
  scanBytes: headerScanBytes,
  fieldBytes: 32 * 1024,
  totalBytes: 64 * 1024,
  // A line (RFC 5322, section 2.1.1).
  nameBytes: 998,
};
const maxFields = 200;
/** Of all names and values, in UTF-8. */
const maxBytes = 64 * 1024;

const latin1 = new TextDecoder("latin1");
const encoder = new TextEncoder();

/** Every name is wanted, and stays as it is written. */
class EveryName extends FieldNames {
  override at(bytes: Uint8Array, from: number, to: number): string | undefined {
    return from === to ? undefined : latin1.decode(bytes.subarray(from, to));
  }
}

const everyName = new EveryName([]);

/**
 * The header fields of a message in its order, at most 200 and 64 KiB; `truncated`: there are more, or one was cut. `raw` is
 * its beginning. Never throws.
 */
export function allFields(raw: Uint8Array): { fields: ShownField[]; truncated: boolean } {
  const { bytes, start, end } = headRange(raw, limits.scanBytes);
  const header = readHeader(bytes, start, end, everyName, limits);
  const known = header.fields.map((field) => ({ ...field, name: field.name.toLowerCase() }));
  const type = firstField(known, "content-type");
  const charset = charsetOfTexts(
    known.map(({ bytes }) => bytes),
    parseStructuredField(type ? fieldText(type) : "").params.get("charset") ?? null,
  );
  const fields: ShownField[] = [];
  let left = maxBytes;
  for (const field of header.fields) {
    const value = decodeHeaderText(fieldText(field, charset));
    left -= encoder.encode(field.name).length + encoder.encode(value).length;
    if (left < 0 || fields.length === maxFields) return { fields, truncated: true };
    fields.push({ name: field.name, value });
  }
  return { fields, truncated: header.truncated };
}
