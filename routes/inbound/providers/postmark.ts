import type { Hono } from "hono";
import { z } from "zod";
import { equalSecrets } from "../../../domain/accounts/secrets.ts";
import { notFound, ServiceError } from "../../../domain/core/errors.ts";
import { splitEnvelopeList } from "../../../domain/mailboxes/address.ts";
import type { Service } from "../../../domain/core/service.ts";
import { parseHead } from "../../../mime/headers/parse_head.ts";
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
  /** The address of the message's From. */
  FromFull: z.object({ Email: z.string() }).nullish().catch(null),
});

type Inbound = z.output<typeof inboundSchema>;

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
    // JSON is text, so the raw message arrives as UTF-8.
    const raw = new TextEncoder().encode(inbound.RawEmail);
    return await takeIn(c, service, postmark, {
      sender: senderOf(inbound, raw),
      recipients: splitEnvelopeList(inbound.OriginalRecipient),
      ingestId: `postmark:${inbound.MessageID}`,
      raw,
    });
  });
}

/**
 * The reverse path. The post has no field for it, and often no header: then `envelope-from` of Received-SPF, then the
 * address of From. Only `<>` is the null sender, whose mail counts as automatic.
 */
function senderOf({ Headers, FromFull }: Inbound, raw: Uint8Array): string {
  // The first of several is the one that was added last.
  const header = (name: string) =>
    Headers.find(({ Name }) => Name.toLowerCase() === name)?.Value ?? "";
  return header("return-path").trim() ||
    /\benvelope-from="?([^\s";]+)/i.exec(header("received-spf"))?.[1] ||
    FromFull?.Email.trim() || parseHead(raw).from?.address || "";
}

/** Throws BAD_REQUEST, which Postmark retries: a wrong setting must not lose the message. */
function inboundOf(body: Uint8Array): Inbound {
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
