import type { Message, Outcome } from "./bring.ts";
import { fieldsOf, headOf } from "./state/head.ts";
import { importHeaders } from "./state/mail_state.ts";

/** A message for `POST PATH`, without the credential. */
export interface Delivery {
  path: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

/** To a mailbox of the account whose key, or under `/api` session, comes with it. */
export function byKey(
  mailboxId: string,
  { raw, state }: Message,
  base: "/v1/api" | "/api" = "/v1/api",
): Delivery {
  return {
    path: `${base}/mailboxes/${encodeURIComponent(mailboxId)}/import`,
    headers: { "content-type": "message/rfc822", ...importHeaders(state) },
    body: raw,
  };
}

/** To an address, with an inbound token. */
export function byToken(to: string, { raw, state }: Message): Delivery {
  return {
    path: "/inbound/raw",
    headers: {
      "content-type": "message/rfc822",
      "x-import": "1",
      "x-envelope-to": to,
      "x-envelope-from": senderOf(raw),
      ...importHeaders(state),
    },
    body: raw,
  };
}

/** The answers of a service that will never take this message. */
const refusals = [400, 413, 422];

/** What an answer says of a message; null if it speaks of something else than the message. */
export function outcomeOf(status: number, body: unknown): Outcome | null {
  const { data, error } = body as {
    data?: Results;
    error?: { code: string; message: string; details?: Results };
  };
  const [result] = data?.results ?? error?.details?.results ?? [];
  if (status === 200 && result) {
    return { disposition: result.disposition === "duplicate" ? "duplicate" : "accepted" };
  }
  if (!refusals.includes(status) || !error) return null;
  return { disposition: "rejected", reason: result?.code ?? `${error.code}: ${error.message}` };
}

interface Results {
  results?: { disposition: string; code?: string }[];
}

const address = /[\w.!#$%&'*+/=?^`{|}~\x80-\uffff-]+@[\w.\x80-\uffff-]+/;

/**
 * The From address, in UTF-8 (RFC 6531) each byte as a character. Without one the message would come from the null sender: as
 * automatic mail, which has no reply.
 */
function senderOf(raw: Uint8Array): string {
  const [field = ""] = fieldsOf(headOf(raw).text, "from");
  const unquoted = field.slice(0, 2_000).replace(/"[^"]*"/g, "");
  const [, inBrackets = unquoted] = /<([^<>]*)>/.exec(unquoted) ?? [];
  const [found] = address.exec(inBrackets) ?? [""];
  return String.fromCharCode(...new TextEncoder().encode(found.slice(0, 320)));
}
