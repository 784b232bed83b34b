import { createHmac } from "node:crypto";
import type { Hono } from "hono";
import { equalSecrets } from "../../../domain/accounts/secrets.ts";
import { notFound, ServiceError } from "../../../domain/core/errors.ts";
import { splitEnvelopeList } from "../../../domain/mailboxes/address.ts";
import { isFirstUse } from "../../../domain/mail/receive/signed_once.ts";
import type { Service } from "../../../domain/core/service.ts";
import { wrongProof } from "../../http/rate_limit.ts";
import { readForm } from "./form_bytes.ts";
import { type Provider, readPost, takeIn } from "./provider.ts";
import type { Env } from "../../http/env.ts";

const mailgun: Provider = { source: "mailgun", refusedStatus: 406 };

/** Mailgun retries for 8 h with the first signature; the rest is for clocks that differ. */
const oldestMs = 8.5 * 3_600_000;
const newestMs = 10 * 60_000;
/** Before decoding. Mailgun's token has 50 characters, its signature 64. */
const maxProofBytes = 300;

/**
 * `POST /inbound/mailgun`: the form of a Mailgun route. Mailgun sends the MIME source only to a URL that
 * ends in `mime`, so `/inbound/mailgun/mime` does the same.
 */
export function mountMailgun(app: Hono<Env>, service: Service): void {
  const signingKey = service.settings.MAILGUN_SIGNING_KEY;
  app.on("POST", ["/inbound/mailgun", "/inbound/mailgun/mime"], async (c) => {
    if (!signingKey) throw notFound("route");
    const body = await readPost(c, service);
    const form = await readForm(c.req.header("content-type") ?? "", body, service.clock);
    if (!form) throw new ServiceError("BAD_REQUEST", "The body is not a form.");
    const signed = {
      timestamp: await form.text("timestamp", maxProofBytes),
      token: await form.text("token", maxProofBytes),
      signature: await form.text("signature", maxProofBytes),
    };
    if (!isSignedByMailgun(signed, signingKey, service.clock.now())) {
      const reason = "The signature is missing, wrong or too old.";
      throw await wrongProof(c, service, new ServiceError("UNAUTHORIZED", reason));
    }
    const { token } = signed;
    const raw = await form.bytes("body-mime");
    if (raw.length === 0) {
      // 400 is retried: a wrong URL in the route must not lose the message.
      throw new ServiceError("BAD_REQUEST", "body-mime is missing: the URL must end in /mime.");
    }
    const recipient = await form.text("recipient");
    if (!await isFirstUse(service, "mailgun", token, [recipient, raw], oldestMs + newestMs)) {
      const reason = "This token was used for another message.";
      throw await wrongProof(c, service, new ServiceError("UNAUTHORIZED", reason));
    }
    return await takeIn(c, service, mailgun, {
      sender: await form.text("sender"),
      recipients: splitEnvelopeList(recipient),
      ingestId: null,
      raw,
    });
  });
}

/** Checks the hex HMAC-SHA256 of timestamp and token (Mailgun, "Securing webhooks"); it does not cover the message. */
function isSignedByMailgun(
  signed: { timestamp: string; token: string; signature: string },
  signingKey: string,
  now: number,
): boolean {
  const { timestamp, token, signature } = signed;
  if (!/^\d{9,12}$/.test(timestamp) || token === "" || token.length > 200) return false;
  const age = now - Number(timestamp) * 1000;
  if (age > oldestMs || age < -newestMs) return false;
  const expected = createHmac("sha256", signingKey).update(timestamp + token).digest("hex");
  return equalSecrets(expected, signature.toLowerCase());
}
