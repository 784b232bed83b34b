import type { Email } from "../record/email.ts";
import type { EmailEffect } from "./effects.ts";

/*
 * The life of an email, besides its processing and its sending. Pure: no service, no clock.
 *
 * | event     | what follows                                                                                        |
 * | --------- | --------------------------------------------------------------------------------------------------- |
 * | `stored`  | it counts in its mailbox and in the account's activity                                              |
 * | `marked`  | the change                                                                                          |
 * | `read`    | the change; it no longer counts as unread in its mailbox; after `unread` it counts                  |
 * | `deleted` | it no longer counts in its mailbox; the change; jobs for the indexes and for its bytes              |
 * | `purged`  | its bytes are released and its storage is given back; the states of its recipients go               |
 *
 * Mail that is deleted while it is sent keeps its bytes until the last attempt, which adds their job.
 */

export type EmailEvent =
  | "marked"
  /** Received mail that was marked so. */
  | "read"
  | "unread"
  | { is: "stored" | "deleted"; email: Pick<Email, "direction" | "importId" | "status" | "raw"> }
  | { is: "purged"; raw: Email["raw"]; isSent: boolean };

/** What follows an event. */
export function emailEffects(event: EmailEvent): readonly EmailEffect[] {
  if (event === "marked") return [{ change: "email.updated" }];
  if (event === "read" || event === "unread") {
    return [{ count: "unread", by: event === "read" ? -1 : 1 }, { change: "email.updated" }];
  }
  switch (event.is) {
    case "stored": {
      const { direction, importId } = event.email;
      const what = importId !== undefined
        ? "imported"
        : direction === "inbound"
        ? "received"
        : "sent";
      return [{ count: "mailbox", by: 1 }, { count: "activity", what }];
    }
    case "deleted": {
      const { status, raw } = event.email;
      return [
        { count: "mailbox", by: -1 },
        { change: "email.deleted" },
        { job: "unindex_email", payload: {} },
        status === "queued" ? { keepUnsent: true } : { job: "purge_email", payload: { raw } },
      ];
    }
    case "purged": {
      const { raw, isSent } = event;
      const storage = { count: "storage", bytes: -raw.size } as const;
      return [{ release: raw }, storage, ...isSent ? [{ forget: "recipients" } as const] : []];
    }
  }
}
