import { z } from "zod";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";

/** When a person must approve what a mailbox sends. */
export const approvals = ["never", "new_recipients", "always"] as const;

/** The rules that the owner sets for a mailbox. Stored are only the fields that differ from `defaultPolicy`. */
export interface MailboxPolicy {
  approval: typeof approvals[number];
  /** Entries as `addressPattern` writes them, sorted. A block wins over an allow. */
  allowRecipients: readonly string[];
  blockRecipients: readonly string[];
  /** Empty: every sender may write. */
  allowSenders: readonly string[];
  blockSenders: readonly string[];
  /** Days after which mail is deleted; null: never. */
  retentionDays: number | null;
}

export const defaultPolicy: MailboxPolicy = {
  approval: "never",
  allowRecipients: [],
  blockRecipients: [],
  allowSenders: [],
  blockSenders: [],
  retentionDays: null,
};

/** The policy of a mailbox; the default if it was never set. */
export async function readPolicy(
  store: Pick<Tx, "get">,
  userId: string,
  mailboxId: string,
): Promise<MailboxPolicy> {
  const stored = await store.get<Partial<MailboxPolicy>>(keys.policy(userId, mailboxId));
  return { ...defaultPolicy, ...stored };
}

/** Writes the policy of a mailbox. */
export function writePolicy(
  tx: Pick<Tx, "set" | "delete">,
  userId: string,
  mailboxId: string,
  policy: MailboxPolicy,
): void {
  const changed = Object.entries(policy).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== null && value !== "never"
  );
  const row = keys.policy(userId, mailboxId);
  if (changed.length === 0) tx.delete(row);
  else tx.set(row, Object.fromEntries(changed));
}

const list = (meaning: string) => z.array(z.string()).describe(meaning);

/** docs/specification.md "Policies". */
export const policyRecord = z.object({
  approval: z.enum(approvals).describe(
    "When a person must approve what the mailbox sends: never, for recipients that are new, or always",
  ),
  allow_recipients: list("Who may be written to without approval: addresses and @domain"),
  block_recipients: list("Who is never written to; wins over allow_recipients"),
  allow_senders: list("If not empty, mail is taken only if every address in From is listed"),
  block_senders: list(
    "Whose mail is refused, by From or the envelope sender; wins over allow_senders",
  ),
  retention_days: z.int().nullable().describe("Mail that is older is deleted; null: it is kept"),
}).meta({ id: "MailboxPolicy", description: "The rules that the owner sets for a mailbox" });

export function policyRecordOf(policy: MailboxPolicy): z.input<typeof policyRecord> {
  return {
    approval: policy.approval,
    allow_recipients: [...policy.allowRecipients],
    block_recipients: [...policy.blockRecipients],
    allow_senders: [...policy.allowSenders],
    block_senders: [...policy.blockSenders],
    retention_days: policy.retentionDays,
  };
}
