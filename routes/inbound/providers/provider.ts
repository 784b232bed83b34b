import type { Context } from "hono";
import { ServiceError } from "../../../domain/core/errors.ts";
import type { Delivery, DeliveryResult } from "../../../domain/mail/receive/delivery.ts";
import { receive } from "../../../domain/mail/receive/receive.ts";
import { parseEnvelopeAddress } from "../../../domain/mailboxes/address.ts";
import { largestEmailBytes, largestPossibleEmailBytes } from "../../../domain/core/plans.ts";
import { Yielder } from "../../../domain/core/work/yielder.ts";
import type { Service } from "../../../domain/core/service.ts";
import type { ProviderFindings } from "../../../domain/ports/sender_checks.ts";
import { shortestAddress } from "../../../mime/headers/quoted_locals.ts";
import { readBytes } from "../../http/bodies/body.ts";
import { oneStrangerBytes, type Sender } from "../../http/bodies/body_budget.ts";
import { errorBody } from "../../http/failures.ts";
import { refusal } from "../raw.ts";
import type { Env } from "../../http/env.ts";

export interface Provider {
  source: Delivery["source"];
  /** The status of a permanent refusal (docs/specification.md "Providers"), after which the provider does not retry. */
  refusedStatus: 200 | 403 | 406;
}

/** Percent-encoding makes each byte at most three; the overhead is for the other fields of the form. */
const formBytesPerMailByte = 3;
const formOverheadBytes = 4 * 1024 * 1024;

/**
 * Returns the whole body of a provider's post; `sender` as in `bodyOf`. Throws PAYLOAD_TOO_LARGE if it is larger than
 * the post of the largest message.
 */
export async function readPost(
  c: Context<Env>,
  service: Service,
  sender?: Sender,
): Promise<Uint8Array> {
  const possible = largestEmailBytes(service.plans) * formBytesPerMailByte + formOverheadBytes;
  // Memory will never be enough for a larger one, so a retry would not help.
  const holdable = sender?.kind === "inbound" ? largestPossibleEmailBytes : oneStrangerBytes;
  return await readBytes(c, Math.min(possible, holdable), sender);
}

/**
 * Delivers a message and answers in the provider's way: 200 if one recipient has it, the provider's own status if all
 * are refused permanently. Other errors (503) are rethrown, so that the provider retries.
 */
export async function takeIn(
  c: Context,
  service: Service,
  provider: Provider,
  message: {
    sender: string;
    recipients: string[];
    ingestId: string | null;
    raw: Uint8Array;
    /** The facts about the sender that the provider gives outside of the message. */
    findings?: ProviderFindings;
  },
): Promise<Response> {
  const { raw, ingestId } = message;
  // As it stood in MAIL FROM or Return-Path: `<>` is the null sender.
  const sender = shortestAddress(message.sender.trim().replace(/^<(.*)>$/, "$1"));
  const { recipients, refused } = wellFormed(message.recipients);
  try {
    const received = await receive(service, {
      sender,
      ingestId,
      recipients,
      source: provider.source,
      facts: message.findings ? { provider: message.findings } : {},
      body: new Yielder(service.clock).slices(raw),
    });
    const results = [...received, ...refused];
    if (results.some((each) => each.disposition !== "rejected")) return accepted(c, results);
    throw refusal(results);
  } catch (error) {
    if (!(error instanceof ServiceError) || !permanent.has(error.code)) throw error;
    service.log.warn("inbound.refused", { source: provider.source, code: error.code });
    if (provider.refusedStatus === 200) {
      return accepted(c, (error.details.results ?? []) as DeliveryResult[]);
    }
    return c.json({ success: false, error: errorBody(error) }, provider.refusedStatus);
  }
}

/**
 * Refuses malformed addresses one by one, so that the other recipients get the message: most providers would not send it
 * again. If all are malformed, all are returned as given, and `receive` refuses the envelope.
 */
function wellFormed(
  given: string[],
): { recipients: string[]; refused: DeliveryResult[] } {
  const recipients: string[] = [];
  const refused: DeliveryResult[] = [];
  for (const recipient of given) {
    if (parseEnvelopeAddress(recipient)) recipients.push(recipient);
    else refused.push({ recipient, disposition: "rejected", code: "UNKNOWN_RECIPIENT" });
  }
  if (recipients.length === 0) return { recipients: given, refused: [] };
  return { recipients, refused };
}

/** Errors that a retry of the same message would not change. */
const permanent = new Set(["RECIPIENT_REJECTED", "EMAIL_TOO_LARGE", "BAD_REQUEST"]);

function accepted(c: Context, results: DeliveryResult[]): Response {
  return c.json({ success: true, data: { results } }, 200);
}
