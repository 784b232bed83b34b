import { z } from "zod";
import type { Change } from "../../changes/change.ts";
import { follow } from "../../changes/follow.ts";
import { endOfJournal } from "../../changes/read_changes.ts";
import { type Caller, seesMailbox } from "../../core/caller.ts";
import { emailId } from "../../core/email_id.ts";
import { operation, type OperationCall } from "../../core/operation.ts";
import type { Reads } from "../read/reads.ts";
import { requireMailbox, visibleMailboxIds } from "../../mailboxes/visible_mailboxes.ts";
import { fitEmailField, fitRecord, leastEmailChars, maxCharsField } from "../read/budget.ts";
import { jsonChars } from "../read/shorten.ts";
import { dateBound, lowerBoundMs } from "../read/filters.ts";
import { fullEmail, fullEmailOf, untrusted } from "../read/get_email.ts";
import { nullIfDeleted } from "../read/parsing/stored_message.ts";
import { readEmail } from "../read/shown_rows.ts";
import {
  verificationOf,
  type VerificationRecord,
  verificationRecord,
} from "../read/get_verification.ts";
import { rowsByIds, storedEmail } from "../record/read_email.ts";
import type { Email } from "../record/email.ts";
import type { EmailRow } from "../record/email_row.ts";
import { arrivalsAfter } from "./arrivals_after.ts";
import { matches, waitFilters } from "./matching.ts";

/** A model is slow: it calls this some time after it has begun the sign-up that sends the mail. */
const toolSinceMs = 120_000;

const waitInput = z.object({
  mailbox_id: z.string().optional().describe(
    "The mailbox that the mail comes to; default: all that you see",
  ),
  ...waitFilters,
  since: dateBound.optional().describe(
    "Only mail that arrived at or after this time: name the time before you asked for the mail, so that an old one is not taken. " +
      "Default: now; for the tool two minutes ago",
  ),
  after: emailId.optional().describe("Only mail that arrived after this email"),
  require: z.enum(["code", "link"]).optional().describe(
    "Only mail with a code, or with a link that verifies, signs in or resets; the answer has `verification`",
  ),
  timeout_seconds: z.int().min(0).max(60).default(30).describe(
    "How long to wait; 0 looks once; as a tool 50 at most: many MCP clients give up after 60",
  ),
  max_chars: maxCharsField,
});
type Input = z.output<typeof waitInput>;

interface Found {
  email: Email;
  verification: VerificationRecord | null;
}

export const waitForEmail = operation({
  name: "wait_for_email",
  title: "Wait for an email",
  description:
    "Waits until a mailbox, or any of yours, receives an email that passes the filters, and returns the oldest one in full. Use it in place of listing again and again: after a " +
    "sign-up, an order or a question. Name `since`, the time before you triggered the mail, so that an older one is not taken. With `require` the email has a " +
    "code or a link, which `verification` holds: pass best_code on as it is. After timeout_seconds the answer is `timed_out: true` without an email: call again " +
    `with the same \`since\`. ${untrusted}`,
  scope: "emails:read",
  audit: "read",
  input: waitInput,
  output: z.object({
    email: fullEmail.nullable(),
    timed_out: z.boolean(),
    verification: verificationRecord.optional(),
  }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND", "RATE_LIMIT_EXCEEDED"],
  emailsIn: ({ email }) => email === null ? 0 : 1,
  fit: (output, maxChars) => {
    const { verification } = output;
    // The codes are the purpose of the call: they are shortened after the email.
    const room = Math.floor(Math.min(maxChars / 2, maxChars - leastEmailChars));
    const half = verification && jsonChars(output) > maxChars
      ? { ...output, verification: fitRecord(verification, room) }
      : output;
    return fitEmailField(half, maxChars, { offset: 0 });
  },
  async run(service, caller, input, call) {
    const { clock, waiting } = service;
    const arrivedAt = clock.now();
    const signal = call.signal?.();
    await requireMailbox(service, caller, input.mailbox_id);
    if (input.after !== undefined) await readEmail(service, caller, input.after);
    const since = input.since !== undefined
      ? lowerBoundMs(input.since)
      : input.after !== undefined
      ? undefined
      : arrivedAt - (call.surface === "mcp" ? toolSinceMs : 0);
    if (input.timeout_seconds === 0) {
      return await answer(service, await lookOnce(service, caller, input, since), input, call);
    }
    const until = arrivedAt + input.timeout_seconds * 1_000;
    using wait = waiting.begin(caller.userId, "wait", { ...call, signal, until });
    const from = await endOfJournal(service.database, caller.userId);
    // Stored while this waits: it counts although the clock of its instance is behind, or its commit took some time.
    const isFromNow = input.since === undefined && input.after === undefined;
    const arrived = new Set<string>();
    let found = await lookOnce(service, caller, input, since);
    if (found) await wait.confirm();
    else {
      const passes = ({ mailboxId }: Change) =>
        mailboxId !== null &&
        (input.mailbox_id === undefined
          ? seesMailbox(caller, mailboxId)
          : mailboxId === input.mailbox_id);
      const { userId } = caller;
      for await (const changes of follow(service.database, { userId, from, wait, passes })) {
        // The mailbox may be gone.
        await requireMailbox(service, caller, input.mailbox_id);
        for (const { event, emailId } of changes) {
          if (isFromNow && emailId && event === "email.received") arrived.add(emailId);
        }
        found = await lookAtChanges(service, caller, input, { since, arrived }, changes);
        if (found) break;
      }
    }
    return await answer(service, found, input, call);
  },
});

async function answer(
  service: Reads,
  found: Found | null,
  { mailbox_id }: Input,
  call: OperationCall,
) {
  call.audit({ mailboxId: mailbox_id ?? found?.email.mailboxId, emailId: found?.email.emailId });
  if (!found) return { email: null, timed_out: true };
  const email = await fullEmailOf(service, found.email, call);
  const { verification } = found;
  return { email, timed_out: false, ...(verification ? { verification } : {}) };
}

/** The oldest email that is there and matches. */
async function lookOnce(
  service: Reads,
  caller: Caller,
  input: Input,
  since: number | undefined,
): Promise<Found | null> {
  const { userId } = caller;
  const range = { since, after: input.after };
  const visible = await visibleMailboxIds(service, caller);
  for await (const row of arrivalsAfter(service, userId, input.mailbox_id ?? null, range)) {
    if (!visible.has(row.mailboxId)) continue;
    const found = await check(service, userId, row, input);
    if (found) return found;
  }
  return null;
}

/** The first matching email among those that the changes name, from `since` on or of `arrived`. */
async function lookAtChanges(
  service: Reads,
  caller: Caller,
  input: Input,
  { since, arrived }: { since: number | undefined; arrived: ReadonlySet<string> },
  changes: readonly Change[],
): Promise<Found | null> {
  const { userId } = caller;
  const visible = await visibleMailboxIds(service, caller);
  const ids = [...new Set(changes.flatMap(({ emailId }) => emailId ?? []))].sort();
  for (const row of await rowsByIds(service.database, userId, ids)) {
    if (!visible.has(row.mailboxId)) continue;
    if (since !== undefined && row.receivedAt < since && !arrived.has(row.emailId)) continue;
    if (input.after !== undefined && row.emailId <= input.after) continue;
    const found = await check(service, userId, row, input);
    if (found) return found;
  }
  return null;
}

async function check(
  service: Reads,
  userId: string,
  row: EmailRow,
  input: Input,
): Promise<Found | null> {
  if (!await matches(service, userId, row, input)) return null;
  const email = await storedEmail(service.database, userId, row.emailId);
  if (!email) return null;
  if (input.require === undefined) return { email, verification: null };
  const verification = await nullIfDeleted(verificationOf(service, email));
  if (!verification) return null;
  const wanted = input.require === "code" ? verification.best_code : verification.best_link;
  return wanted === null ? null : { email, verification };
}
