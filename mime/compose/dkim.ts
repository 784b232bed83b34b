import { Buffer } from "node:buffer";
import { createSign, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import DKIM from "nodemailer/lib/dkim";
import { bufferOf } from "../text/buffer_of.ts";

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
  const message = bufferOf(raw);
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

/**
 * Fields that are signed once more than they occur (RFC 6376 8.15). Then an added second field, which a reader may show
 * instead of the first, breaks the signature: nobody can send a signed message again with another From or Subject.
 */
const sealed = ["from", "to", "subject", "date", "message-id", "reply-to", "cc"];

/** Further fields that are signed if they are there. */
const signed = [
  ...["sender", "mime-version", "content-type", "content-transfer-encoding"],
  ...["in-reply-to", "references", "auto-submitted"],
  // RFC 8058, section 4: without it receivers show no button that ends a subscription.
  ...["list-unsubscribe", "list-unsubscribe-post", "list-id"],
];

/** The facts about the signer and the body in a signature. */
interface SignatureFacts {
  domain: string;
  selector: string;
  /** SHA-256 of the body in relaxed form, base64. */
  bodyHash: string;
}

/**
 * The `DKIM-Signature` field of a header (RFC 6376, rsa-sha256, relaxed/relaxed), with its final CRLF.
 *
 * @param head the header fields in latin1, without the empty line that ends them
 */
function dkimSignatureField(
  head: string,
  { domain, selector, bodyHash }: SignatureFacts,
  privateKeyPem: string,
): string {
  const fields = head.split(/\r\n(?![ \t])/).filter(Boolean).map(relaxed);
  const names = [...sealed, ...signed].flatMap((name) => {
    const times = fields.filter((field) => field.startsWith(`${name}:`)).length;
    return new Array<string>(times + (sealed.includes(name) ? 1 : 0)).fill(name);
  });
  const unsigned = [
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;",
    `d=${domain}; s=${selector};`,
    `h=${folded(names)};`,
    `bh=${bodyHash};`,
    "b=",
  ].join("\r\n ");
  // Of several fields with one name, the last is signed first; a name without a field adds nothing (RFC 6376 5.4.2).
  const left = [...fields].reverse();
  const covered = names.flatMap((name) => {
    const at = left.findIndex((field) => field.startsWith(`${name}:`));
    return at < 0 ? [] : left.splice(at, 1);
  });
  const data = [...covered, relaxed(unsigned)].join("\r\n");
  const signature = createSign("RSA-SHA256").update(data, "latin1").sign(privateKeyPem, "base64");
  return `${unsigned}${signature.match(/.{1,72}/g)!.join("\r\n ")}\r\n`;
}

/** A field in relaxed form (RFC 6376 3.4.2): lower-case name, unfolded, runs of blanks as one space. */
function relaxed(field: string): string {
  const colon = field.indexOf(":");
  const name = field.slice(0, colon).toLowerCase().trimEnd();
  const value = field.slice(colon + 1).replace(/\r\n/g, "").replace(/[ \t]+/g, " ");
  return `${name}:${value.replace(/^ | $/g, "")}`;
}

/** Names with colons between, in lines of at most 76 characters. */
function folded(names: readonly string[]): string {
  let text = "", line = 0;
  for (const [n, name] of names.entries()) {
    const part = n === 0 ? name : `:${name}`;
    if (line + part.length > 72) {
      text += "\r\n ";
      line = 0;
    }
    text += part;
    line += part.length;
  }
  return text;
}
