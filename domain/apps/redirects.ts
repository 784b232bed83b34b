import type { Client } from "./client.ts";

/** Longer ones are refused. */
const maxLength = 2_048;

/** Schemes of editors that have no dot. */
const editors = ["cursor", "vscode", "vscode-insiders", "windsurf"];
const loopback = ["127.0.0.1", "[::1]", "localhost"];

/**
 * Whether a client may have this redirect URI: https, http on the machine of the person, or a scheme of an app, which is
 * a domain name backwards (RFC 8252, 7) or known to be an editor's. `javascript:` and `data:` have no dot.
 */
export function isRedirectUri(uri: unknown): uri is string {
  // A URL of visible ASCII: the parser would drop or change what else it may have.
  if (typeof uri !== "string" || uri.length > maxLength || !/^[!-~]+$/.test(uri)) return false;
  if (/[#\\<>"]/.test(uri)) return false;
  const url = URL.parse(uri);
  if (!url || url.username !== "" || url.password !== "") return false;
  const scheme = url.protocol.slice(0, -1);
  if (/^https?$/.test(scheme) && !/^https?:\/\/[^/]/i.test(uri)) return false;
  if (scheme === "https") return true;
  if (scheme === "http") return loopback.includes(url.hostname);
  return scheme.includes(".") || editors.includes(scheme);
}

/** Whether the URI is one of the client's: exactly, but a program on a machine takes any free port (RFC 8252, 7.3). */
export function redirectAllowed(client: Client, redirectUri: string): boolean {
  if (!isRedirectUri(redirectUri)) return false;
  const asked = withoutLoopbackPort(redirectUri);
  return client.redirectUris.some((each) => withoutLoopbackPort(each) === asked);
}

/** The host to which the answer goes, as a person reads it; of a private scheme, the scheme and the host. */
export function redirectHost(redirectUri: string): string {
  const { protocol, hostname } = new URL(redirectUri);
  if (protocol === "https:" || protocol === "http:") return hostname;
  return hostname === "" ? protocol : `${protocol}//${hostname}`;
}

/** Nothing else is made equal: neither `/a/../cb` and `/cb`, nor `127.1` and `127.0.0.1`. */
function withoutLoopbackPort(uri: string): string {
  return uri.replace(
    /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d*)?(?=[/?]|$)\/?/i,
    "$1/",
  );
}
