import type { Context } from "hono";
import { ServiceError } from "../../../domain/core/errors.ts";
import {
  type Delivery,
  type DeliveryResult,
  receive,
} from "../../../domain/mail/inbound/receive.ts";
import { parseEnvelopeAddress } from "../../../domain/mailboxes/address.ts";
import { largestEmailBytes } from "../../../domain/core/plans.ts";
import type { Service } from "../../../domain/core/service.ts";
import { readBytes } from "../../http/body.ts";
import { oneStrangerBytes, type Sender } from "../../http/body_budget.ts";
import { errorBody } from "../../http/failures.ts";
import { refusal } from "../raw.ts";
import type { Env } from "../../http/env.ts";

/** The status of a permanent refusal (docs/specification.md "Providers"): the provider then stops retrying. */
export interface Provider {
  source: Delivery["source"];
  /** Mailgun drops a message at 406, Postmark at 403; SendGrid and SNS drop nothing they can help at 200. */
  refusedStatus: 200 | 403 | 406;
}

/** Fields of a form besides the message, and the escapes of one that is percent-encoded. */
const formBytesPerMailByte = 3;
const formOverheadBytes = 4 * 1024 * 1024;

/**
 * The whole body of a provider's post; `sender` as in `bodyOf`. One larger than any message could make it is
 * PAYLOAD_TOO_LARGE.
 */
export async function readPost(
  c: Context<Env>,
  service: Service,
  sender?: Sender,
): Promise<Uint8Array> {
  const largest = largestEmailBytes(service.plans) ?? 512 * 1024 * 1024;
  const possible = largest * formBytesPerMailByte + formOverheadBytes;
  // A larger one could not be held, at whatever time it came again.
  const holdable = sender?.kind === "inbound" ? Infinity : oneStrangerBytes;
  return await readBytes(c, Math.min(possible, holdable), sender);
}

/**
 * Brings a delivery in and answers as the provider understands: 200 once one recipient has it, its own
 * refusal where none ever will, and whatever else is thrown (503) as it is, so that it tries again.
 */
export async function takeIn(
  c: Context,
  service: Service,
  provider: Provider,
  message: { sender: string; recipients: string[]; ingestId: string | null; raw: Uint8Array },
): Promise<Response> {
  const { raw, sender, ingestId } = message;
  const { recipients, refused } = wellFormed(message.recipients);
  try {
    const received = await receive(service, {
      sender,
      ingestId,
      recipients,
      source: provider.source,
      body: once(raw),
    });
    const results = [...received, ...refused];
    if (results.some((each) => each.disposition !== "rejected")) return accepted(c, results);
    throw refusal(results);
  } catch (error) {
    if (!(error instanceof ServiceError) || !forGood.has(error.code)) throw error;
    service.log.warn("inbound.refused", { source: provider.source, code: error.code });
    if (provider.refusedStatus === 200) {
      return accepted(c, (error.details.results ?? []) as DeliveryResult[]);
    }
    return c.json({ success: false, error: errorBody(error) }, provider.refusedStatus);
  }
}

/**
 * What is no address is no mailbox either: refused by itself, where others can have the message, because most providers
 * would not bring it again. With nothing but such recipients the envelope is malformed.
 */
function wellFormed(
  given: string[],
): { recipients: string[]; refused: DeliveryResult[] } {
  const recipients = given.filter((each) => parseEnvelopeAddress(each) !== null);
  if (recipients.length === 0) return { recipients: given, refused: [] };
  const refused = given.filter((each) => !recipients.includes(each)).map((recipient) => ({
    recipient,
    disposition: "rejected" as const,
    code: "UNKNOWN_RECIPIENT" as const,
  }));
  return { recipients, refused };
}

/** What no further try of the same message would change. */
const forGood = new Set(["RECIPIENT_REJECTED", "EMAIL_TOO_LARGE", "BAD_REQUEST"]);

function accepted(c: Context, results: DeliveryResult[]): Response {
  return c.json({ success: true, data: { results } }, 200);
}

async function* once(raw: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(raw);
}
