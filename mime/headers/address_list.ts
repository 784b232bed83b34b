import addressparser from "nodemailer/lib/addressparser";
import { domainToASCII } from "node:url";
import { maxNameChars } from "./limits.ts";

/** One mailbox of an address field: a bare address and its display name, if it has one. */
export interface MailAddress {
  name?: string;
  /** `local@domain`: the domain in lower-case ASCII, the local part as written. */
  address: string;
}

/** The mailboxes, or the problem of the text: the end of a sentence that begins with the field's name. */
export type AddressListVerdict = { ok: true; addresses: MailAddress[] } | {
  ok: false;
  reason: string;
};

/** RFC 5321 4.5.3.1: a local part has at most 64 octets, a path 256 with its angle brackets. */
const maxLocalLength = 64;
const maxAddressLength = 254;

/**
 * Reads `a@b`, `Name <a@b>` or a comma list of both (RFC 5322 3.4).
 *
 * Refuses groups, control characters and line breaks (they would end the header field), quoted and
 * non-ASCII local parts, IP addresses (`a@[192.0.2.1]`, `a@192.0.2.1`) and host names without a dot.
 */
export function parseAddressList(text: string): AddressListVerdict {
  if (hasLineBreakOrControl(text)) {
    return { ok: false, reason: "must not hold line breaks or control characters" };
  }
  const entries = addressparser(text);
  if (entries.length === 0) return { ok: false, reason: "is empty" };
  // The parser reads `a b@c.example` as b with the name a. Here a name needs angle brackets.
  const named = entries.filter(({ name }) => name).length;
  if (named > text.split("<").length - 1) {
    return { ok: false, reason: `is not an email address: ${excerpt(text)}` };
  }
  const addresses: MailAddress[] = [];
  for (const entry of entries) {
    if (entry.group) return { ok: false, reason: "must not be an address group" };
    const address = checkedAddress(entry.address ?? "");
    if (!address) return { ok: false, reason: `is not an email address: ${excerpt(text)}` };
    if (entry.name.length > maxNameChars) {
      return { ok: false, reason: `has a name longer than ${maxNameChars} characters` };
    }
    addresses.push(entry.name ? { name: entry.name, address } : { address });
  }
  return { ok: true, addresses };
}

/** The address with its domain in lower-case ASCII (IDNA), or null if it is not valid. */
export function checkedAddress(text: string): string | null {
  const at = text.lastIndexOf("@");
  if (at < 1) return null;
  const local = text.slice(0, at);
  if (local.length > maxLocalLength || !dotAtom.test(local)) return null;
  const domain = domainToASCII(text.slice(at + 1)).toLowerCase();
  if (!domainName.test(domain)) return null;
  const address = `${local}@${domain}`;
  return address.length > maxAddressLength ? null : address;
}

/**
 * Whether a text has characters that end a header field or hide part of it: C0 and C1 controls except tab, and the
 * Unicode line separators, at which some readers split.
 */
export function hasLineBreakOrControl(text: string): boolean {
  return controls.test(text);
}

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

// deno-lint-ignore no-control-regex -- it looks for control characters
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/;
const dotAtom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** A last label that begins with a digit would be an IP address, which no list of a policy can name. */
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
