import { z } from "zod";
import { isoTime, timestampField } from "../../core/clock.ts";
import { operation, type OperationCall } from "../../core/operation.ts";
import { TimeSlices } from "../../core/work/time_slices.ts";
import { reportDamaged } from "../../core/work/skip_damaged.ts";
import { readMailbox } from "../../mailboxes/visible_mailboxes.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { answerBytesOf, maxCharsField, rowsThatFit } from "../read/budget.ts";
import { fullEmail, fullEmailOf, untrusted } from "../read/get_email.ts";
import { nullIfDeleted } from "../read/parsing/stored_message.ts";
import { jsonChars, shorten } from "../read/shorten.ts";
import { storedEmail } from "../record/read_email.ts";
import {
  claimKeptMs,
  type ClaimOfId,
  type ClaimRow,
  isFreeAgain,
  maxAttempts,
  setAside,
  writeClaim,
} from "../manage/claim_row.ts";
import { matches, type WaitFilters, waitFilters } from "./matching.ts";
import {
  type Claims,
  type FreeEmail,
  freeEmails,
  type MailboxRef,
  nextDue,
} from "./free_emails.ts";

export const leaseField = z.int().min(5).max(3_600);

const input = z.object({
  mailbox_id: z.string().describe("The mailbox; see list_mailboxes"),
  limit: z.int().min(1).max(50).default(1).describe("Emails to claim, 1 to 50"),
  lease_seconds: leaseField.default(60).describe(
    "How long the emails are yours, 5 to 3,600 seconds; then others can claim them",
  ),
  wait_seconds: z.int().min(0).max(60).default(0).describe(
    "If there is nothing to claim: how long to wait for it; as a tool 50 at most: many MCP clients give up after 60",
  ),
  ...waitFilters,
  max_chars: maxCharsField,
});

const claimFields = {
  claim_id: z.string().describe("For ack_email, nack_email and extend_claim"),
  lease_until: timestampField,
  attempts: z.int().min(1).describe("How often the email was handed out, this time included"),
};

export const leaseRecord = z.object(claimFields).meta({
  id: "ClaimLease",
  description: "A claim and the end of its lease",
});

const claimRecord = z.object({ ...claimFields, email: fullEmail }).meta({
  id: "Claim",
  description: "An email that is yours until the end of the lease",
});

/** A claim that was made. */
interface Claimed {
  emailId: string;
  claim: ClaimRow;
}

export const claimEmails = operation({
  name: "claim_emails",
  title: "Claim emails",
  description:
    "Takes the oldest unclaimed emails of a mailbox for you alone, so that several workers share a mailbox and no email is handled twice. Deal with each and " +
    "call ack_email with its claim_id; nack_email gives it back. What is not acked when the lease ends goes to the next who asks; extend_claim " +
    `prolongs it. With wait_seconds it waits for mail. ${untrusted}`,
  scope: ["emails:write", "emails:read"],
  audit: "change",
  input,
  output: z.object({ claims: z.array(claimRecord).describe("Oldest first") }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND", "RATE_LIMIT_EXCEEDED"],
  emailsIn: ({ claims }) => claims.length,
  fit: fitClaims,
  async run(service, caller, input, call) {
    const { waiting, claimTurns, clock } = service;
    const { userId } = caller;
    const signal = call.signal?.();
    const { mailboxId } = await readMailbox(service.database, caller, input.mailbox_id);
    const until = clock.now() + input.wait_seconds * 1_000;
    const limit = input.max_chars === undefined
      ? input.limit
      : Math.min(input.limit, rowsThatFit(input.max_chars));
    const mailbox = { userId, mailboxId };
    call.audit({ mailboxId });
    const leaseMs = input.lease_seconds * 1_000;
    const take = () =>
      claimTurns.run(
        mailboxId,
        async () =>
          signal?.aborted ? [] : await claim(service, mailbox, input, { limit, leaseMs, call }),
      );
    const takeShown = async () => {
      for (;;) {
        const claimed = await take();
        const shown = await shownClaims(service, userId, claimed, call);
        // An email that cannot be shown stays claimed until its lease ends, and does not hide those behind it.
        if (shown.length > 0 || claimed.length === 0) return shown;
      }
    };
    let claims = await takeShown();
    if (claims.length === 0 && input.wait_seconds > 0) {
      using wait = waiting.begin(userId, "wait", { ...call, signal, until });
      await wait.until(async () => {
        // The mailbox may be gone.
        await readMailbox(service.database, caller, mailboxId);
        const lookedAt = clock.now();
        claims = await takeShown();
        if (claims.length > 0) return true;
        const dueAt = await nextDue(service, mailbox, lookedAt);
        if (dueAt !== null) waiting.alarm(wait, dueAt);
        return false;
      });
    }
    return { claims };
  },
});

/**
 * The claims with their emails. Each is independent: one that cannot be shown is left out, and the others are not lost with
 * it. Throws what reading the emails throws only if none can be shown.
 */
async function shownClaims(
  service: Claims,
  userId: string,
  claimed: readonly Claimed[],
  call: OperationCall,
): Promise<z.input<typeof claimRecord>[]> {
  const results = await Promise.allSettled(claimed.map(async ({ emailId, claim }) => {
    const email = await storedEmail(service.database, userId, emailId);
    const shown = email && await nullIfDeleted(fullEmailOf(service, email, call));
    if (!shown) return [];
    const { claimId, dueAt, attempts } = claim;
    return [{ claim_id: claimId, email: shown, lease_until: isoTime(dueAt), attempts }];
  }));
  const shown = results.flatMap((each) => each.status === "fulfilled" ? each.value : []);
  results.forEach((each, n) => {
    if (each.status === "fulfilled") return;
    if (shown.length === 0) throw each.reason;
    reportDamaged(service.log, { table: "emails", id: claimed[n].emailId }, each.reason);
  });
  return shown;
}

/**
 * The most that one call reads of bodies: eight of the largest mails. What is claimed may not be left off, so the claims are
 * fewer then.
 */
const claimBytes = 24_000_000;

/** Claims the oldest free emails that match, at most `limit`. */
async function claim(
  service: Claims,
  mailbox: MailboxRef,
  filters: WaitFilters,
  options: { limit: number; leaseMs: number; call: OperationCall },
): Promise<Claimed[]> {
  for (let from: "memory" | "store" = "memory";;) {
    const chosen: FreeEmail[] = [];
    const slices = new TimeSlices(service.clock, mailbox.userId);
    let bytes = 0;
    for await (const free of freeEmails(service, mailbox, from)) {
      await slices.next();
      if (!await matches(service, mailbox.userId, free.row, filters)) continue;
      chosen.push(free);
      bytes += answerBytesOf(free.row.size);
      if (chosen.length === options.limit || bytes >= claimBytes) break;
    }
    // An email from another process can be older than those that this process has seen.
    const isFull = chosen.length === options.limit || bytes >= claimBytes;
    if (!isFull && from === "memory") {
      from = "store";
      continue;
    }
    if (chosen.length === 0) return [];
    await options.call.reserve?.(bytes);
    // Each has two checks at most: its claim, and its row if it is set aside.
    const claimed: Claimed[] = [];
    for (const some of service.database.forCommits(chosen, options.limit, 2)) {
      claimed.push(...await claimSome(service, mailbox, some, claimed.length, options));
    }
    // If none of the chosen emails is left, others were faster, or all were set aside: the next ones are chosen.
    if (claimed.length > 0) return claimed;
    from = "store";
  }
}

/** Claims those of the emails that nobody has, in one commit. `earlier` emails were claimed by the call before. */
async function claimSome(
  service: Claims,
  mailbox: MailboxRef,
  chosen: readonly FreeEmail[],
  earlier: number,
  { leaseMs, call }: { leaseMs: number; call: OperationCall },
): Promise<Claimed[]> {
  const { userId, mailboxId } = mailbox;
  return await service.database.transact(async (tx) => {
    const made: Claimed[] = [];
    // Another process may have moved the mark since, and removed the rows of handled emails.
    const mark = await tx.get<string>(keys.claimMark(userId, mailboxId)) ?? "";
    for (const free of chosen) {
      if (!free.wasClaimed && free.row.emailId <= mark) continue;
      const one = await claimOne(tx, service, mailbox, free, leaseMs);
      if (one) made.push(one);
    }
    const count = earlier + made.length;
    if (made.length > 0) call.audit({ mailboxId, count }, tx);
    return made;
  });
}

/** Claims an email if nobody has it; null if somebody was faster, or if it is set aside. */
async function claimOne(
  tx: Tx,
  service: Claims,
  { userId, mailboxId }: MailboxRef,
  { row: { emailId }, wasClaimed }: FreeEmail,
  leaseMs: number,
): Promise<Claimed | null> {
  const now = service.clock.now();
  const place = { userId, mailboxId, emailId };
  const before = await tx.get<ClaimRow>(keys.claim(userId, mailboxId, emailId));
  const isFree = wasClaimed ? before !== null && isFreeAgain(before, now) : before === null;
  if (!isFree) return null;
  if (before && before.attempts >= maxAttempts) {
    await setAside(tx, service, place, before);
    return null;
  }
  const claim: ClaimRow = {
    claimId: service.ids.random(),
    state: "open",
    attempts: (before?.attempts ?? 0) + 1,
    dueAt: now + leaseMs,
  };
  writeClaim(tx, place, before, claim);
  const ofId: ClaimOfId = { mailboxId, emailId };
  tx.set(keys.claimById(userId, claim.claimId), ofId, { expireInMs: leaseMs + claimKeptMs });
  return { emailId, claim };
}

/** All claims stay in the answer; each email is shortened to an equal share. */
function fitClaims<O extends { claims: { email: object }[] }>(output: O, maxChars: number): O {
  const excess = jsonChars(output) - maxChars;
  if (excess <= 0) return output;
  const sizes = output.claims.map(({ email }) => jsonChars(email));
  let room = sizes.reduce((sum, size) => sum + size, 0) - excess;
  // The shortest keep what they have; the others share the rest.
  const order = sizes.map((_size, n) => n).sort((a, b) => sizes[a] - sizes[b]);
  const claims = [...output.claims];
  order.forEach((n, place) => {
    const share = Math.floor(room / (order.length - place));
    const { email } = claims[n];
    const fitted = sizes[n] <= share ? email : shorten(email, share);
    claims[n] = { ...claims[n], email: fitted };
    room -= jsonChars(fitted);
  });
  return { ...output, claims };
}
