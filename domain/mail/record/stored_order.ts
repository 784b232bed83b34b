import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";

/** An email and its place in the order in which mail came into the store. */
export interface StoredPlace {
  /** The id of the email; of an imported one its import id. */
  place: string;
  emailId: string;
}

/**
 * The emails of a mailbox in the order in which they came into the store; their ids are in the order of `receivedAt`. The
 * bounds are places: from `start`, before `end`.
 */
export async function* storedOrder(
  { database }: Pick<Service, "database">,
  { userId, mailboxId }: { userId: string; mailboxId: string },
  bounds: { start?: string; end?: string },
): AsyncGenerator<StoredPlace> {
  const own = database.list<number>(keys.range(keys.emailsByMailbox(userId, mailboxId), bounds));
  const imported = database.list<string>(
    keys.range(keys.importedEmails(userId, mailboxId), bounds),
  );
  const nextImported = async (): Promise<StoredPlace | null> => {
    const { value: row, done } = await imported.next();
    return done ? null : { place: String(row.key.at(-1)), emailId: row.value };
  };
  let next = await nextImported();
  for await (const { key, value } of own) {
    if (value === 1) continue;
    const place = String(key.at(-1));
    for (; next && next.place < place; next = await nextImported()) yield next;
    yield { place, emailId: place };
  }
  for (; next; next = await nextImported()) yield next;
}
