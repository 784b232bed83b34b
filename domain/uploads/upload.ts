import type { IssuerChain } from "../accounts/api_key.ts";
import type { Issuer } from "../accounts/issuer.ts";
import { issuersLive } from "../accounts/issuer_chain.ts";
import { countStorage } from "../billing/usage.ts";
import type { BlobRef } from "../core/blob_ref.ts";
import { notFound } from "../core/errors.ts";
import type { Service } from "../core/service.ts";
import { skipDamaged } from "../core/work/skip_damaged.ts";
import { releaseBlob } from "../store/blobs/blob_release.ts";
import type { Tx } from "../store/database.ts";
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

/**
 * Throws NOT_FOUND if an upload whose bytes are not there was used, or has ended, since it was read. A transaction, because
 * the commit that removed both can be durable before its answer is here: until then the row is in memory.
 */
export async function requireStillThere(
  { database }: Pick<Service, "database">,
  userId: string,
  uploadId: string,
): Promise<void> {
  const row = await database.transact((tx) => tx.get<Upload>(keys.upload(userId, uploadId)));
  if (!row) throw notFound("upload");
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

/** Each checks its row, that of its bytes and that of its account's storage. */
const uploadsPerCommit = 30;

/** Ends the uploads of an account that depend on a key, or all of them. */
export async function endUploads(
  parts: Parts,
  userId: string,
  isOver: (upload: Upload) => boolean = () => true,
): Promise<void> {
  await endWhere(parts, keys.uploads(userId), isOver);
}

/** Ends the uploads of all accounts whose time is over: a sweep. A job for each would wait for a day after its use. */
export async function endOverdueUploads(
  parts: Parts & Pick<Service, "clock">,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  const now = parts.clock.now();
  return await endWhere(parts, keys.allUploads(), ({ expiresAt }) => expiresAt <= now, mayGoOn);
}

async function endWhere(
  parts: Parts,
  prefix: Deno.KvKey,
  isOver: (upload: Upload) => boolean,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  const { database } = parts;
  const ended: Deno.KvKey[] = [];
  for await (const row of database.list<Upload>({ prefix }, { batchSize: 100 })) {
    const about = { table: "uploads", id: String(row.key.at(-1)) };
    if (skipDamaged(database.log, about, () => isOver(row.value))) ended.push(row.key);
  }
  for (const some of database.forCommits(ended, uploadsPerCommit, 3)) {
    if (!mayGoOn()) break;
    await database.transact(async (tx) => {
      for (const key of some) {
        const upload = await tx.get<Upload>(key);
        // Its bytes may have come meanwhile, which gives it more time.
        if (upload && isOver(upload)) await remove(tx, parts, upload);
      }
    });
  }
  return ended.length;
}

async function remove(tx: Tx, parts: Parts, { userId, uploadId, content }: Upload): Promise<void> {
  tx.delete(keys.upload(userId, uploadId));
  if (!content) return;
  await releaseBlob(tx, parts, userId, content);
  await countStorage(tx, userId, -content.size);
}
