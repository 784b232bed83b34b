import type { Call } from "../../../core/operation.ts";
import type { AttachmentPart } from "../../../../mime/body/parse_body.ts";
import type { Email } from "../../record/email.ts";
import type { Reads } from "../reads.ts";
import { contentOf } from "./get_attachment.ts";

/** Models take images of about this size. */
const maxImageBytes = 2 ** 20;

/** Shows an attachment as an image. Returns false if it is none of the four types, or larger than 1 MiB, or nobody looks. */
export async function showImage(
  service: Reads,
  email: Email,
  { attachmentId, size }: AttachmentPart,
  { show, reserve }: Pick<Call, "show" | "reserve">,
): Promise<boolean> {
  if (!show || size > maxImageBytes) return false;
  // With its base64.
  await reserve?.(3 * size);
  const content = await contentOf(service, email, attachmentId);
  const contentType = imageTypeOf(content);
  if (contentType) show({ contentType, content });
  return contentType !== null;
}

/** The first bytes of each type; a dot is any byte. */
const beginnings: readonly [type: string, bytes: RegExp][] = [
  // deno-lint-ignore no-control-regex -- it has one
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
];
const longestBeginning = 12;

/** By the first bytes, because the content type is the sender's; null if it is none of the four. */
export function imageTypeOf(content: Uint8Array): string | null {
  const start = String.fromCharCode(...content.subarray(0, longestBeginning));
  return beginnings.find(([, bytes]) => bytes.test(start))?.[0] ?? null;
}
