import { renameMailbox } from "../../domain/mailboxes/rename_mailbox.ts";
import { type RestRoute } from "../http/rest.ts";
import { mailboxRoutes } from "../v1/mailboxes.ts";
import { inData } from "../http/envelopes.ts";

/** The mailbox routes of v1 for sessions, and the rename, which no API key can use. */
export const dashboardMailboxRoutes: RestRoute[] = [
  ...mailboxRoutes("dashboard"),
  {
    family: "dashboard",
    tag: "Mailboxes",
    method: "PATCH",
    path: "/api/mailboxes/:mailboxId",
    params: { mailboxId: "mailbox_id" },
    operation: renameMailbox,
    input: "json",
    envelope: inData,
  },
];
