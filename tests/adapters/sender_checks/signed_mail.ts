import { Buffer } from "node:buffer";
import { generateKeyPairSync } from "node:crypto";
import { createTransport } from "nodemailer";

/** A key that a domain signs with, and the text of its record. */
export interface SigningKey {
  privateKey: string;
  record: string;
}

export function signingKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const der = publicKey.export({ type: "spki", format: "der" });
  return {
    privateKey: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    record: `v=DKIM1; k=rsa; p=${der.toString("base64")}`,
  };
}

export interface Signature {
  domain: string;
  selector?: string;
  key: SigningKey;
}

/** A message that nodemailer writes, and signs if `signature` is given. */
export async function signedMail(
  { from, text = "Hello.\r\n\r\nSee you  there.\r\n", headers = {}, signature }: {
    from: string;
    text?: string;
    headers?: Record<string, string>;
    signature?: Signature;
  },
): Promise<Uint8Array> {
  const dkim = signature && {
    domainName: signature.domain,
    keySelector: signature.selector ?? "k1",
    privateKey: signature.key.privateKey,
  };
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    ...(dkim ? { dkim } : {}),
  });
  const sent = await transport.sendMail({
    from,
    to: "agent@agents.test",
    subject: "Hello",
    text,
    headers,
  });
  return new Uint8Array(sent.message as Buffer);
}
