import { createVerify, type X509Certificate } from "node:crypto";
import { z } from "zod";

/** An HTTP message of Amazon SNS (its developer guide, "Parsing message formats"). */
export const snsMessageSchema = z.object({
  Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: z.string().min(1).max(200),
  TopicArn: z.string().max(400),
  Message: z.string(),
  Timestamp: z.string().max(60),
  Subject: z.string().nullish(),
  Token: z.string().optional(),
  SubscribeURL: z.string().optional(),
  SignatureVersion: z.enum(["1", "2"]),
  Signature: z.string().max(2000),
  SigningCertURL: z.string().max(500),
});
export type SnsMessage = z.output<typeof snsMessageSchema>;

/** Whether `url` belongs to SNS: https, host `sns.<region>.amazonaws.com`, the default port. */
export function isSnsUrl(url: string | undefined): url is string {
  if (!url || !URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  return protocol === "https:" && port === "" && username === "" && password === "" &&
    /^sns\.[a-z]{2}(?:-[a-z]+)+-\d\.amazonaws\.com(?:\.cn)?$/.test(hostname);
}

/**
 * Whether `url` is that of a certificate of SNS. Other answers of the same host, such as to a signed request for the
 * attributes of a topic, can have text of a stranger in them.
 */
export function isSnsCertificateUrl(url: string): boolean {
  if (!isSnsUrl(url)) return false;
  const { pathname, search } = new URL(url);
  return pathname.endsWith(".pem") && search === "";
}

/** The text that SNS signs: the fields of the message's type, in the order of SNS. */
export function signedText(message: SnsMessage): string {
  const names = message.Type === "Notification"
    ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const
    : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const;
  return names.flatMap((name) => {
    const value = message[name];
    return value === undefined || value === null ? [] : [`${name}\n${value}\n`];
  }).join("");
}

/** Whether the certificate, valid at `now`, signed the message: RSA with SHA-1 (version 1) or SHA-256 (2). */
export function isSignedBySns(
  message: SnsMessage,
  certificate: X509Certificate,
  now: number,
): boolean {
  try {
    if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) {
      return false;
    }
    return createVerify(message.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256")
      .update(signedText(message)).verify(certificate.publicKey, message.Signature, "base64");
  } catch {
    return false;
  }
}
