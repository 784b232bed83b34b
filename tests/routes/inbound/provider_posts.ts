import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { Buffer } from "node:buffer";
import { signedText, type SnsMessage } from "../../../routes/inbound/providers/sns_message.ts";

/** A provider's post. */
export interface Post {
  path: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

export interface Mail {
  to: string;
  /** More recipients. */
  others?: string[];
  from?: string;
  raw: Uint8Array;
  /** Milliseconds since 1970. */
  now: number;
  /** The provider's facts about the sender outside of the message. */
  findings?: { form: Record<string, string>; receipt: Record<string, { status: string }> };
  /** The provider's id of the message, if it sends one; default: the same for all. */
  id?: string;
}

const recipientsOf = (mail: Mail) => [mail.to, ...mail.others ?? []];

/** A form as browsers and providers send it, values as bytes. */
export function formPost(path: string, fields: Record<string, string | Uint8Array>): Post {
  const boundary = "----form-boundary-7d1";
  const pieces = Object.entries(fields).flatMap(([name, value]) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
    Buffer.from(value as Uint8Array),
    Buffer.from("\r\n"),
  ]);
  return {
    path,
    headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
    body: new Uint8Array(Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])),
  };
}

export const mailgunKey = "key-of-the-tests";
let tokens = 0;

export function mailgunFields(mail: Mail): Record<string, string | Uint8Array> {
  const timestamp = String(Math.floor(mail.now / 1000));
  const token = `token${++tokens}`;
  return {
    recipient: recipientsOf(mail).join(),
    sender: mail.from ?? "ada@example.net",
    timestamp,
    token,
    signature: createHmac("sha256", mailgunKey).update(timestamp + token).digest("hex"),
    "body-mime": mail.raw,
  };
}

export const mailgunPost = (mail: Mail) => formPost("/inbound/mailgun/mime", mailgunFields(mail));

const sendgridKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });
export const sendgridPublicKey = sendgridKeys.publicKey.export({ type: "spki", format: "der" })
  .toString("base64");

export function sendgridPost(mail: Mail): Post {
  const post = formPost("/inbound/sendgrid", {
    to: mail.to,
    envelope: JSON.stringify({ to: recipientsOf(mail), from: mail.from ?? "ada@example.net" }),
    email: mail.raw,
    charsets: "{}",
    ...mail.findings?.form,
  });
  const timestamp = String(Math.floor(mail.now / 1000));
  post.headers["x-twilio-email-event-webhook-timestamp"] = timestamp;
  post.headers["x-twilio-email-event-webhook-signature"] = createSign("SHA256")
    .update(timestamp).update(post.body).sign(sendgridKeys.privateKey, "base64");
  return post;
}

export const postmarkAuth = "postmark:password-of-the-tests";

export function postmarkPost(mail: Mail): Post {
  return {
    path: "/inbound/postmark",
    headers: {
      "content-type": "application/json",
      authorization: `Basic ${Buffer.from(postmarkAuth).toString("base64")}`,
    },
    body: new TextEncoder().encode(JSON.stringify({
      MessageID: mail.id ?? "22c74902-a0c1-4511-804f-341342852c90",
      OriginalRecipient: recipientsOf(mail).join(),
      RawEmail: new TextDecoder().decode(mail.raw),
      Headers: [{ Name: "Return-Path", Value: `<${mail.from ?? "ada@example.net"}>` }],
    })),
  };
}

export const snsTopic = "arn:aws:sns:eu-west-1:123456789012:mail";
export const certificateUrl =
  "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123.pem";
const file = (name: string) =>
  Deno.readTextFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));
export const certificate = file("sns.cert");

export function sesMessage(mail: Mail): SnsMessage {
  return {
    Type: "Notification",
    MessageId: "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
    TopicArn: snsTopic,
    Message: JSON.stringify({
      notificationType: "Received",
      mail: { source: mail.from ?? "ada@example.net", messageId: mail.id ?? "ses-message-1" },
      receipt: {
        recipients: recipientsOf(mail),
        ...mail.findings?.receipt,
        action: { type: "SNS", encoding: "BASE64" },
      },
      content: Buffer.from(mail.raw).toString("base64"),
    }),
    Timestamp: new Date(mail.now).toISOString(),
    SignatureVersion: "2",
    Signature: "",
    SigningCertURL: certificateUrl,
  };
}

export function snsPost(message: SnsMessage): Post {
  const Signature = createSign(message.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256")
    .update(signedText(message)).sign(file("sns.key"), "base64");
  return {
    path: "/inbound/ses",
    headers: { "content-type": "text/plain; charset=UTF-8" },
    body: new TextEncoder().encode(JSON.stringify({ ...message, Signature })),
  };
}

/** The settings under which these posts are accepted. */
export const providerEnv = {
  MAILGUN_SIGNING_KEY: mailgunKey,
  SENDGRID_WEBHOOK_PUBLIC_KEY: sendgridPublicKey,
  POSTMARK_INBOUND_AUTH: postmarkAuth,
  SNS_TOPIC_ARN: snsTopic,
};

export const sesPost = (mail: Mail) => snsPost(sesMessage(mail));
