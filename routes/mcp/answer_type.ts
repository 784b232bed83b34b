import { Buffer } from "node:buffer";
import { names } from "../http/accept.ts";
import { bufferOf } from "../../mime/text/buffer_of.ts";

const json = "application/json";
const events = "text/event-stream";

/** The types of an answer that an Accept header names. */
export function namedTypes(accept: string | undefined): string[] {
  return [json, events].filter((type) => names(accept, type));
}

/** A complete answer. */
interface Made {
  status: number;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

/**
 * An answer with its body in the type that the client names, if it names one. The SDK chooses the type by the revision of the
 * protocol. Answers with another status than 200 stay JSON.
 */
export function inNamedType(
  { status, headers }: Pick<Response, "status" | "headers">,
  body: Uint8Array<ArrayBuffer>,
  named: readonly string[],
): Made {
  const type = headers.get("content-type")?.split(";")[0];
  if (status !== 200 || named.length !== 1 || type === named[0]) return { status, headers, body };
  return {
    status,
    headers: new Headers({ "content-type": named[0] }),
    body: type === json ? asEvent(body) : dataOf(body),
  };
}

function asEvent(message: Uint8Array): Uint8Array<ArrayBuffer> {
  return Buffer.concat([Buffer.from("event: message\ndata: "), message, Buffer.from("\n\n")]);
}

/** The data of the last event. The only one: no tool sends notifications. Before it are comments that keep the connection open. */
function dataOf(stream: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = bufferOf(stream);
  const field = "\ndata: ";
  const start = bytes.lastIndexOf(field) + field.length;
  return stream.subarray(start, bytes.indexOf("\n", start));
}
