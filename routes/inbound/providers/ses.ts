import { X509Certificate } from "node:crypto";
import type { Context, Hono } from "hono";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { notFound, ServiceError, unavailable } from "../../../domain/core/errors.ts";
import type { Service } from "../../../domain/core/service.ts";
import { readBytes } from "../../http/bodies/body.ts";
import { wrongProof } from "../../http/rate_limit.ts";
import { sesFindings } from "./findings.ts";
import { type Provider, takeIn } from "./provider.ts";
import {
  isSignedBySns,
  isSnsCertificateUrl,
  isSnsUrl,
  type SnsMessage,
  snsMessageSchema,
} from "./sns_message.ts";
import type { Env } from "../../http/env.ts";

const ses: Provider = { source: "ses", refusedStatus: 200 };

/** SNS sends at most 256 KB; escapes in its JSON can multiply that. */
const maxPostBytes = 1024 * 1024;
/** SNS retries for an hour at most; a day also covers clocks that differ and a queue in between. */
const oldestMs = 24 * 3_600_000;
const newestMs = 10 * 60_000;
const fetchMs = 10_000;
const maxCertificateBytes = 64 * 1024;

/** PASS, FAIL, GRAY, PROCESSING_FAILED or DISABLED. */
const verdictSchema = z.object({ status: z.string() }).loose().optional().catch(undefined);

/** The notification of SES about a received message, with its content (SES developer guide, SNS action). */
const receivedSchema = z.object({
  notificationType: z.literal("Received"),
  mail: z.object({ source: z.string().nullish(), messageId: z.string().min(1).max(200) }),
  receipt: z.object({
    recipients: z.array(z.string()).min(1),
    spfVerdict: verdictSchema,
    dkimVerdict: verdictSchema,
    dmarcVerdict: verdictSchema,
    action: z.object({ encoding: z.string().optional() }).loose().optional(),
  }),
  content: z.string().min(1),
}).transform(({ mail, receipt, content }) => ({
  mail,
  receipt,
  raw: receipt.action?.encoding?.toUpperCase() === "BASE64"
    ? Uint8Array.fromBase64(content)
    : new TextEncoder().encode(content),
}));

/** Fetches a certificate or a confirmation from SNS. Throws if there is none. Tests replace it. */
export type FetchText = (url: string) => Promise<string>;

/** `POST /inbound/ses`: SES through SNS over HTTPS, for the topic `SNS_TOPIC_ARN`. */
export function mountSes(
  app: Hono<Env>,
  service: Service,
  fetchText: FetchText = fetchSns,
): void {
  const topic = service.settings.SNS_TOPIC_ARN;
  const forged = (c: Context<Env>) =>
    wrongProof(
      c,
      service,
      new ServiceError(
        "UNAUTHORIZED",
        "The message is not of this topic, or not signed by SNS.",
      ),
    );
  const certificates = new LRUCache<string, X509Certificate>({ max: 10 });
  app.post("/inbound/ses", async (c) => {
    if (!topic) throw notFound("route");
    const message = messageOf(await readBytes(c, maxPostBytes));
    const age = service.clock.now() - Date.parse(message.Timestamp);
    if (message.TopicArn !== topic || !(age <= oldestMs && age >= -newestMs)) throw await forged(c);
    // Checked before the fetch, so that only SNS itself gets requests.
    if (!isSnsCertificateUrl(message.SigningCertURL)) throw await forged(c);
    let certificate = certificates.get(message.SigningCertURL);
    if (!certificate) {
      // What is no certificate, such as the page of a proxy, is not kept: SNS sends a message again after 503, not 401.
      const fetched = fetchText(message.SigningCertURL).then((text) => new X509Certificate(text));
      certificate = await orUnavailable(fetched);
      certificates.set(message.SigningCertURL, certificate);
    }
    if (!isSignedBySns(message, certificate, service.clock.now())) throw await forged(c);
    if (message.Type === "SubscriptionConfirmation") {
      if (!isSnsUrl(message.SubscribeURL)) throw await forged(c);
      await orUnavailable(fetchText(message.SubscribeURL));
      service.log.info("inbound.ses_subscribed", { topic });
    }
    const received = message.Type === "Notification" ? receivedOf(message) : null;
    if (!received) {
      // There is nothing to deliver and nothing to retry: a confirmation, or the note of another action, such as S3.
      if (message.Type === "Notification") {
        service.log.warn("inbound.ses_without_message", { message_id: message.MessageId });
      }
      return c.json({ success: true, data: { results: [] } });
    }
    const { mail, receipt, raw } = received;
    return await takeIn(c, service, ses, {
      sender: mail.source ?? "",
      recipients: receipt.recipients,
      ingestId: `ses:${mail.messageId}`,
      findings: sesFindings({
        spf: receipt.spfVerdict?.status,
        dkim: receipt.dkimVerdict?.status,
        dmarc: receipt.dmarcVerdict?.status,
      }),
      raw,
    });
  });
}

function messageOf(body: Uint8Array): SnsMessage {
  try {
    return snsMessageSchema.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    throw new ServiceError("BAD_REQUEST", "Not a message of Amazon SNS.");
  }
}

function receivedOf(message: SnsMessage): z.output<typeof receivedSchema> | null {
  try {
    return receivedSchema.parse(JSON.parse(message.Message));
  } catch {
    return null;
  }
}

async function orUnavailable<Value>(fetched: Promise<Value>): Promise<Value> {
  try {
    return await fetched;
  } catch {
    throw unavailable("Amazon SNS does not answer.", 20);
  }
}

async function fetchSns(url: string): Promise<string> {
  const answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(fetchMs) });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`the status is ${answer.status}`);
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.length;
    if (size > maxCertificateBytes) throw new Error("the answer is too large");
    pieces.push(piece);
  }
  return await new Blob(pieces as BlobPart[]).text();
}
