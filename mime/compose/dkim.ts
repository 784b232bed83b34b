import { Buffer } from "node:buffer";
import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import DKIM from "nodemailer/lib/dkim";
import { dkimSignatureField } from "./dkim_signature.ts";

/** The key that signs the mail of a domain. */
export interface DkimKey {
  /** Name of the key under `_domainkey`; a later key gets another (RFC 6376 3.1). */
  selector: string;
  /** PKCS #8, PEM. A secret: it never leaves the database. */
  privateKeyPem: string;
  /** SubjectPublicKeyInfo, base64 without line breaks: the value of `p=`. */
  publicKey: string;
}

/** Bits. RFC 8301 3.2: at least 1,024, better 2,048; some verifiers refuse more. */
const modulusLength = 2_048;

/** Selector of new keys. */
export const dkimSelector = "letterbox";

/** Makes an RSA key. Takes about 100 ms, not on the main thread. */
export async function createDkimKey(selector = dkimSelector): Promise<DkimKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return { selector, privateKeyPem: privateKey, publicKey: publicKey.toString("base64") };
}

/** Name of the TXT record below the domain. */
export function dkimRecordName(key: Pick<DkimKey, "selector">): string {
  return `${key.selector}._domainkey`;
}

/** Value of the TXT record (RFC 6376 3.6.1); DNS consoles split it into strings of 255. */
export function dkimRecordValue(key: Pick<DkimKey, "publicKey">): string {
  return `v=DKIM1; k=rsa; p=${key.publicKey}`;
}

/**
 * The message with its `DKIM-Signature` in front (RFC 6376, rsa-sha256, relaxed/relaxed). A relay
 * must not change it afterwards.
 *
 * @param raw with CRLF line ends
 */
export async function signMessage(
  raw: Uint8Array,
  domain: string,
  key: Pick<DkimKey, "selector" | "privateKeyPem">,
): Promise<Uint8Array<ArrayBuffer>> {
  const message = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const end = message.indexOf("\r\n\r\n");
  const head = message.toString("latin1", 0, end < 0 ? message.length : end);
  const bodyHash = await bodyHashOf(message, domain, key);
  const facts = { domain, selector: key.selector, bodyHash };
  const field = dkimSignatureField(head, facts, key.privateKeyPem);
  return new Uint8Array(Buffer.concat([Buffer.from(field, "latin1"), message]));
}

/** Nodemailer signs no field twice, so only the hash of the body is taken from its signature. */
async function bodyHashOf(
  message: Buffer,
  domainName: string,
  { selector, privateKeyPem }: Pick<DkimKey, "selector" | "privateKeyPem">,
): Promise<string> {
  const signer = new DKIM({ domainName, keySelector: selector, privateKey: privateKeyPem });
  let start = "";
  for await (const chunk of signer.sign(message)) {
    if (start.length < 4_096) start += chunk.toString("latin1", 0, 4_096);
  }
  const tag = start.split(";").find((each) => each.trimStart().startsWith("bh="));
  const hash = tag?.slice(tag.indexOf("=") + 1);
  if (!hash) throw new Error("nodemailer's signature has no hash of the body");
  return hash.replace(/\s/g, "");
}
