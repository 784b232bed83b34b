import { z } from "zod";
import { checkEmail } from "../../domain/mailboxes/check_email.ts";
import { createMailbox } from "../../domain/mailboxes/create_mailbox.ts";
import { deleteMailbox } from "../../domain/mailboxes/delete_mailbox.ts";
import { getPolicy, setPolicy } from "../../domain/mailboxes/policy/set_policy.ts";
import type { RestRoute } from "../http/rest.ts";
import { listCountedMailboxes, listMailboxRecords } from "../../domain/mailboxes/list_mailboxes.ts";
import { bareBody, besideSuccess, type Envelope, inData } from "../http/envelopes.ts";
import { apiBases } from "../http/families.ts";
import { renameMailbox } from "../../domain/mailboxes/rename_mailbox.ts";

/** `{success: true, mailbox}`. */
const inMailbox: Envelope = {
  body: (mailbox) => ({ success: true, mailbox }),
  schema: (mailbox) => z.object({ success: z.literal(true), mailbox }),
};

/** The routes that API keys and sessions share. */
export function mailboxRoutes(family: keyof typeof apiBases): RestRoute[] {
  const mailboxes = { family, tag: "Mailboxes" } as const;
  const base = `${apiBases[family]}/mailboxes`;
  return [
    {
      ...mailboxes,
      method: "GET",
      path: base,
      operation: family === "dashboard" ? listCountedMailboxes : listMailboxRecords,
      input: "none",
      envelope: bareBody,
    },
    {
      ...mailboxes,
      method: "POST",
      path: base,
      operation: createMailbox,
      input: "json",
      status: 201,
      envelope: inMailbox,
    },
    {
      ...mailboxes,
      method: "GET",
      path: `${base}/check-email`,
      operation: checkEmail,
      input: "query",
      envelope: besideSuccess,
    },
    {
      ...mailboxes,
      method: "DELETE",
      path: `${base}/:mailboxId`,
      params: { mailboxId: "mailbox_id" },
      operation: deleteMailbox,
      input: "json",
      envelope: inData,
    },
    {
      ...mailboxes,
      method: "GET",
      path: `${base}/:mailboxId/policy`,
      params: { mailboxId: "mailbox_id" },
      operation: getPolicy,
      input: "none",
      envelope: inData,
    },
    {
      ...mailboxes,
      method: "PUT",
      path: `${base}/:mailboxId/policy`,
      params: { mailboxId: "mailbox_id" },
      operation: setPolicy,
      input: "json",
      strict: true,
      envelope: inData,
    },
  ];
}

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
