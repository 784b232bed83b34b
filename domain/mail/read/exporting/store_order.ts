import type { Service } from "../../../core/service.ts";
import { timeOfId } from "../../../core/ids.ts";
import { storedOrder, type StoredPlace } from "../../record/stored_order.ts";

/** Some emails of a mailbox, and the place of the last of them; null if no others come after it. */
export interface Page {
  emailIds: string[];
  next: string | null;
}

type Reads = Pick<Service, "database" | "clock">;

/** A place is made before its commit, which takes milliseconds, or on a busy machine part of a second. */
const commitMs = 1_000;

/**
 * The next emails of a mailbox after a place, at most `limit`, in the order in which they came into the store. An email whose
 * place is before another's may be committed after it: a page whose last email came in just now is read again a second
 * later, so that no cursor passes such an email.
 */
export async function readPage(
  service: Reads,
  mailbox: { userId: string; mailboxId: string },
  after: string | null,
  limit: number,
): Promise<Page> {
  const read = () => emailsAfter(service, mailbox, after, limit + 1);
  let emails = await read();
  const youngMs = emails.length > limit
    ? timeOfId(emails[limit - 1].place) + commitMs - service.clock.now()
    : 0;
  if (youngMs > 0) {
    await new Promise<void>((done) => service.clock.wakeIn(Math.min(commitMs, youngMs), done));
    emails = await read();
  }
  const page = emails.slice(0, limit);
  return {
    emailIds: page.map(({ emailId }) => emailId),
    next: emails.length > limit ? page[page.length - 1].place : null,
  };
}

async function emailsAfter(
  service: Reads,
  mailbox: { userId: string; mailboxId: string },
  after: string | null,
  limit: number,
): Promise<StoredPlace[]> {
  const found: StoredPlace[] = [];
  const bounds = after === null ? {} : { start: `${after}\u0000` };
  for await (const each of storedOrder(service, mailbox, bounds)) {
    if (found.push(each) === limit) break;
  }
  return found;
}
