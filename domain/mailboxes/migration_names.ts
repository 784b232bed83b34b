import { createHash } from "node:crypto";
import { maxLocalCharacters } from "./check_address.ts";

const suffixHex = 6;
/** SHA-256 has 64 hexadecimal characters: ten whole suffixes. */
const suffixes = 10;

/**
 * The local parts that a migration tries for a mailbox, best first: its own; if that address is taken, its
 * own with a dot and 6 hex characters (docs/specification.md "Domains"); then nine more of this kind. The characters
 * depend on the mailbox id alone, so that a preview and the run after it agree. A name that is too long for the suffix is
 * cut first. Names were once allowed to have `..`; each becomes `.`.
 */
export function migrationLocals(local: string, mailboxId: string): string[] {
  const digest = createHash("sha256").update(mailboxId).digest("hex");
  const name = local.replace(/\.{2,}/g, ".");
  const base = name.slice(0, maxLocalCharacters - suffixHex - 1).replace(/[.-]+$/, "");
  return [
    name,
    ...Array.from(
      { length: suffixes },
      (_, n) => `${base}.${digest.slice(n * suffixHex, (n + 1) * suffixHex)}`,
    ),
  ];
}
