import { createSign } from "node:crypto";

/**
 * Fields that are signed once more than they occur (RFC 6376 8.15). Then an added second field, which a reader may show
 * instead of the first, breaks the signature: nobody can send a signed message again with another From or Subject.
 */
const sealed = ["from", "to", "subject", "date", "message-id", "reply-to", "cc"];

/** Further fields that are signed if they are there. */
const signed = [
  "sender",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
  "in-reply-to",
  "references",
  "auto-submitted",
];

/** The facts about the signer and the body in a signature. */
export interface SignatureFacts {
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
export function dkimSignatureField(
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
