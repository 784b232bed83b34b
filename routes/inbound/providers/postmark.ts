import type { Hono } from "hono";
import { z } from "zod";
import { equalSecrets } from "../../../domain/accounts/secrets.ts";
import { notFound, ServiceError } from "../../../domain/core/errors.ts";
import { splitEnvelopeList } from "../../../domain/mailboxes/address.ts";
import type { Service } from "../../../domain/core/service.ts";
import { wrongProof } from "../../http/rate_limit.ts";
import { type Provider, readPost, takeIn } from "./provider.ts";
import type { Env } from "../../http/env.ts";

const postmark: Provider = { source: "postmark", refusedStatus: 403 };

const inboundSchema = z.object({
  MessageID: z.string().min(1).max(200),
  /** The envelope's recipient; the message's own To can differ. */
  OriginalRecipient: z.string().min(1),
  RawEmail: z.string().min(1),
  Headers: z.array(z.object({ Name: z.string(), Value: z.string() })).default([]),
});

/** `POST /inbound/postmark`: the inbound webhook with "Include raw email content in JSON payload". */
export function mountPostmark(app: Hono<Env>, service: Service): void {
  const auth = service.settings.POSTMARK_INBOUND_AUTH;
  app.post("/inbound/postmark", async (c) => {
    if (!auth) throw notFound("route");
    if (!hasBasic(c.req.header("authorization") ?? "", auth)) {
      const reason = "User name or password is missing or wrong.";
      throw await wrongProof(c, service, new ServiceError("UNAUTHORIZED", reason));
    }
    const inbound = inboundOf(await readPost(c, service, { kind: "inbound" }));
    const returnPath = inbound.Headers.find(({ Name }) => Name.toLowerCase() === "return-path");
    return await takeIn(c, service, postmark, {
      sender: (returnPath?.Value ?? "").replace(/^<(.*)>$/, "$1"),
      recipients: splitEnvelopeList(inbound.OriginalRecipient),
      ingestId: `postmark:${inbound.MessageID}`,
      // JSON is text, so the raw message arrives as UTF-8.
      raw: new TextEncoder().encode(inbound.RawEmail),
    });
  });
}

/** Throws BAD_REQUEST, which Postmark retries: a wrong setting must not lose the message. */
function inboundOf(body: Uint8Array): z.output<typeof inboundSchema> {
  try {
    return inboundSchema.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    throw new ServiceError(
      "BAD_REQUEST",
      "Not an inbound message with RawEmail: the server must include raw email content.",
    );
  }
}

function hasBasic(header: string, expected: string): boolean {
  const [scheme, credential = ""] = header.split(/ +/, 2);
  if (scheme.toLowerCase() !== "basic") return false;
  try {
    return equalSecrets(new TextDecoder().decode(Uint8Array.fromBase64(credential)), expected);
  } catch {
    return false;
  }
}
