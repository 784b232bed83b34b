import { renameMailbox } from "../../domain/mailboxes/rename_mailbox.ts";
import { type RestRoute } from "../http/rest.ts";
import { mailboxRoutes } from "../v1/mailboxes.ts";
import { inData } from "../http/envelopes.ts";

/** The mailbox routes of v1 with a session, and the rename, which takes no API key. */
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
