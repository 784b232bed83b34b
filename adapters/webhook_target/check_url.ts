import type { TargetVerdict } from "../../domain/ports/webhook_target.ts";
import { isPublicAddress, literalAddress } from "./address.ts";

export interface TargetRules {
  /** For development: allows `http:` and addresses that are not public. */
  allowInsecure: boolean;
  /** `host:port` of the service itself, which must not call itself in a loop. */
  ownHost?: string;
}

/** Keeps the row of a webhook small. */
export const maxTargetUrlLength = 2048;

/** Names that are reserved for private networks (RFC 6761, 8375). */
const privateSuffixes = ["localhost", "local", "internal", "home.arpa"];

/** Ports above 1023 are allowed for reverse proxies, but not these of databases and the like. */
const databasePorts = new Set([1433, 1521, 2049, 3306, 3389, 5432, 5900, 6379, 9200, 11211, 27017]);

/**
 * Checks the text of a webhook URL without resolving its name: scheme, credentials, port, IP addresses
 * in every spelling (`127.1`, `0x7f.1`, `[::ffff:7f00:1]`), and names reserved for private networks. It
 * runs again before each delivery, so that a new rule holds for old webhooks.
 */
export function checkTargetUrl(url: string, rules: TargetRules): TargetVerdict {
  // The parser drops these: the stored URL would differ from the checked one.
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

/** `example.com` and `example.com.` in a URL and `example.com:443` in the settings are one host. */
export function hostWithPort(url: URL): string {
  return `${withoutRoot(url.hostname)}:${url.port || (url.protocol === "http:" ? "80" : "443")}`;
}

/** A name without the dot of the root (RFC 1034 section 3.1). */
function withoutRoot(hostname: string): string {
  return hostname.replace(/\.+$/, "");
}

function checkHost(hostname: string): TargetVerdict {
  const literal = literalAddress(hostname);
  if (literal !== null) {
    return isPublicAddress(literal) ? { ok: true } : refuse("is not a public address");
  }
  const name = withoutRoot(hostname);
  const isPrivateName = !name.includes(".") ||
    privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
  if (isPrivateName) return refuse("is not a public host name");
  // Wildcard DNS services resolve 127.0.0.1.nip.io to 127.0.0.1. The address is checked at each
  // connection, too; here the user learns it at once.
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
