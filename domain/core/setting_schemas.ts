import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { normaliseHost } from "./host_name.ts";

export const list = z.string().transform((text) =>
  text.split(",").map((item) => item.trim()).filter(Boolean)
);
export const lowerList = z.string().toLowerCase().pipe(list);
export const port = wholeNumber(0, 65_535);

export const submissionPort = {
  schema: port,
  fallback: "2587",
  productionFallback: "",
  meaning:
    "SMTP for programs that send with a mailbox's address and an API key; unset = off (production). Without `SMTP_LISTEN_TLS_*` it listens on loopback alone",
};
export const flag = z.enum(["0", "1"]).transform((text) => text === "1");
export const httpUrl = z.url({
  protocol: /^https?$/,
  error: "must be a URL that begins with http:// or https://",
}).transform((text) => text.replace(/\/+$/, ""));
/** An address that is shown and logged, so it must have no secret; paths are added to it. */
export const publicUrl = httpUrl.refine((url) => {
  const { username, password } = new URL(url);
  return username === "" && password === "";
}, "must have no user and no password").refine(
  (url) => !/[?#]/.test(url),
  "must have no query and no fragment",
);
/**
 * The issuer of an OpenID provider, compared as it is written: a slash at its end counts (OpenID Connect Discovery, 4.3).
 */
export const issuerUrl = z.url({
  protocol: /^https?$/,
  error: "must be a URL that begins with https://",
}).refine(
  (url) => /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url),
  "must have no user, no query and no fragment",
);
/** A name that people read. */
export const shownName = z.string().trim().min(1).max(60, "must have at most 60 characters").regex(
  /^\P{Cc}*$/u,
  "must have no control characters",
);
/** Normalised as mail domains are: lower-case IDNA A-labels. */
export const hostName = z.string().transform((text, context) => {
  const host = normaliseHost(text);
  if (host !== null) return host;
  context.addIssue({ code: "custom", message: `${text} is not a host name` });
  return z.NEVER;
});
/** The address of a mailbox, in the spelling in which mailboxes are kept. */
export const mailAddress = z.string().transform((text, context) => {
  const [local, host, ...more] = text.trim().toLowerCase().split("@");
  const domain = host && more.length === 0 ? normaliseHost(host) : null;
  if (domain !== null && /^[a-z0-9._-]+$/.test(local)) return `${local}@${domain}`;
  context.addIssue({ code: "custom", message: `${text} is not the address of a mailbox` });
  return z.NEVER;
});
/** A text that is copied into a header or a signature: visible ASCII without blanks. */
export const credential = z.string().regex(/^[!-~]+$/, "must be visible ASCII without blanks");
export const spki = z.string().refine(
  isEcKey,
  "must be a public key of SendGrid (P-256, SPKI in base64)",
);

export function wholeNumber(least: number, most?: number) {
  const words = `must be a whole number from ${least}${most === undefined ? "" : ` to ${most}`}`;
  return z.coerce.number(words).int(words).min(least, words).max(most ?? Infinity, words);
}

/** A text with another scheme would be taken for a path: the store would be a new, empty one in a folder `ftp:`. */
export function isPathOrHttpUrl(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]+:\/\//i.test(text) || /^https?:\/\/[^/]/.test(text);
}

function isEcKey(text: string): boolean {
  try {
    return sendgridKey(text).asymmetricKeyType === "ec";
  } catch {
    return false;
  }
}

/** A public key of SendGrid: base64 SPKI, with or without PEM lines. Throws if the text is not one. */
export function sendgridKey(text: string): KeyObject {
  const der = Buffer.from(text.replace(/-----[^-]*-----|\s/g, ""), "base64");
  return createPublicKey({ key: der, format: "der", type: "spki" });
}
