import { normaliseHost } from "../core/host_name.ts";

/** An address in the one spelling in which addresses are kept, compared and routed. */
export interface Address {
  /** Lower case. */
  local: string;
  /** Lower-case ASCII (IDNA A-labels), no trailing dot. */
  domain: string;
  /** `local@domain`. */
  address: string;
}

/** RFC 5321 section 4.5.3.1.3 allows a path 256 octets; senders are known to exceed it a little. */
const maxEnvelopeCharacters = 512;

/**
 * The one spelling of a plain `local@host`: lower case, the host in ASCII, surrounding space gone.
 * The host begins after the last `@`. `null` if either half is missing or the host is no host
 * name. The local part is not checked: `checkAddress` does that for new mailboxes.
 */
export function normaliseAddress(text: string): Address | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("@");
  if (at < 1) return null;
  return join(trimmed.slice(0, at), trimmed.slice(at + 1));
}

/**
 * The address that mail to `address` is routed to: `local+tag@domain` is `local@domain`
 * (docs/specification.md "Address rules"). A local part that begins with `+` has no tag to take off.
 */
export function routingAddress({ local, domain, address }: Address): Address {
  const plus = local.indexOf("+");
  if (plus < 1) return { local, domain, address };
  const base = local.slice(0, plus);
  return { local: base, domain, address: `${base}@${domain}` };
}

/**
 * Reads one recipient of an SMTP envelope (RFC 5321 section 4.1.2): `user@host`, `<user@host>`, and the old source
 * route `<@relay,@relay:user@host>`, whose route is dropped (appendix C). A quoted local part means the same as its
 * content, so `"user"@host` is `user@host`. An address whose content needs the quotes is well formed, but no mailbox
 * matches it.
 *
 * `null` if it is malformed: no `@`, an open bracket or quote, space, control characters, a host that is no host name
 * (an address literal such as `[192.0.2.1]` included), or over 512 characters.
 */
export function parseEnvelopeAddress(text: string): Address | null {
  let path = text.trim();
  if (path.length > maxEnvelopeCharacters) return null;
  if (path.startsWith("<") !== path.endsWith(">")) return null;
  if (path.startsWith("<")) {
    path = path.slice(1, -1);
    const route = /^@[^\s"<>:]*:/.exec(path);
    if (route !== null) path = path.slice(route[0].length);
  }
  const quoted = /^"((?:[^"\\\r\n]|\\[^\r\n])*)"@([^@]+)$/.exec(path);
  // deno-lint-ignore no-control-regex -- control characters are what is refused here
  if (quoted !== null && !/[\x00-\x1f\x7f]/.test(quoted[1])) {
    const content = quoted[1].replace(/\\(.)/g, "$1");
    return content === "" ? null : join(content, quoted[2]);
  }
  // deno-lint-ignore no-control-regex -- RFC 5321 atoms: no control, no space, no special
  const plain = /^([^\x00-\x20\x7f"(),:;<>@[\\\]]+)@([^\s@]+)$/.exec(path);
  return plain === null ? null : join(plain[1], plain[2]);
}

/**
 * Cuts a comma list of envelope addresses where a comma separates: not inside quotes (`"a,b"@host`)
 * or angle brackets (source routes). Empty entries are left out; nothing else is judged.
 */
export function splitEnvelopeList(text: string): string[] {
  const entries: string[] = [];
  let entry = "";
  let quoted = false, bracketed = false, escaped = false;
  for (const character of text) {
    if (character === "," && !quoted && !bracketed) {
      entries.push(entry.trim());
      entry = "";
      continue;
    }
    entry += character;
    if (escaped) escaped = false;
    else if (character === "\\" && quoted) escaped = true;
    else if (character === '"') quoted = !quoted;
    else if (character === "<" && !quoted) bracketed = true;
    else if (character === ">" && !quoted) bracketed = false;
  }
  entries.push(entry.trim());
  return entries.filter((each) => each !== "");
}

/**
 * The only change to local parts: A-Z to a-z. `toLowerCase` would also turn the Kelvin sign into `k`, and make one
 * address of two.
 */
export function foldLocal(local: string): string {
  return local.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function join(localText: string, hostText: string): Address | null {
  const domain = normaliseHost(hostText);
  if (domain === null) return null;
  const local = foldLocal(localText);
  return { local, domain, address: `${local}@${domain}` };
}

/**
 * The form in which addresses are compared: lower case, without `+tag`. Only mailboxes of this service are known to
 * ignore both; the local parts of another host may differ by case. So this form is never written or sent.
 */
export function mailboxForm(address: string): string {
  const parsed = normaliseAddress(address);
  return parsed ? routingAddress(parsed).address : address.toLowerCase();
}
