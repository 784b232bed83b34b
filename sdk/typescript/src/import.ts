import { type FileInput, fileOf } from "./attachments.ts";
import { json, type Options, type Transport } from "./transport.ts";
import type { Model } from "./types.ts";

/** What the source says of a message besides its bytes; what is absent is read from the message. */
export interface ImportState {
  /** When the source got it. */
  received_at?: string | Date;
  labels?: readonly string[];
  is_read?: boolean;
  direction?: "inbound" | "outbound";
}

/** Stores a message with what its source says of it. */
export async function imported(
  transport: Transport,
  pathOf: () => string,
  file: FileInput | Uint8Array<ArrayBuffer>,
  { signal, ...state }: ImportState & Options,
): Promise<Model<"InboundResult">> {
  const headers: Record<string, string> = { "content-type": "message/rfc822" };
  for (const [name, value] of Object.entries(state)) {
    if (value === undefined) continue;
    // `is_read` is X-Import-Read.
    const header = `x-import-${name.replace("is_", "").replace("_", "-")}`;
    headers[header] = value instanceof Date ? value.toISOString() : String(value);
  }
  const { content: body } = await fileOf(file instanceof Uint8Array ? { content: file } : file);
  const { data } = await transport(
    // The same bytes again are a duplicate.
    { method: "POST", path: pathOf(), headers, body, repeatable: true, signal },
    json,
  );
  return (data as { results: Model<"InboundResult">[] }).results[0];
}
