import type { Service } from "../../../core/service.ts";
import { readWholeBlob } from "../../../store/blobs.ts";
import type { Email } from "../../record/email.ts";
import type { ParseSource } from "./parse_pool.ts";

/** The raw message of an email, read from the store when its turn comes. */
export function storedMessage(
  { database }: Pick<Service, "database">,
  { userId, size, raw }: Pick<Email, "userId" | "size" | "raw">,
): ParseSource {
  return { userId, size, load: () => readWholeBlob(database, raw), movable: true };
}
