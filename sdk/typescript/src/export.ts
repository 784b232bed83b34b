import { LetterboxError } from "./errors.ts";
import { read } from "./events.ts";
import { type Options, orAborted, type Transport } from "./transport.ts";
import type { Model } from "./types.ts";

/** A mail with its original message; `raw` is null if the service has lost bytes of it. */
export interface ExportedEmail {
  email: Model<"Email">;
  raw: Uint8Array<ArrayBuffer> | null;
}

type Line = { email: Model<"Email">; raw_base64: string | null } | {
  next_cursor: string | null;
};

/** Streams that may break off one after another before a mail. */
const mostBreaks = 5;

/**
 * The mail of a mailbox, each once; one is in memory at a time. A stream that breaks off is asked for again. `pathOf` is the
 * path of the export after a cursor.
 */
export async function* exported(
  transport: Transport,
  pathOf: (after?: string) => string,
  { signal }: Options,
): AsyncGenerator<ExportedEmail, void, undefined> {
  const given = new Set<string>();
  pages: for (let after: string | undefined, breaks = 0;;) {
    const path = pathOf(after);
    const body = await transport(
      { method: "GET", path, repeatable: true, signal },
      (response) => response.body!,
    );
    const reader = body.getReader();
    try {
      for await (const line of lines(reader, signal)) {
        if ("next_cursor" in line) {
          if (line.next_cursor === null) return;
          after = line.next_cursor;
          given.clear();
          continue pages;
        }
        if (!given.has(line.email.email_id)) {
          given.add(line.email.email_id);
          breaks = 0;
          yield {
            email: line.email,
            raw: line.raw_base64 === null ? null : bytesOf(line.raw_base64),
          };
        }
      }
      throw new LetterboxError("CONNECTION_FAILED", "The export broke off.");
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof LetterboxError) || breaks++ === mostBreaks) {
        throw error;
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }
}

/** Throws LetterboxError if the connection is lost. */
async function* lines(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  for (let rest: string[] = [];;) {
    const { value, done } = await orAborted(signal, read(reader));
    if (done) return;
    const [first, ...others] = decoder.decode(value, { stream: true }).split(
      "\n",
    );
    rest.push(first);
    for (const other of others) {
      yield JSON.parse(rest.join(""));
      rest = [other];
    }
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
