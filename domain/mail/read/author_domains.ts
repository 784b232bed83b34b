import { parseAuthors } from "../../../mime/headers/parse_head.ts";
import { domainOfAddress } from "../../core/host_name.ts";
import type { Service } from "../../core/service.ts";
import { readBlob } from "../../store/blobs.ts";
import type { Email } from "../record/email.ts";

/** Bytes of a message that are searched for its From fields. */
const headBytes = 256 * 1024;

/** The domain of each author that a message names, in lower-case ASCII; null for an address without a domain. */
export async function authorDomains(
  { database }: Service,
  email: Email,
): Promise<(string | null)[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readBlob(database, email.raw)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= headBytes) break;
  }
  const head = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
  return parseAuthors(head).map(({ address }) => domainOfAddress(address));
}
