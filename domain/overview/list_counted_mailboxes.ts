import { z } from "zod";
import { operation } from "../core/operation.ts";
import { counted, counts } from "../mailboxes/list_mailboxes.ts";
import { mailboxRecord, mailboxRecordOf } from "../mailboxes/mailbox.ts";

/** `GET /api/mailboxes`. */
export const listCountedMailboxes = operation({
  name: "list_counted_mailboxes",
  title: "List mailboxes with counts",
  description:
    "The account's mailboxes, each with how much mail it has received, and when the last.",
  scope: "mailboxes:read",
  audit: "none",
  input: z.object({}),
  output: z.object({
    mailboxes: z.array(
      mailboxRecord.extend({
        ...counts,
        unread_count: z.number().int().describe("Received and not marked read"),
      }).meta({ id: "CountedMailbox" }),
    ),
  }),
  errors: [],
  async run(service, caller) {
    return {
      mailboxes: await counted(service, caller, (mailbox, stats) => ({
        ...mailboxRecordOf(mailbox),
        unread_count: stats?.unread ?? 0,
      })),
    };
  },
});
