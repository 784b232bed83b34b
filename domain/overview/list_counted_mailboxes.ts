import { z } from "zod";
import { operation } from "../core/operation.ts";
import { counted, counts } from "../mailboxes/list_mailboxes.ts";
import { mailboxRecord, mailboxRecordOf } from "../mailboxes/mailbox.ts";
import { unreadCounts } from "./unread_counts.ts";

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
        unread_count: z.number().int().describe(
          "Received and not marked read, among the newest 500 mails of the account",
        ),
      }).meta({ id: "CountedMailbox" }),
    ),
  }),
  errors: [],
  async run(service, caller) {
    const [mailboxes, unread] = await Promise.all([
      counted(service, caller, mailboxRecordOf),
      unreadCounts(service, caller.userId),
    ]);
    return {
      mailboxes: mailboxes.map((each) => ({
        ...each,
        unread_count: unread.get(each.mailbox_id) ?? 0,
      })),
    };
  },
});
