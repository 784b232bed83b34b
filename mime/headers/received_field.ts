import { parseDate } from "./date_field.ts";
import { FieldNames } from "./field_names.ts";
import { fieldText, messageHeaderLimits, readHeader } from "./header_fields.ts";
import { headRange } from "./header_range.ts";

const received = new FieldNames(["received"]);

/**
 * When a host last took the message, in milliseconds since 1970: the newest date of its `Received` fields, each after the
 * last semicolon (RFC 5321, section 4.4). null if none has a date. Never throws.
 */
export function newestReceived(raw: Uint8Array): number | null {
  const { bytes, start, end } = headRange(raw, messageHeaderLimits.scanBytes);
  const { fields } = readHeader(bytes, start, end, received, messageHeaderLimits);
  let newest: number | null = null;
  for (const field of fields) {
    const text = fieldText(field);
    const at = parseDate(text.slice(text.lastIndexOf(";") + 1).trim());
    if (at !== null && (newest === null || at > newest)) newest = at;
  }
  return newest;
}
