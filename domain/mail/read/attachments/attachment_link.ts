import { z } from "zod";
import { callerOfIssuer, issuerField, issuerOf } from "../../../accounts/issuer.ts";
import { fieldsOfToken, signedToken } from "../../../accounts/signed_urls.ts";
import type { Caller } from "../../../core/caller.ts";
import { isoTime, timestampField } from "../../../core/clock.ts";
import { notFound } from "../../../core/errors.ts";
import { operation } from "../../../core/operation.ts";
import type { Service } from "../../../core/service.ts";
import { emailIdInput } from "../get_email.ts";
import { findAttachment } from "./get_attachment.ts";

/** The route of the download, from the service's address on; the token follows. */
export const downloadPath = "/v1/api/downloads/";

const validMs = 15 * 60_000;

/** `GET /v1/api/emails/{messageId}/attachments/{attachmentId}/link`. */
export const getAttachmentLink = operation({
  name: "get_attachment_link",
  title: "Get a link to an attachment",
  description:
    "A URL that answers the bytes of one attachment without a key, to whoever has it, for 15 minutes: for a program that is to read the file. It ends before that with the email, and " +
    "with the key or session that asked for it.",
  scope: "emails:read",
  audit: "read",
  input: emailIdInput.extend({
    attachment_id: z.string().min(1).max(100).describe("attachment_id of the email's attachments"),
  }),
  output: z.object({
    download_url: z.string().describe("Answers the bytes with GET; whoever has it can read them"),
    expires_at: timestampField.describe("It works until this time at most"),
  }).meta({ id: "AttachmentLink", description: "A URL that needs no key, for one attachment" }),
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
  async run(service, caller, { email_id, attachment_id }, { audit }) {
    const { email } = await findAttachment(service, caller, email_id, attachment_id);
    audit({ emailId: email_id, mailboxId: email.mailboxId });
    const { url, expiresAt } = await downloadLink(service, caller, email_id, attachment_id);
    return { download_url: url, expires_at: isoTime(expiresAt) };
  },
});

/** A link to an attachment that exists. It costs no commit: the URL has all of it, signed. */
export async function downloadLink(
  service: Service,
  caller: Caller,
  emailId: string,
  attachmentId: string,
): Promise<{ url: string; expiresAt: number }> {
  const { settings, clock } = service;
  const expiresAt = Math.min(clock.now() + validMs, caller.expiresAt ?? Infinity);
  const fields = [caller.userId, emailId, attachmentId, issuerField(caller), String(expiresAt)];
  const token = await signedToken(service, "download", fields);
  return { url: `${settings.BASE_URL}${downloadPath}${token}`, expiresAt };
}

/** The attachment of a link, and who asked for the link. Throws NOT_FOUND if it is over, or its key or session has ended. */
export async function openLink(
  service: Pick<Service, "database" | "clock">,
  token: string,
): Promise<{ caller: Caller; emailId: string; attachmentId: string }> {
  const fields = await fieldsOfToken(service, "download", token);
  if (!fields) throw notFound("download");
  const [userId, emailId, attachmentId, issuer, expiresAt] = fields;
  const isOver = Number(expiresAt) <= service.clock.now();
  const caller = isOver ? null : await callerOfIssuer(service, issuerOf(userId, issuer));
  if (!caller) throw notFound("download");
  return { caller, emailId, attachmentId };
}
