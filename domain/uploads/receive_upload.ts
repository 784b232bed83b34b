import { issuerIn } from "../accounts/issuer.ts";
import { isMember, personOf } from "../accounts/member.ts";
import { fieldsOfToken } from "../accounts/signed_urls.ts";
import { readUser, type User } from "../accounts/user.ts";
import { overQuota, spend } from "../billing/usage.ts";
import type { Caller } from "../core/caller.ts";
import { notFound, ServiceError } from "../core/errors.ts";
import type { Service } from "../core/service.ts";
import { BlobWriter, type FinishedBlob } from "../store/blobs.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { readUpload, type Upload } from "./upload.ts";

/** It may be attached for this long after its bytes have come. */
const keptMs = 86_400_000;
/** Below what the bodies of one account may take of the memory together: a larger file could never come. */
const largestBytes = 64 * 2 ** 20;

/** An upload whose bytes may come, and the caller that made it. */
export interface OpenUpload {
  upload: Upload;
  caller: Caller;
}

/** The upload of a token. Throws NOT_FOUND if there is none that waits for bytes, CONFLICT if they are here. */
export async function openUpload(service: Service, token: string): Promise<OpenUpload> {
  const fields = await fieldsOfToken(service, "upload", token);
  if (!fields) throw notFound("upload");
  const [userId, uploadId] = fields;
  const upload = await readUpload(service, userId, uploadId);
  requireEmpty(upload);
  const user = await readUser(service.database, userId);
  requirePresent(user, upload);
  return { upload, caller: { ...issuerIn(upload), plan: user.plan } };
}

/** Whoever was removed from the account sends it no bytes. */
function requirePresent(user: User, upload: Upload): void {
  if (!isMember(user, personOf(upload))) throw notFound("upload");
}

/**
 * Stores the bytes of an upload. When it resolves they are durable, and counted as storage; before its one commit nothing
 * refers to them. Throws PAYLOAD_TOO_LARGE, FORBIDDEN if the storage is full, CONFLICT if other bytes came first, and NOT_FOUND
 * if its time is over. `declaredSize` is refused before the body is read.
 */
export async function receiveUpload(
  service: Service,
  { upload, caller }: OpenUpload,
  { declaredSize, body }: { declaredSize: number | null; body: AsyncIterable<Uint8Array> },
): Promise<{ upload_id: string; size: number }> {
  const { database, clock, plans } = service;
  const { userId, uploadId } = upload;
  const limit = Math.min(plans[caller.plan].maxEmailBytes ?? Infinity, largestBytes);
  const requireSize = (size: number) => {
    if (size <= limit) return;
    const message = `The file is larger than ${limit} bytes.`;
    throw new ServiceError("PAYLOAD_TOO_LARGE", message, { limit });
  };
  if (declaredSize !== null) {
    requireSize(declaredSize);
    await database.rehearse(async (tx) => {
      await spendStorage(tx, service, await readUser(tx, userId), declaredSize);
    });
  }
  const writer = new BlobWriter(service);
  let blob: FinishedBlob | null = null, isKept = false;
  try {
    let size = 0;
    for await (const piece of body) {
      size += piece.length;
      requireSize(size);
      // A sender of a few bytes a second would hold its share of the memory for hours.
      if (clock.now() >= upload.expiresAt) throw notFound("upload");
      await writer.write(piece);
    }
    const finished = blob = await writer.finish();
    const audited = service.audit.begin(caller, "put_upload", { surface: "rest" });
    await database.transact(async (tx) => {
      await keep(tx, service, upload, finished);
      audited?.note({}, tx);
    });
    isKept = true;
    return { upload_id: uploadId, size };
  } finally {
    if (!isKept) await (blob ?? writer).discard();
  }
}

async function keep(
  tx: Tx,
  service: Service,
  { userId, uploadId }: Upload,
  blob: FinishedBlob,
): Promise<void> {
  const now = service.clock.now();
  const key = keys.upload(userId, uploadId);
  const current = await tx.get<Upload>(key);
  if (!current || current.expiresAt <= now) throw notFound("upload");
  requireEmpty(current);
  const user = await readUser(tx, userId);
  requirePresent(user, current);
  await spendStorage(tx, service, user, blob.ref.size);
  await blob.attach(tx);
  const expiresAt = Math.min(now + keptMs, current.issuerExpiresAt ?? Infinity);
  tx.set(key, { ...current, content: blob.ref, expiresAt } satisfies Upload);
}

function requireEmpty({ content }: Upload): void {
  if (content) throw new ServiceError("CONFLICT", "The bytes of this upload have come before.");
}

async function spendStorage(tx: Tx, service: Service, user: User, bytes: number): Promise<void> {
  const { plans, clock } = service;
  const exceeded = await spend(tx, user, plans[user.plan], clock.now(), null, bytes);
  if (exceeded) throw overQuota(exceeded, user.plan);
}
