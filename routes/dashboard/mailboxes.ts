import { renameMailbox } from "../../domain/mailboxes/rename_mailbox.ts";
import { type RestRoute } from "../http/rest.ts";
import { mailboxRoutes } from "../v1/mailboxes.ts";
import { inData } from "../http/envelopes.ts";

/** The routes of v1 with a session, and the rename, which only a session may do (SPEC.md, Mailboxes). */
export const dashboardMailboxRoutes: RestRoute[] = [
  ...mailboxRoutes("/api/mailboxes"),
  {
    method: "PATCH",
    path: "/api/mailboxes/:mailboxId",
    params: { mailboxId: "mailbox_id" },
    operation: renameMailbox,
    input: "json",
    envelope: inData,
  },
];
