import { z } from "zod";
import { issuerIn } from "../accounts/issuer.ts";
import { issuerChainOf } from "../accounts/issuer_chain.ts";
import { signedToken } from "../accounts/signed_urls.ts";
import { isoTime, timestampField } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { operation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { readableRows } from "../core/work/skip_damaged.ts";
import * as keys from "../store/keys.ts";
import { contentTypeField, filenameField } from "./file_fields.ts";
import type { Upload } from "./upload.ts";

/** The route that takes the bytes, from the service's address on; the token follows. */
export const uploadPath = "/v1/api/uploads/";

/** The bytes must come within this time. */
const openMs = 15 * 60_000;
/** Uploads of an account that wait for their bytes or to be attached. */
const mostUploads = 1_000;

/** `POST /v1/api/uploads` and the tool `create_upload`. */
export const createUpload = operation({
  name: "create_upload",
  title: "Create an upload",
  description:
    "Makes a URL for a file that is to be attached, so that its bytes do not pass through you: PUT the bytes to upload_url (curl -T FILE URL), once, without " +
    "another credential, until expires_at. Then give upload_id in the attachments of one send, reply, forward or draft, within 24 hours.",
  scope: "emails:send",
  audit: "change",
  input: z.object({
    filename: filenameField().optional().describe("Name of the file, unless the message names it"),
    content_type: contentTypeField().optional().describe(
      "Media type, unless the message names it; without both the usual one of the filename",
    ),
  }),
  output: z.object({
    upload_id: z.string().describe("For attachments of one message"),
    upload_url: z.string().describe("Takes the bytes with PUT; whoever has it can send them"),
    expires_at: timestampField.describe("The bytes must come before this time"),
  }).meta({ id: "Upload", description: "A URL that takes the bytes of one file" }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN"],
  async run(service, caller, { filename, content_type }, call) {
    const { database, clock, ids, settings } = service;
    const { userId } = caller;
    await requireRoom(service, userId);
    const now = clock.now();
    const uploadId = ids.timed(now);
    const token = await signedToken(service, "upload", [userId, uploadId]);
    const expiresAt = await database.transact(async (tx) => {
      const { makers, expiresAt: issuerExpiresAt } = await issuerChainOf(tx, caller);
      const upload: Upload = {
        uploadId,
        ...issuerIn(caller),
        ...filename !== undefined && { filename },
        ...content_type !== undefined && { contentType: content_type },
        createdAt: now,
        expiresAt: Math.min(now + openMs, issuerExpiresAt ?? Infinity),
        content: null,
        ...{ makers, issuerExpiresAt },
      };
      tx.set(keys.upload(userId, uploadId), upload);
      call.audit({}, tx);
      return upload.expiresAt;
    });
    return {
      upload_id: uploadId,
      upload_url: `${settings.BASE_URL}${uploadPath}${token}`,
      expires_at: isoTime(expiresAt),
    };
  },
});

/** Throws FORBIDDEN if the account has as many uploads as it may. Two at the same time may both find room for one. */
async function requireRoom({ database, clock, log }: Service, userId: string): Promise<void> {
  const newest = await database.collect<Upload>(
    { prefix: keys.uploads(userId) },
    { reverse: true, limit: mostUploads },
  );
  const ends = readableRows(log, newest, ({ expiresAt }) => expiresAt);
  const now = clock.now();
  const count = ends.filter((expiresAt) => expiresAt > now).length;
  if (count < mostUploads) return;
  throw new ServiceError("FORBIDDEN", `${mostUploads} uploads wait to be attached.`, {
    count,
    limit: mostUploads,
  });
}
