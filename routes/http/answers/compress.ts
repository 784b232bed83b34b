import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Context } from "hono";
import { acceptsGzip } from "../accept.ts";
import { countAnswer, sendBody } from "./send_body.ts";
import type { Env } from "../env.ts";

const zip = promisify(gzip);

/** Below this, compression costs more than it saves. */
const leastChars = 1_024;
/** A list of 100 emails takes 1 ms, in another thread. */
const level = 5;

/** Answers with a text. Above 1 KiB it is compressed if that is allowed and the client accepts gzip. */
export async function sendText(
  c: Context<Env>,
  text: string,
  status: 200 | 201,
  { mayCompress, changed }: { mayCompress: boolean; changed: boolean },
): Promise<Response> {
  if (!mayCompress || text.length <= leastChars) return sendBody(c, text, status, { changed });
  c.header("Vary", "Accept-Encoding");
  if (!acceptsGzip(c.req.header("accept-encoding"))) {
    return sendBody(c, text, status, { changed });
  }
  countAnswer(c, text.length, changed);
  c.header("Content-Encoding", "gzip");
  const zipped = new Uint8Array(await zip(text, { level }));
  return sendBody(c, zipped, status, { changed });
}
