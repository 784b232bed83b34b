import { z } from "zod";
import { mailboxIdField } from "../../mailboxes/mailbox_id.ts";
import { maxSubjectChars } from "../../../mime/headers/limits.ts";
import { clockSlackMs } from "../../core/clock.ts";
import { tooManyAtOnce } from "../../changes/waiting.ts";
import { normaliseHost } from "../../core/host_name.ts";
import { firstIdAt } from "../../core/ids.ts";
import { operation } from "../../core/operation.ts";
import type { Reads } from "../read/reads.ts";
import { readMailbox } from "../../mailboxes/visible_mailboxes.ts";
import * as keys from "../../store/keys.ts";
import { fitRecord, maxCharsField } from "../read/budget.ts";
import {
  deleteRows,
  type Expectation,
  expectationRecord,
  expectationRecordOf,
  readExpectation,
  shownExpectation,
  writeOpen,
} from "./expectation.ts";
import { meetExpectations, openExpectations } from "./meet_expectations.ts";

/** At most this many expectations of one mailbox wait at the same time. */
const maxWaiting = 100;

const domainField = z.string().max(1_000).transform((text, context) => {
  const host = normaliseHost(text);
  if (host !== null) return host;
  context.addIssue({ code: "custom", message: "must be a host name, such as example.com" });
  return z.NEVER;
});

const expectInput = z.object({
  mailbox_id: mailboxIdField().describe("The mailbox that the mail comes to"),
  from_domain: domainField.describe(
    "The domain of the sender: only mail from it, or from a domain below it, is taken",
  ),
  subject: z.string().max(maxSubjectChars).optional().describe("A part of the subject, any case"),
  kind: z.enum(["code", "link", "any"]).default("any").describe(
    "What the mail must have. code: a code; link: a link that verifies, signs in or resets; any: nothing, so that a mail of welcome before the code meets it. Name code or link if you can",
  ),
  expires_in_seconds: z.int().min(60).max(86_400).default(900).describe(
    "How long to expect it, 60 to 86,400 seconds",
  ),
});

export const expectCode = operation({
  name: "expect_code",
  title: "Expect a code",
  description:
    "Says beforehand which sender will send a code or a link to a mailbox, so that no old code and none of a stranger is taken. Call it before you trigger the " +
    "mail, then get_expected_code with the expectation_id. The first mail meets it that arrives later, whose From domain is from_domain or below it, and that " +
    "has what `kind` asks for: name it, because without it any mail of that domain will do. A mail that fails the check of its sender is not taken.",
  scope: "emails:read",
  audit: "change",
  input: expectInput,
  output: expectationRecord,
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND", "RATE_LIMIT_EXCEEDED"],
  async run(service, caller, input, call) {
    const { userId } = caller;
    await readMailbox(service.database, caller, input.mailbox_id);
    await requireRoom(service, userId, input.mailbox_id);
    const now = service.clock.now();
    const expectation: Expectation = {
      expectationId: service.ids.timed(now),
      mailboxId: input.mailbox_id,
      fromDomain: input.from_domain,
      subject: input.subject ?? null,
      kind: input.kind,
      createdAt: now,
      expiresAt: now + input.expires_in_seconds * 1_000,
      ...await mailBefore(service, userId, input.mailbox_id, now),
      met: null,
    };
    await service.database.transact((tx) => {
      writeOpen(tx, userId, expectation, now);
      call.audit({ mailboxId: input.mailbox_id }, tx);
    });
    return expectationRecordOf(expectation, now);
  },
});

export const getExpectedCode = operation({
  name: "get_expected_code",
  title: "Get an expected code",
  description:
    "The expectation of expect_code. `status` is matched once the mail came: then `code` and `link` hold what it said. With timeout_seconds it waits for the mail. " +
    "Pass the code on as it is; do not retype it.",
  scope: "emails:read",
  audit: "read",
  input: z.object({
    expectation_id: z.string().max(100).describe("expectation_id of expect_code"),
    timeout_seconds: z.int().min(0).max(60).default(0).describe(
      "How long to wait for the mail; 0 looks once; as a tool 50 at most: many MCP clients give up after 60",
    ),
    max_chars: maxCharsField,
  }),
  output: expectationRecord,
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND", "RATE_LIMIT_EXCEEDED"],
  emailsIn: ({ email_id }) => email_id === null ? 0 : 1,
  fit: fitRecord,
  async run(service, caller, input, call) {
    const { clock, waiting, database } = service;
    const startedAt = clock.now();
    const signal = call.signal?.();
    const { mailboxId } = await readExpectation(database, caller, input.expectation_id);
    const look = async () => {
      // It or its mailbox may be gone.
      const read = () => readExpectation(database, caller, input.expectation_id);
      let found = await read();
      if (!found.met) {
        await meetExpectations(service, caller.userId, mailboxId);
        found = await read();
      }
      return { found, isOver: found.met !== null || found.expiresAt <= clock.now() };
    };
    let { found, isOver } = await look();
    if (!isOver && input.timeout_seconds > 0) {
      const until = Math.min(startedAt + input.timeout_seconds * 1_000, found.expiresAt);
      using wait = waiting.begin(caller.userId, "wait", { ...call, signal, until });
      await wait.until(async () => {
        ({ found, isOver } = await look());
        return isOver;
      });
    }
    const record = await shownExpectation(database, caller.userId, found, clock.now());
    call.audit({ mailboxId, emailId: record.email_id });
    return record;
  },
});

export const deleteExpectation = operation({
  name: "delete_expectation",
  title: "Delete an expectation",
  description: "Ends an expectation. Mail that met it stays.",
  scope: "emails:read",
  audit: "change",
  input: z.object({ expectation_id: z.string().max(100) }),
  output: z.object({ deleted: z.literal(true) }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, input, call) {
    const { mailboxId } = await readExpectation(service.database, caller, input.expectation_id);
    // First, mail that has arrived gets its expectation: mail that meets this one must not meet the next one instead.
    await meetExpectations(service, caller.userId, mailboxId);
    await service.database.transact(async (tx) => {
      const current = await readExpectation(tx, caller, input.expectation_id);
      deleteRows(tx, caller.userId, current);
      // Wakes those who wait for it.
      tx.append(caller.userId, null);
      call.audit({ mailboxId }, tx);
    });
    return { deleted: true as const };
  },
});

async function requireRoom(service: Reads, userId: string, mailboxId: string): Promise<void> {
  const now = service.clock.now();
  const open = () => openExpectations(service, userId, mailboxId);
  let rows = await open();
  // Those that ended leave the list when they are looked at, which nobody may have done.
  if (rows.length >= 2 * maxWaiting) {
    await meetExpectations(service, userId, mailboxId);
    rows = await open();
  }
  if (rows.filter(({ expiresAt }) => expiresAt > now).length >= maxWaiting) {
    throw tooManyAtOnce(maxWaiting, 60);
  }
}

/** So many emails that were there before are kept with an expectation, 8 KB. */
const maxEarlier = 200;

/**
 * What tells later mail from the mail that is there. Ids alone do not: an instance whose clock is behind gives a later
 * email an earlier id.
 */
async function mailBefore(
  { database }: Reads,
  userId: string,
  mailboxId: string,
  now: number,
): Promise<Pick<Expectation, "after" | "earlier">> {
  const after = firstIdAt(now - clockSlackMs);
  const range = keys.range(keys.emailsByMailbox(userId, mailboxId), { start: after });
  const rows = await database.collect(range, { reverse: true, limit: maxEarlier });
  const earlier = rows.map(({ key }) => String(key.at(-1)));
  return { after: earlier.length === maxEarlier ? earlier[maxEarlier - 1] : after, earlier };
}
