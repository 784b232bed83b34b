import { notFound, ServiceError } from "../../../core/errors.ts";
import type { Service } from "../../../core/service.ts";
import { reportDamaged } from "../../../core/work/skip_damaged.ts";
import { readWholeBlob } from "../../../store/blobs.ts";
import { DamagedBlob } from "../../../store/blobs/chunk_form.ts";
import * as keys from "../../../store/keys.ts";
import type { Email } from "../../record/email.ts";
import type { ParseSource } from "./parse_pool.ts";

/** The raw message of an email, read from the store when its turn comes. Its `load` throws as {@link readRaw}. */
export function storedMessage(service: Pick<Service, "database">, email: Email): ParseSource {
  const { userId, size, raw } = email;
  return { userId, size, blobId: raw.blobId, load: () => readRaw(service, email), movable: true };
}

/** The bytes of an email. Throws NOT_FOUND if it was deleted meanwhile, DamagedBlob if they are lost. */
export async function readRaw(
  service: Pick<Service, "database">,
  email: Email,
): Promise<Uint8Array> {
  return await whileThere(service, email, readWholeBlob(service.database, email.raw));
}

/**
 * The result of a read of an email's bytes, which a job removes after the email, its mailbox or its account was deleted.
 * Throws NOT_FOUND if they are gone for that reason; DamagedBlob, and logs it, if those of an email that is there were lost.
 */
export async function whileThere<T>(
  { database }: Pick<Service, "database">,
  { userId, mailboxId, emailId }: Pick<Email, "userId" | "mailboxId" | "emailId">,
  reading: Promise<T>,
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error;
    const owners = await database.getMany([
      keys.user(userId),
      keys.mailbox(userId, mailboxId),
      keys.email(userId, emailId),
    ]);
    if (owners.includes(null)) throw notFound("email");
    reportDamaged(database.log, { table: "blob_chunks", id: emailId }, error);
    throw error;
  }
}

/** The result of a read of an email; null if the email was deleted meanwhile, or its bytes are lost. */
export async function nullIfDeleted<T>(reading: Promise<T>): Promise<T | null> {
  return await reading.catch((error) => {
    if (error instanceof DamagedBlob) return null;
    if (error instanceof ServiceError && error.code === "NOT_FOUND") return null;
    throw error;
  });
}
