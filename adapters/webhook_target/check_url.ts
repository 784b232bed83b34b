import type { TargetVerdict } from "../../domain/ports/webhook_target.ts";
import { isPublicAddress, literalAddress } from "./address.ts";

export interface TargetRules {
  /** Development: `http:` and addresses that are not public are allowed. */
  allowInsecure: boolean;
  /** `host:port` of the service itself, which would otherwise call itself in a loop. */
  ownHost?: string;
}

/** Longer is no receiver's address; it keeps a webhook's row small. */
export const maxTargetUrlLength = 2048;

/** Names that by their registration never lead to a host on the public internet (RFC 6761, 8375). */
const privateSuffixes = ["localhost", "local", "internal", "home.arpa"];

/** Above 1023, where receivers of development and reverse proxies live, the ports of databases. */
const databasePorts = new Set([1433, 1521, 2049, 3306, 3389, 5432, 5900, 6379, 9200, 11211, 27017]);

/**
 * Judges the text of a webhook URL, no name resolved: scheme, credentials, port, literal addresses
 * in every spelling that a URL allows (`127.1`, `0x7f.1`, `[::ffff:7f00:1]`), names that are private
 * by definition. Pure; said again before each delivery, so that a rule added later holds for old
 * webhooks.
 */
export function checkTargetUrl(url: string, rules: TargetRules): TargetVerdict {
  // The parser drops tabs and line ends, and spaces at the rim: what is stored would not be what
  // was judged.
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u0020\u007f]/.test(url)) return refuse("has a space or control character in it");
  if (url.length > maxTargetUrlLength) {
    return refuse(`is longer than ${maxTargetUrlLength} characters`);
  }
  const parsed = URL.parse(url);
  if (parsed === null) return refuse("is not a URL");
  if (parsed.protocol !== "https:" && !(rules.allowInsecure && parsed.protocol === "http:")) {
    return refuse("must begin with https://");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    return refuse("must not carry a user name or password");
  }
  if (parsed.port === "0") return refuse("has port 0");
  if (rules.allowInsecure) return { ok: true };
  if (!isPortAllowed(parsed.port)) return refuse(`has port ${parsed.port}, which is not allowed`);
  if (rules.ownHost !== undefined && hostWithPort(parsed) === rules.ownHost) {
    return refuse("is this service itself");
  }
  return checkHost(parsed.hostname);
}

/** `example.com` in a URL and `example.com:443` in the settings are one host. */
export function hostWithPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "http:" ? "80" : "443")}`;
}

function checkHost(hostname: string): TargetVerdict {
  const literal = literalAddress(hostname);
  if (literal !== null) {
    return isPublicAddress(literal) ? { ok: true } : refuse("is not a public address");
  }
  const name = hostname.replace(/\.$/, "");
  const isPrivateName = !name.includes(".") ||
    privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
  if (isPrivateName) return refuse("is not a public host name");
  // Wildcard DNS services answer 127.0.0.1 for 127.0.0.1.nip.io. The address is checked when
  // connecting in any case; refusing here tells the user at once.
  const spelled = name.match(/(?:^|[.-])(\d{1,3}[.-]\d{1,3}[.-]\d{1,3}[.-]\d{1,3})(?=[.-])/)?.[1];
  if (spelled !== undefined && !isPublicAddress(spelled.replaceAll("-", "."))) {
    return refuse("spells an address that is not public");
  }
  return { ok: true };
}

function isPortAllowed(port: string): boolean {
  if (port === "" || port === "80" || port === "443") return true;
  return Number(port) > 1023 && !databasePorts.has(Number(port));
}

function refuse(reason: string): TargetVerdict {
  return { ok: false, reason: `The URL ${reason}.` };
}
