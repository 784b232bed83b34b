import { z } from "zod";
import { operation } from "../../core/operation.ts";
import { fitEmailField } from "../read/budget.ts";
import { emailIdInput } from "../read/get_email.ts";
import { shownRows } from "../read/shown_rows.ts";
import { unprocessedOf } from "../read/unprocessed.ts";
import { emailRecord, emailRecordOf } from "../record/email_record.ts";
import { hasMarks, markEmail, markInput } from "./marks.ts";

export const updateEmail = operation({
  name: "update_email",
  title: "Mark an email",
  description:
    "Marks an email read or unread, and puts labels on it or takes them off. Reading an email does not mark it: mark what you have dealt with, so that " +
    "a list with is_read: false shows only the rest. Labels are yours to choose. Returns the record.",
  scope: "emails:write",
  audit: "change",
  input: emailIdInput.extend(markInput).refine(
    hasMarks,
    "must have is_read, add_labels or remove_labels",
  ),
  output: z.object({ email: emailRecord }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  fit: (output, maxChars) => fitEmailField(output, maxChars),
  async run(service, caller, { email_id, ...marks }, call) {
    const { userId } = caller;
    const row = await service.database.transact(async (tx) => {
      const row = await markEmail(tx, service, caller, email_id, marks);
      call.audit({ emailId: row.emailId, mailboxId: row.mailboxId, count: 1 }, tx);
      return row;
    });
    const [shown] = await shownRows(service, userId, [row]);
    const unprocessed = await unprocessedOf(service, userId, [email_id]);
    return { email: emailRecordOf(shown, !unprocessed.has(email_id)) };
  },
});
