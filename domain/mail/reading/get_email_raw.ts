import { z } from "zod";
import { emailId } from "../../core/email_id.ts";
import { operation, requireScope } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { type BlobRef, openBlob, readWholeBlob } from "../../store/blobs.ts";
import { emailIdInput, untrusted } from "./get_email.ts";
import { readEmailWith } from "./shown_rows.ts";
import type { Caller } from "../../core/caller.ts";

/** The tool's `r2_key` and the raw download's X-Service-Storage-Key. */
function storageKey(ref: BlobRef): string {
  return `blobs/${ref.blobId}`;
}

export const getEmailRaw = operation({
  name: "get_email_raw",
  title: "Get the original message",
  description:
    "The original MIME message byte for byte, in base64: for headers, signatures or attachments that get_email does not show. It can be large; prefer " +
    `get_email to read text. ${untrusted}`,
  scope: "emails:read",
  input: emailIdInput,
  output: z.object({
    email_id: emailId,
    r2_key: z.string().describe("Internal storage key, for support"),
    raw_eml_base64: z.string(),
    encoding: z.literal("base64"),
    content_type: z.literal("message/rfc822"),
  }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, input) {
    const { email, beside: raw } = await readEmailWith(
      service,
      caller,
      input.email_id,
      (email) => readWholeBlob(service.database, email.raw),
    );
    return {
      email_id: email.emailId,
      r2_key: storageKey(email.raw),
      raw_eml_base64: raw.toBase64(),
      encoding: "base64" as const,
      content_type: "message/rfc822" as const,
    };
  },
});

/** The original message as a stream, with the authorization of `get_email_raw`. */
export async function openRawEmail(service: Service, caller: Caller, emailId: string) {
  requireScope(caller, getEmailRaw.scope);
  const { email, beside: stream } = await readEmailWith(
    service,
    caller,
    emailId,
    (email) => openBlob(service.database, email.raw),
  );
  return {
    emailId: email.emailId,
    size: email.size,
    storageKey: storageKey(email.raw),
    stream,
  };
}
