import { z } from "zod";
import { mailboxIdField } from "../mailbox_id.ts";
import { ServiceError } from "../../core/errors.ts";
import { operation } from "../../core/operation.ts";
import { readMailbox } from "../visible_mailboxes.ts";
import { addressPattern } from "./address_patterns.ts";
import {
  approvals,
  defaultPolicy,
  type MailboxPolicy,
  policyRecord,
  policyRecordOf,
  readPolicy,
  writePolicy,
} from "./policy.ts";

const mailboxId = mailboxIdField().describe("See list_mailboxes");

export const getPolicy = operation({
  name: "get_mailbox_policy",
  title: "Get the policy of a mailbox",
  description:
    "Whom the mailbox may write to, whose mail it takes, what a person must approve before it is sent, and how long mail is kept.",
  scope: "mailboxes:read",
  audit: "none",
  input: z.object({ mailbox_id: mailboxId }),
  output: policyRecord,
  errors: ["NOT_FOUND"],
  async run({ database }, caller, { mailbox_id }) {
    await readMailbox(database, caller, mailbox_id);
    return policyRecordOf(await readPolicy(database, caller.userId, mailbox_id));
  },
});

/**
 * Ordinary addresses have 25 characters: a list of a thousand fits. With two bytes a character the row stays below the
 * 64 KiB of a value.
 */
const maxEntries = 1_000;
const maxListChars = 28_000;

/** null and [] both empty a list. */
const list = (meaning: string) =>
  z.array(
    z.string().max(400).transform((text, context) => {
      const pattern = addressPattern(text);
      if (pattern !== null) return pattern;
      context.addIssue({
        code: "custom",
        message: "is neither an address nor @domain, which is for all of a domain",
        input: text,
      });
      return z.NEVER;
    }),
  ).max(maxEntries).nullable().optional().describe(
    `${meaning}: addresses, or @domain for a domain and what is below it. null or []: none`,
  );

/** PUT: changes only the given fields. */
export const setPolicy = operation({
  name: "set_mailbox_policy",
  title: "Change the policy of a mailbox",
  description:
    "Changes the fields that are given and keeps the others; null or [] sets one back to its default. The answer is the whole policy.",
  scope: "policy:write",
  audit: "change",
  input: z.object({
    mailbox_id: mailboxId,
    approval: z.enum(approvals).nullable().optional().describe(
      "never; new_recipients: a person approves mail to recipients that are new; always: all mail",
    ),
    allow_recipients: list("Who may be written to without approval"),
    block_recipients: list("Who is never written to; wins over allow_recipients"),
    allow_senders: list("If not empty, mail is taken only if every address in From is listed"),
    block_senders: list(
      "Whose mail is refused, by From or the envelope sender; wins over allow_senders",
    ),
    retention_days: z.int().min(1).max(3_650).nullable().optional().describe(
      "Mail that is older than this is deleted, received and sent; null: it is kept",
    ),
  }),
  output: policyRecord,
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
  async run({ database }, caller, { mailbox_id, ...given }, call) {
    const policy = await database.transact(async (tx) => {
      await readMailbox(tx, caller, mailbox_id);
      const before = await readPolicy(tx, caller.userId, mailbox_id);
      const policy: MailboxPolicy = {
        approval: changed(before.approval, given.approval, defaultPolicy.approval),
        allowRecipients: changedList(before.allowRecipients, given.allow_recipients),
        blockRecipients: changedList(before.blockRecipients, given.block_recipients),
        allowSenders: changedList(before.allowSenders, given.allow_senders),
        blockSenders: changedList(before.blockSenders, given.block_senders),
        retentionDays: changed(before.retentionDays, given.retention_days, null),
      };
      requireRoom(policy);
      writePolicy(tx, caller.userId, mailbox_id, policy);
      call.audit({ mailboxId: mailbox_id }, tx);
      return policy;
    });
    return policyRecordOf(policy);
  },
});

function changed<T>(before: T, given: T | null | undefined, unset: T): T {
  return given === undefined ? before : given ?? unset;
}

function changedList(
  before: readonly string[],
  given: readonly string[] | null | undefined,
): readonly string[] {
  return given === undefined ? before : [...new Set(given ?? [])].sort();
}

function requireRoom(policy: MailboxPolicy): void {
  const { allowRecipients, blockRecipients, allowSenders, blockSenders } = policy;
  const lists = [allowRecipients, blockRecipients, allowSenders, blockSenders].flat();
  const chars = lists.reduce((sum, each) => sum + each.length + 3, 0);
  if (chars <= maxListChars) return;
  const reason = `the lists together have more than ${maxListChars} characters`;
  throw new ServiceError("VALIDATION_ERROR", reason, { allow_recipients: reason });
}
