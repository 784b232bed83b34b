import type { IssuerChain } from "../accounts/api_key.ts";
import type { Issuer } from "../accounts/issuer.ts";
import { issuersLive } from "../accounts/issuer_chain.ts";
import { countStorage } from "../billing/usage.ts";
import type { BlobRef } from "../core/blob_ref.ts";
import { notFound } from "../core/errors.ts";
import type { Service } from "../core/service.ts";
import { releaseBlob } from "../store/blobs/blob_release.ts";
import type { Tx } from "../store/database.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";

/**
 * A file that a client sends by a URL, to be attached to one message (docs/specification.md "Uploads"). Its bytes count as
 * storage until the message has them, or its time is over.
 */
export interface Upload extends Issuer {
  uploadId: string;
  filename?: string;
  contentType?: string;
  createdAt: number;
  /** Until then its bytes may come; once they are here, it may be attached until then. ms since 1970. */
  expiresAt: number;
  /** null: its bytes have not come. */
  content: BlobRef | null;
  /** The upload ends with them. */
  makers: IssuerChain;
  /** When the key that made it expires; null: never. */
  issuerExpiresAt: number | null;
}

type Parts = Pick<Service, "database" | "jobs">;

/** The upload of an account. Throws NOT_FOUND if it is unknown, another account's, used, expired or its key has ended. */
export async function readUpload(
  { database, clock }: Pick<Service, "database" | "clock">,
  userId: string,
  uploadId: string,
): Promise<Upload> {
  const now = clock.now();
  const upload = await database.get<Upload>(keys.upload(userId, uploadId));
  const isLive = upload && upload.expiresAt > now &&
    await issuersLive(database, userId, upload.makers, now);
  if (!isLive) throw notFound("upload");
  return upload;
}

/** Ends uploads in the transaction of the message that has their bytes. Throws NOT_FOUND if one has ended meanwhile. */
export async function useUploads(
  tx: Tx,
  parts: Parts,
  userId: string,
  uploadIds: readonly string[],
): Promise<void> {
  for (const uploadId of uploadIds) {
    const upload = await tx.get<Upload>(keys.upload(userId, uploadId));
    if (!upload) throw notFound("upload");
    await remove(tx, parts, upload);
  }
}

/** Each checks its row, and those of its blob and its bytes. */
const uploadsPerCommit = 40;

/** Ends the uploads of an account that `isOver` names. */
export async function endUploads(
  parts: Parts,
  userId: string,
  isOver: (upload: Upload) => boolean,
): Promise<void> {
  const { database } = parts;
  const rows = await database.collect<Upload>({ prefix: keys.uploads(userId) });
  const ended = rows.filter(({ value }) => isOver(value));
  for (const some of database.forCommits(ended, uploadsPerCommit, 3)) {
    await database.transact(async (tx) => {
      for (const { key } of some) {
        const upload = await tx.get<Upload>(key);
        if (upload) await remove(tx, parts, upload);
      }
    });
  }
}

/** The job of an upload whose bytes are here, at the time until which it may be attached. */
export async function endUpload(
  { database, jobs, clock }: Parts & Pick<Service, "clock">,
  job: Job<"end_upload">,
): Promise<void> {
  const { userId, uploadId } = job.payload;
  await database.transact(async (tx) => {
    const upload = await tx.get<Upload>(keys.upload(userId, uploadId));
    // A clock that was ahead set the time of the job.
    const isEarly = upload && upload.expiresAt > clock.now();
    if (isEarly) return jobs.putOff(tx, job, upload.expiresAt, { attempts: 0 });
    if (upload) await remove(tx, { database, jobs }, upload);
    jobs.complete(tx, job);
  });
}

async function remove(tx: Tx, parts: Parts, { userId, uploadId, content }: Upload): Promise<void> {
  tx.delete(keys.upload(userId, uploadId));
  if (!content) return;
  await releaseBlob(tx, parts, userId, content);
  await countStorage(tx, userId, -content.size);
}
