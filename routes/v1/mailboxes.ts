import { createMailbox, listMailboxRecords } from "../../domain/mailboxes/mailboxes.ts";
import { bareBody, type Envelope, type RestRoute } from "../rest.ts";
import { z } from "zod";

/** `{success: true, mailbox}` (SPEC.md, Mailboxes). */
const inMailbox: Envelope = {
  body: (mailbox) => ({ success: true, mailbox }),
  schema: (mailbox) => z.object({ success: z.literal(true), mailbox }),
};

export const mailboxRoutes: RestRoute[] = [
  {
    method: "GET",
    path: "/v1/api/mailboxes",
    operation: listMailboxRecords,
    input: "none",
    envelope: bareBody,
  },
  {
    method: "POST",
    path: "/v1/api/mailboxes",
    operation: createMailbox,
    input: "json",
    status: 201,
    envelope: inMailbox,
  },
];
