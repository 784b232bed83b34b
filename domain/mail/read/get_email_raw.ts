import { z } from "zod";
import { emailId } from "../../core/email_id.ts";
import { ServiceError } from "../../core/errors.ts";
import { operation, requireScope } from "../../core/operation.ts";
import type { Reads } from "./reads.ts";
import { openBlob } from "../../store/blobs.ts";
import { emailIdInput, untrusted } from "./get_email.ts";
import { readRaw, whileThere } from "./parsing/stored_message.ts";
import { readEmailWith } from "./shown_rows.ts";
import type { Caller } from "../../core/caller.ts";
import type { BlobRef } from "../../core/blob_ref.ts";

/** The tool's `r2_key` and the raw download's X-Service-Storage-Key. */
function storageKey(ref: BlobRef): string {
  return `blobs/${ref.blobId}`;
}

/** The bytes, their base64, and the JSON, in which a tool has that twice. */
const answerTimes = 4;

/** A larger message would fill the context of a model. */
const usualBytes = 2 ** 20;

export const getEmailRaw = operation({
  name: "get_email_raw",
  title: "Get the original message",
  description:
    "The original MIME message byte for byte, in base64: for headers, signatures or attachments that get_email does not show. It can be large; prefer " +
    "get_email to read text. A message above 1 MiB is EMAIL_TOO_LARGE unless max_bytes allows it: details.download_path is where a program downloads it. " +
    untrusted,
  scope: "emails:read",
  audit: "read",
  input: emailIdInput.extend({
    max_bytes: z.int().min(1).max(52_428_800).default(usualBytes).describe(
      "The largest message to return, in bytes, 1 to 52,428,800",
    ),
  }),
  output: z.object({
    email_id: emailId,
    r2_key: z.string().describe("Internal storage key, for support"),
    raw_eml_base64: z.string(),
    encoding: z.literal("base64"),
    content_type: z.literal("message/rfc822"),
  }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND", "EMAIL_TOO_LARGE"],
  async run(service, caller, { email_id, max_bytes }, call) {
    const { email, beside: raw } = await readEmailWith(
      service,
      caller,
      email_id,
      async (email) => {
        if (email.size > max_bytes) return null;
        await call.reserve?.(email.size * answerTimes);
        return await readRaw(service, email);
      },
    );
    if (!raw) {
      const details = {
        size: email.size,
        max_bytes,
        download_path: `/v1/api/emails/${email.emailId}/raw`,
      };
      throw new ServiceError("EMAIL_TOO_LARGE", "The message is larger than max_bytes.", details);
    }
    call.audit({ emailId: email.emailId, mailboxId: email.mailboxId });
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
export async function openRawEmail(service: Reads, caller: Caller, emailId: string) {
  requireScope(caller, getEmailRaw.scope);
  const audited = service.audit.begin(caller, getEmailRaw.name, { surface: "rest" });
  const { email, beside: stream } = await readEmailWith(
    service,
    caller,
    emailId,
    (email) => whileThere(service, email, openBlob(service.database, email.raw)),
  );
  audited?.note({ emailId: email.emailId, mailboxId: email.mailboxId });
  audited?.end(1);
  return {
    emailId: email.emailId,
    size: email.size,
    storageKey: storageKey(email.raw),
    stream,
  };
}
