import { mustConfirm, readUser } from "../../accounts/user.ts";
import { ServiceError } from "../../core/errors.ts";
import { mailboxForm } from "../../mailboxes/address.ts";
import { isBlocked } from "../../mailboxes/policy/address_patterns.ts";
import { type MailboxPolicy, readPolicy } from "../../mailboxes/policy/policy.ts";
import { type Tx, withoutChecks } from "../../store/transaction.ts";
import { findRoute } from "../receive/find_route.ts";
import { judgedAddresses, type Submission } from "./outgoing_message.ts";
import { type Judges, provenanceOf, type Writers, writersOf } from "./provenance.ts";
import { refusedSuppressed } from "../record/addresses/suppressions.ts";
import type { Provenance, Reason } from "../record/send_output.ts";

/**
 * What the rules found. If `refused` is not empty the mail is not sent; else if `wanted` is not empty it waits for a
 * person.
 */
export interface Judgement {
  refused: Reason[];
  wanted: Reason[];
  /** Only if they were needed or requested. */
  provenances: Map<string, Provenance>;
  /** The failure of the first rule that refuses. */
  failure: ServiceError | null;
}

/**
 * A rule returns why some recipients may not get the mail at present, or null if it allows the mail.
 * `details.recipients` names them (absent: all). An approval does not change its result.
 */
type Rule = (
  tx: Tx,
  service: Judges,
  mail: { userId: string; recipients: readonly string[] },
  policy: MailboxPolicy,
) => Promise<ServiceError | null> | ServiceError | null;

/** EMAIL_NOT_VERIFIED if the account's own address is not confirmed and a recipient is not one of its mailboxes. */
const refusedUnconfirmed: Rule = async (tx, service, { userId, recipients }) => {
  // Reads without a check are enough: a commit takes a hundred checks.
  const store = withoutChecks(tx);
  if (!mustConfirm(await readUser(store, userId), service.settings)) return null;
  const routes = await Promise.all(
    recipients.map((address) => findRoute(store, service, mailboxForm(address))),
  );
  if (routes.every(({ route }) => route?.userId === userId)) return null;
  return new ServiceError(
    "EMAIL_NOT_VERIFIED",
    "Confirm the account's email address first; until then mail goes to own mailboxes only.",
  );
};

/** The rules of the account: it must be confirmed, and no earlier mail to a recipient bounced permanently. */
const refusedByAccount: Rule = async (tx, service, mail, policy) =>
  await refusedUnconfirmed(tx, service, mail, policy) ??
    await refusedSuppressed(tx, mail.userId, mail.recipients);

const blockedByPolicy: Rule = (_tx, _service, mail, policy) => {
  const recipients = mail.recipients.filter((each) => isBlocked(policy.blockRecipients, each));
  if (recipients.length === 0) return null;
  const message = "The policy of the mailbox blocks a recipient.";
  return new ServiceError("RECIPIENT_BLOCKED", message, { recipients });
};

/** In the order in which their codes are answered. */
const rules: readonly Rule[] = [refusedByAccount, blockedByPolicy];

interface Judging {
  /** A person has approved exactly this content. */
  approved?: boolean;
  /** Finds the provenance of every recipient, whether the policy needs it or not. */
  all?: boolean;
}

/**
 * Decides in the transaction that would send, from its rows alone, whether a mail may be sent, is refused or waits for a
 * person (docs/sending.md "Whom an agent may write to").
 */
export async function judge(
  tx: Tx,
  service: Judges,
  submission: Pick<Submission, "mailbox" | "to" | "cc" | "bcc" | "replyTo" | "written">,
  writers: Writers,
  { approved = false, all = false }: Judging = {},
): Promise<Judgement> {
  const { userId, mailboxId } = submission.mailbox;
  const recipients = judgedAddresses(submission);
  const policy = await readPolicy(tx, userId, mailboxId);
  const failures: ServiceError[] = [];
  for (const rule of rules) {
    const failure = await rule(tx, service, { userId, recipients }, policy);
    if (failure) failures.push(failure);
  }
  const found = failures.flatMap(({ code, details }) =>
    (details.recipients as string[] | undefined ?? recipients)
      .map((recipient) => ({ recipient, code }))
  );
  const isFree = approved || policy.approval === "never";
  const asked = all || !isFree ? recipients : found.map(({ recipient }) => recipient);
  // At the same time: one after another, 50 recipients on a remote database hold up all writes for seconds.
  const provenances = new Map<string, Provenance>(
    await Promise.all(
      asked.map(async (each) =>
        [each, await provenanceOf(tx, service, userId, policy, writers, each)] as const
      ),
    ),
  );
  const reason = (recipient: string): Reason => ({
    recipient,
    provenance: provenances.get(recipient)!,
  });
  const wanted = isFree
    ? []
    : recipients.map(reason).filter(({ provenance }) =>
      policy.approval === "always" || provenance === "new"
    );
  return {
    refused: found.map(({ recipient, code }) => ({ ...reason(recipient), code })),
    wanted,
    provenances,
    failure: failures[0] ?? null,
  };
}

/** Why a person must approve a mail before it is sent; empty if none must. Throws SendRefused if a rule refuses it. */
export async function requireAllowed(
  tx: Tx,
  service: Judges,
  submission: Submission,
  writers: Writers,
  approved: boolean,
): Promise<readonly Reason[]> {
  const { failure, refused, wanted } = await judge(tx, service, submission, writers, { approved });
  if (failure) throw new SendRefused(failure, refused);
  return wanted;
}

/** Which recipients of a reply wrote in its thread. Read before the commit, which checks their emails again. */
export async function knownWriters(
  service: Judges,
  submission: Submission,
  { always = false }: { always?: boolean } = {},
): Promise<Writers> {
  const { mailbox: { userId, mailboxId }, written, answers = written?.answered } = submission;
  if (!answers) return new Map();
  // An out-of-date policy does no harm: the commit uses the one that it reads itself.
  const rows = service.database;
  const early = { get: async <T>(key: Deno.KvKey) => (await rows.prefetch<T>([key]))[0] };
  const { approval } = await readPolicy(early, userId, mailboxId);
  if (approval === "never" && !always) return new Map();
  const { parentThreadId, parentId } = answers;
  return await writersOf(service, userId, parentThreadId, parentId, judgedAddresses(submission));
}

/** A rule refuses recipients, so nothing is sent: the error of the first rule that refuses. */
export class SendRefused extends ServiceError {
  constructor({ code, message, details }: ServiceError, readonly reasons: readonly Reason[]) {
    super(code, message, details);
  }
}
