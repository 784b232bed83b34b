import { createVerify } from "node:crypto";
import type { Hono } from "hono";
import { z } from "zod";
import type { Clock } from "../../../domain/core/clock.ts";
import { notFound, ServiceError, unavailable } from "../../../domain/core/errors.ts";
import type { Service } from "../../../domain/core/service.ts";
import { sendgridKey } from "../../../domain/core/setting_schemas.ts";
import { Yielder } from "../../../domain/core/work/yielder.ts";
import { wrongProof } from "../../http/rate_limit.ts";
import { readForm } from "./form_bytes.ts";
import { sendgridFindings } from "./findings.ts";
import { type Provider, readPost, takeIn } from "./provider.ts";
import type { Env } from "../../http/env.ts";

const sendgrid: Provider = { source: "sendgrid", refusedStatus: 200 };

/** SendGrid retries for 72 h. */
const oldestMs = 73 * 3_600_000;
const newestMs = 10 * 60_000;

const envelopeSchema = z.object({ to: z.array(z.string()).min(1), from: z.string().nullish() });

/** `POST /inbound/sendgrid`: Inbound Parse with "POST the raw, full MIME message" and a security policy. */
export function mountSendgrid(app: Hono<Env>, service: Service): void {
  const publicKey = service.settings.SENDGRID_WEBHOOK_PUBLIC_KEY;
  app.post("/inbound/sendgrid", async (c) => {
    if (!publicKey) throw notFound("route");
    const forged = () =>
      wrongProof(
        c,
        service,
        new ServiceError("UNAUTHORIZED", "The signature is missing, wrong or too old."),
      );
    const signed = {
      timestamp: c.req.header("x-twilio-email-event-webhook-timestamp") ?? "",
      signature: c.req.header("x-twilio-email-event-webhook-signature") ?? "",
    };
    // Checked before the body is read: anybody can send 60 MB.
    if (!mayBeSigned(signed, service.clock.now())) throw await forged();
    const body = await readPost(c, service);
    if (!await isSignedBySendgrid(signed, body, publicKey, service.clock)) throw await forged();
    const form = await readForm(c.req.header("content-type") ?? "", body, service.clock);
    const raw = await form?.bytes("email");
    const envelope = form && envelopeOf(await form.text("envelope"));
    // Not a 4xx, at which SendGrid drops the message: a wrong setting must not lose it.
    if (!raw?.length || !envelope) {
      throw unavailable("email or envelope is missing: POST the raw, full MIME message.", 300);
    }
    return await takeIn(c, service, sendgrid, {
      sender: envelope.from ?? "",
      recipients: envelope.to,
      ingestId: null,
      raw,
      findings: sendgridFindings(await form.text("SPF"), await form.text("dkim")),
    });
  });
}

function envelopeOf(text: string): z.output<typeof envelopeSchema> | null {
  try {
    return envelopeSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

type Signed = { timestamp: string; signature: string };

/** Whether the headers look like a signature whose time is within SendGrid's retries. */
function mayBeSigned({ timestamp, signature }: Signed, now: number): boolean {
  if (!/^\d{9,12}$/.test(timestamp) || !/^[A-Za-z0-9+/=]{20,200}$/.test(signature)) return false;
  const age = now - Number(timestamp) * 1000;
  return age <= oldestMs && age >= -newestMs;
}

/**
 * Checks the ECDSA signature (P-256, SHA-256, DER in base64) over timestamp and body. The key is base64 SPKI, also as
 * PEM.
 */
export async function isSignedBySendgrid(
  signed: Signed,
  body: Uint8Array,
  publicKey: string,
  clock: Clock,
): Promise<boolean> {
  const { timestamp, signature } = signed;
  const verify = createVerify("SHA256").update(timestamp);
  for await (const piece of new Yielder(clock).slices(body)) verify.update(piece);
  try {
    return verify.verify(sendgridKey(publicKey), signature, "base64");
  } catch {
    return false;
  }
}
