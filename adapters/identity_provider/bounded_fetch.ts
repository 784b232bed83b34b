import { ProviderFailure } from "../../domain/ports/identity_provider.ts";

/** Discovery documents and key sets have a few KB. */
const maxBytes = 1024 * 1024;

/**
 * `fetch` for the provider. Throws ProviderFailure `down` if there is no whole answer, or one of a server that fails or
 * has too much to do.
 */
export async function boundedFetch(url: string, init: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(url, init);
    const body = await readAll(answer);
    const { status, headers } = answer;
    if (status >= 500 || status === 429) throw new Error(`HTTP ${status}`);
    return new Response(body.byteLength > 0 ? body : null, { status, headers });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProviderFailure("down", `${new URL(url).origin}: ${reason}`);
  }
}

async function readAll(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const part of answer.body ?? []) {
    length += part.byteLength;
    if (length > maxBytes) throw new Error("the answer is too long");
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
