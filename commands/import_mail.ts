import { Buffer } from "node:buffer";
import { parseHead } from "../mime/headers/parse_head.ts";
import { openMailSource, type SourceMessage } from "./mail_source.ts";
import { patientFetch, reach } from "./patient_fetch.ts";
import type { Progress } from "./progress.ts";

export interface ImportOptions {
  path: string;
  /** The mailbox's address, as the envelope names it. */
  to: string;
  url: string;
  token: string;
  progress: Progress;
  /** Called with each refused message and the reason. */
  refused(name: string, reason: string): void;
  /** After an abort the message in flight is finished, and no other begins. */
  signal?: AbortSignal;
}

export interface ImportCounts {
  accepted: number;
  duplicate: number;
  refused: number;
}

/**
 * Imports mail through the service's inbound route, in the order of the source. The service skips duplicates: a second run
 * adds what is missing. Throws if the service does not answer or refuses the token.
 */
export async function importMail(options: ImportOptions): Promise<ImportCounts> {
  const source = await openMailSource(options.path);
  await reach(options.url);
  const counts: ImportCounts = { accepted: 0, duplicate: 0, refused: 0 };
  options.progress.start(source.totalBytes);
  const showPosition = (position: number) =>
    options.progress.at(position, `${counts.accepted} new, ${counts.duplicate} known`);
  try {
    for await (const message of source.messages()) {
      if (options.signal?.aborted) return counts;
      const refusal = await deliver(options, message, counts);
      if (refusal !== null) {
        counts.refused++;
        options.refused(message.name, refusal);
      }
      showPosition(message.position);
    }
    // The lines between the messages of an mbox belong to none.
    showPosition(source.totalBytes);
  } finally {
    options.progress.stop();
  }
  return counts;
}

/** Delivers a message; returns null, or why it was refused. */
async function deliver(
  { url, token, to }: ImportOptions,
  { raw, name }: SourceMessage,
  counts: ImportCounts,
): Promise<string | null> {
  const answer = await patientFetch(`${url}/inbound/raw`, {
    method: "POST",
    headers: {
      "authorization": `Bearer ${token}`,
      "content-type": "message/rfc822",
      "x-envelope-to": to,
      "x-envelope-from": senderOf(raw),
    },
    body: raw as Uint8Array<ArrayBuffer>,
  });
  const body = await answer.json();
  const result = (body.data?.results ?? body.error?.details?.results ?? [])[0];
  if (answer.status === 200 && result) {
    counts[result.disposition as "accepted" | "duplicate"]++;
    return null;
  }
  if (answer.status === 401) throw new Error("the service does not accept this inbound token");
  if (answer.status >= 500) throw new Error(`${name}: the service answers ${answer.status}`);
  if (result?.code) return result.code;
  return body.error ? `${body.error.code}: ${body.error.message}` : `status ${answer.status}`;
}

/**
 * The From address as a request header has it: UTF-8 (RFC 6531), each byte as a character. "" if it has blanks or
 * controls.
 */
function senderOf(raw: Uint8Array): string {
  const address = parseHead(raw).from?.address ?? "";
  return /^[^\s<>\p{C}]{1,320}$/u.test(address) ? Buffer.from(address).toString("latin1") : "";
}
