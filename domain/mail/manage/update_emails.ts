import { z } from "zod";
import type { Caller } from "../../core/caller.ts";
import { emailId } from "../../core/email_id.ts";
import { ServiceError } from "../../core/errors.ts";
import { operation } from "../../core/operation.ts";
import { requireRole } from "../../core/roles/least_role.ts";
import type { Parts } from "../lifecycle/apply.ts";
import type { Tx } from "../../store/database.ts";
import { storedEmailKeys } from "../record/read_email.ts";
import { removeEmail } from "./delete_email.ts";
import { hasMarks, markEmail, markInput, type Marks } from "./marks.ts";

/** Why one email of a batch was not changed; the others are. */
const itemCodes = ["NOT_FOUND", "VALIDATION_ERROR"] as const;

const input = z.object({
  email_ids: z.array(emailId).min(1).max(100).describe("1 to 100 emails"),
  ...markInput,
  delete: z.literal(true).optional().describe("true: delete them; then no other field is allowed"),
}).refine(
  (given) => given.delete !== undefined || hasMarks(given),
  "must have is_read, add_labels, remove_labels or delete",
).refine((given) => !(given.delete && hasMarks(given)), {
  path: ["delete"],
  message: "stands alone: leave is_read, add_labels and remove_labels out",
});

const batchResult = z.object({
  // An id that belongs to no email may contain anything.
  email_id: z.string().describe("As in email_ids"),
  ok: z.boolean(),
  code: z.enum(itemCodes).optional().describe("Only if ok is false: why it was not changed"),
}).meta({ id: "BatchResult", description: "The result for one email of a batch" });

export const updateEmails = operation({
  name: "update_emails",
  title: "Mark or delete several emails",
  description:
    "Does what update_email does to up to 100 emails at once, or deletes them with `delete: true`. Each result says whether its email was changed; one that " +
    "is unknown does not stop the others.",
  scope: "emails:write",
  audit: "change",
  input,
  output: z.object({ results: z.array(batchResult).describe("In the order of email_ids") }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN"],
  // For a batch that changed nothing; other batches set the number in their commits.
  emailsIn: () => 0,
  async run(service, caller, { email_ids, delete: isDelete, ...marks }, call) {
    if (isDelete) requireRole(caller, "delete_email");
    const done = new Set<string>();
    const inCommit = (tx: Tx, emailId: string) => {
      done.add(emailId);
      // Each commit of the batch writes the row, with the number so far.
      call.audit({ count: done.size }, tx);
    };
    // Each is a transaction; the store commits those that wait together.
    const results = email_ids.map((id) =>
      changed(service, caller, id, isDelete ? null : marks, inCommit)
    );
    return { results: await Promise.all(results) };
  },
});

async function changed(
  parts: Parts,
  caller: Caller,
  emailId: string,
  marks: Marks | null,
  inCommit: (tx: Tx, emailId: string) => void,
): Promise<z.input<typeof batchResult>> {
  try {
    await parts.database.transact(
      async (tx) => {
        if (marks) await markEmail(tx, parts, caller, emailId, marks);
        else await removeEmail(tx, parts, caller, emailId);
        inCommit(tx, emailId);
      },
      { prefetch: storedEmailKeys(caller.userId, emailId) },
    );
    return { email_id: emailId, ok: true };
  } catch (error) {
    const code = itemCodes.find((each) => error instanceof ServiceError && error.code === each);
    if (!code) throw error;
    return { email_id: emailId, ok: false, code };
  }
}
