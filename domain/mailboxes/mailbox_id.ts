import { z } from "zod";

/** An address has at most 254 octets (RFC 5321, section 4.5.3.1.3, with its brackets). */
const maxChars = 254;

/** A field that names a mailbox: by its id or by its address. `perform` puts the id in place of the address. */
export function mailboxIdField() {
  return z.string().min(1).max(maxChars);
}
