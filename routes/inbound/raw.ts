import { isIP } from "node:net";
import type { Context, Hono } from "hono";
import { z } from "zod";
import { oneOf } from "../../domain/accounts/secrets.ts";
import { emailId } from "../../domain/core/email_id.ts";
import { type ErrorCode, ServiceError } from "../../domain/core/errors.ts";
import { splitEnvelopeList } from "../../domain/mailboxes/address.ts";
import { type DeliveryResult, maxEnvelopeRecipients } from "../../domain/mail/receive/delivery.ts";
import { receive } from "../../domain/mail/receive/receive.ts";
import type { Service } from "../../domain/core/service.ts";
import type { SenderFacts } from "../../domain/ports/sender_checks.ts";
import { shortestAddress } from "../../mime/headers/quoted_locals.ts";
import { isHelo } from "./helo.ts";
import { importParameters, isImport, sourceStateOf } from "./import_headers.ts";
import { bodyOf, lengthOf } from "../http/bodies/body.ts";
import { dispositions, rejections } from "../../domain/mail/receive/arrivals.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { wrongProof } from "../http/rate_limit.ts";
import { inData } from "../http/envelopes.ts";
import type { Env } from "../http/env.ts";

/** One result for each recipient (docs/specification.md "Inbound raw"). */
export const deliveryResults = z.object({
  results: z.array(
    z.object({
      recipient: z.string(),
      disposition: z.enum(dispositions),
      email_id: emailId.optional().describe("The email; for a duplicate, the earlier one"),
      code: z.string().optional().describe(
        `Why it was refused: ${rejections.join(", ")}`,
      ),
    }).meta({ id: "InboundResult", description: "The result of a delivery for one recipient" }),
  ),
}).meta({ id: "InboundResults" });

/** The answer to a message, and its errors. */
export const deliveryAnswer: PlainRoute["success"] = {
  status: 200,
  description: "At least one recipient was accepted or had it already",
  contentType: "application/json",
  schema: inData.schema(deliveryResults),
  example: {
    success: true,
    data: {
      results: [{
        recipient: "support.desk@agents.example",
        disposition: "accepted",
        email_id: "0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a",
      }],
    },
  },
};
export const deliveryErrors: readonly ErrorCode[] = [
  "BAD_REQUEST",
  "REQUEST_TIMEOUT",
  "RECIPIENT_REJECTED",
  "EMAIL_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];

export const inboundRawRoute: PlainRoute = {
  family: "inbound",
  tag: "Inbound",
  method: "POST",
  path: "/inbound/raw",
  name: "deliver_raw_email",
  title: "Deliver a message",
  description:
    "Delivers a raw message to the recipients of its envelope. 2xx promises that it is durable for every accepted recipient. " +
    "The same delivery again is a duplicate and adds nothing. Basic authentication with the token as password works too.",
  access: "inbound",
  parameters: [
    {
      in: "header",
      name: "X-Envelope-To",
      description: "RFC 5321 recipients, separated by commas; at most 100",
      required: true,
      example: "support.desk@agents.example",
    },
    {
      in: "header",
      name: "X-Envelope-From",
      description: "The reverse path; empty for the null sender",
      example: "ada@example.net",
    },
    {
      in: "header",
      name: "X-Remote-IP",
      description:
        "The address of the host that delivered the message to you; without it there is no SPF",
      example: "192.0.2.25",
    },
    {
      in: "header",
      name: "X-Remote-Helo",
      description: "The name that this host gave in HELO or EHLO",
      example: "mail.example.net",
    },
    {
      in: "header",
      name: "X-Ingest-Id",
      description: "A stable id of this delivery; default: the SHA-256 of the body",
    },
    {
      in: "header",
      name: "X-Import",
      description:
        "1: the message does not arrive but comes from an archive, as in `POST /v1/api/mailboxes/{mailboxId}/import`; the headers X-Import-* count only then",
      example: "1",
    },
    ...importParameters,
  ],
  body: { contentType: "message/rfc822", description: "The message, stored byte for byte" },
  success: deliveryAnswer,
  errors: deliveryErrors,
};

/** `POST /inbound/raw` (docs/specification.md "Inbound raw"); the providers' routes do the same with other bodies. */
export function mountInboundRaw(app: Hono<Env>, service: Service): void {
  const isToken = oneOf(service.settings.INBOUND_TOKENS ?? []);
  app.post(inboundRawRoute.path, async (c) => {
    const given = givenToken(c);
    if (given === "" || !isToken(given)) {
      const reason = "The inbound token is missing or wrong.";
      throw await wrongProof(c, service, new ServiceError("UNAUTHORIZED", reason));
    }
    requireMessage(c);
    const imported = isImport(c) ? sourceStateOf(c) : undefined;
    const results = await receive(service, {
      source: imported ? "import" : "raw",
      imported,
      sender: reversePath(c),
      recipients: envelopeRecipients(c),
      ingestId: c.req.header("x-ingest-id") || null,
      declaredSize: lengthOf(c),
      facts: remoteFacts(c),
      body: bodyOf(c, { kind: "inbound" }),
    });
    return answerDelivery(c, results);
  });
}

/** Throws UNSUPPORTED_MEDIA_TYPE if the body is no message as it is. */
export function requireMessage(c: Context): void {
  const type = (c.req.header("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (type !== "message/rfc822") {
    throw new ServiceError("UNSUPPORTED_MEDIA_TYPE", "The Content-Type must be message/rfc822.");
  }
  if (!/^(?:identity)?$/i.test(c.req.header("content-encoding") ?? "")) {
    // Otherwise the compressed bytes would be stored as the message.
    const reason = "The message must not be compressed (Content-Encoding).";
    throw new ServiceError("UNSUPPORTED_MEDIA_TYPE", reason);
  }
}

/** Answers with the results. Throws RECIPIENT_REJECTED if all recipients were refused. */
export function answerDelivery(c: Context, results: DeliveryResult[]): Response {
  if (results.every((each) => each.disposition === "rejected")) throw refusal(results);
  return c.json({ success: true, data: { results } });
}

/** The error if all recipients were refused permanently. */
export function refusal(results: DeliveryResult[]): ServiceError {
  return new ServiceError("RECIPIENT_REJECTED", undefined, { results });
}

/** The token of `Bearer token`, or of Basic with the token as password for senders without Bearer; "" if there is none. */
function givenToken(c: Context): string {
  const [scheme, credential = ""] = (c.req.header("authorization") ?? "").split(/ +/, 2);
  return scheme.toLowerCase() === "bearer"
    ? credential
    : scheme.toLowerCase() === "basic"
    ? basicPassword(credential)
    : "";
}

function basicPassword(credential: string): string {
  try {
    const text = new TextDecoder().decode(Uint8Array.fromBase64(credential));
    return text.slice(text.indexOf(":") + 1);
  } catch {
    return "";
  }
}

/** The runtime decodes request headers as Latin-1; addresses are ASCII or UTF-8 (RFC 6531). */
function utf8(text: string): string {
  // deno-lint-ignore no-control-regex -- ASCII needs no decoding
  if (/^[\x00-\x7f]*$/.test(text) || /[^\x00-\xff]/.test(text)) return text;
  return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

function reversePath(c: Context): string {
  const given = utf8(c.req.header("x-envelope-from") ?? "").trim();
  if (given.length > 1_000) throw new ServiceError("BAD_REQUEST", "X-Envelope-From is too long.");
  const path = given.replace(/^<(.*)>$/, "$1");
  if (/[\s<>]/.test(path.replace(/^"(?:[^"\\]|\\.)*"(?=@)/, ""))) {
    throw new ServiceError("BAD_REQUEST", "X-Envelope-From is not a reverse path.");
  }
  return shortestAddress(path);
}

/** Throws BAD_REQUEST for a wrong address, or a HELO that is neither a domain nor an address literal. */
function remoteFacts(c: Context): SenderFacts {
  const ip = (c.req.header("x-remote-ip") ?? "").trim();
  const helo = (c.req.header("x-remote-helo") ?? "").trim();
  if (ip !== "" && isIP(ip) === 0) {
    throw new ServiceError("BAD_REQUEST", "X-Remote-IP is not an IP address.");
  }
  if (helo !== "" && !isHelo(helo)) {
    throw new ServiceError("BAD_REQUEST", "X-Remote-Helo is not a host name.");
  }
  return ip === "" ? {} : { peer: { ip, helo: helo || null } };
}

function envelopeRecipients(c: Context): string[] {
  const recipients = splitEnvelopeList(utf8(c.req.header("x-envelope-to") ?? ""));
  if (recipients.length === 0) {
    throw new ServiceError("BAD_REQUEST", "X-Envelope-To is missing or empty.");
  }
  if (recipients.length > maxEnvelopeRecipients) {
    throw new ServiceError(
      "BAD_REQUEST",
      `X-Envelope-To has more than ${maxEnvelopeRecipients} recipients.`,
      { limit: maxEnvelopeRecipients },
    );
  }
  return recipients;
}
