import { z } from "zod";
import { namespaceOf } from "../accounts/user.ts";
import { isoTime } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import type { MailboxStats } from "../mail/store_email.ts";
import { type Caller, operation, seesMailbox } from "../operation.ts";
import type { Service } from "../service.ts";
import * as keys from "../store/keys.ts";
import { type AddressFailure, checkAddress, emailTaken, mailboxQuota } from "./check_address.ts";
import { isActive, type Route } from "./route.ts";

/** A mailbox as stored under its owner. A deleted one is gone from here at once. */
export interface Mailbox {
  mailboxId: string;
  userId: string;
  address: string;
  domain: string;
  createdAt: number;
}

/** SPEC.md, Mailbox. */
export const mailboxRecord = z.object({
  mailbox_id: z.string(),
  email_address: z.string(),
  domain: z.string(),
  status: z.literal("active"),
  namespace: z.string(),
  created_at: z.string(),
});

export function mailboxRecordOf(mailbox: Mailbox): z.input<typeof mailboxRecord> {
  return {
    mailbox_id: mailbox.mailboxId,
    email_address: mailbox.address,
    domain: mailbox.domain,
    status: "active",
    namespace: namespaceOf(mailbox.userId),
    created_at: isoTime(mailbox.createdAt),
  };
}

/** The shape that create, rename and check-email share: one of the two names, and the domain. */
export const addressInput = z.object({
  local_part: z.string().max(1_000).nullish(),
  email_address: z.string().max(1_000).nullish(),
  domain: z.string().max(1_000).nullish(),
});

export const createMailbox = operation({
  name: "create_mailbox",
  title: "Create a mailbox",
  description: "Creates a mailbox: an email address that receives mail at once.",
  scope: "mailboxes:write",
  input: addressInput,
  output: mailboxRecord,
  errors: [
    "MISSING_FIELDS",
    "BAD_REQUEST",
    "VALIDATION_ERROR",
    "FORBIDDEN",
    "MAILBOX_QUOTA",
    "EMAIL_TAKEN",
    "LOCAL_TOO_SHORT",
    "INVALID_LOCAL",
    "DISALLOWED_LOCAL",
    "DOMAIN_MISMATCH",
    "DOMAIN_NOT_ALLOWED",
  ],
  async run(service, caller, input) {
    const { userId, plan } = caller;
    const verdict = checkAddress(input, {
      plan,
      sharedDomains: service.settings.SHARED_DOMAINS,
      verifiedDomains: [],
      ownDomainsAllowed: false,
      reservedNames: service.settings.DISALLOWED_EMAIL_NAME,
    });
    if (!verdict.ok) throw addressError(verdict);
    const now = service.clock.now();
    const mailbox: Mailbox = {
      mailboxId: service.ids.random(),
      userId,
      address: verdict.address,
      domain: verdict.domain,
      createdAt: now,
    };
    await service.entries.transact(async (tx) => {
      const route = await tx.get<Route>(keys.mailboxByAddress(verdict.address));
      if (route && (isActive(route) || (route.userId !== userId && route.heldUntil > now))) {
        throw addressError(emailTaken(verdict.address));
      }
      const count = await tx.get<number>(keys.mailboxQuota(userId)) ?? 0;
      const limit = service.plans[plan].mailboxes;
      if (limit !== null && count >= limit) {
        throw addressError(mailboxQuota({ count, limit, plan }));
      }
      tx.set(keys.mailboxQuota(userId), count + 1);
      tx.set(keys.mailbox(userId, mailbox.mailboxId), mailbox);
      tx.set(
        keys.mailboxByAddress(mailbox.address),
        { userId, mailboxId: mailbox.mailboxId } satisfies Route,
      );
      tx.set(keys.mailboxByHost(mailbox.domain, mailbox.mailboxId), userId);
    });
    return mailboxRecordOf(mailbox);
  },
});

function addressError(failure: AddressFailure): ServiceError {
  return new ServiceError(failure.code, failure.message, failure.details);
}

/** The caller's mailboxes that its key may see, oldest first. */
export async function visibleMailboxes(service: Service, caller: Caller): Promise<Mailbox[]> {
  const rows = await service.entries.collect<Mailbox>({ prefix: keys.mailboxes(caller.userId) });
  return rows.map((row) => row.value).filter((each) => seesMailbox(caller, each.mailboxId))
    .sort((a, b) => a.createdAt - b.createdAt || (a.mailboxId < b.mailboxId ? -1 : 1));
}

/** `GET /v1/api/mailboxes`. */
export const listMailboxRecords = operation({
  name: "list_mailbox_records",
  title: "List mailboxes",
  description: "The account's mailboxes.",
  scope: "mailboxes:read",
  input: z.object({}),
  output: z.object({ mailboxes: z.array(mailboxRecord) }),
  errors: ["FORBIDDEN"],
  async run(service, caller) {
    return { mailboxes: (await visibleMailboxes(service, caller)).map(mailboxRecordOf) };
  },
});

/** The tool: records with what has arrived (SPEC.md, MCP). */
export const listMailboxes = operation({
  name: "list_mailboxes",
  title: "List mailboxes",
  description:
    "Your mailboxes: the email addresses that receive mail for you. Call it first: mailbox_id limits search_emails and list_emails to one mailbox and says " +
    "where send_email sends from. email_count and last_email_date count received mail.",
  scope: "mailboxes:read",
  input: z.object({}),
  output: z.object({
    mailboxes: z.array(z.object({
      mailbox_id: z.string(),
      email_address: z.string(),
      domain: z.string(),
      status: z.literal("active"),
      email_count: z.number().int(),
      last_email_date: z.string().nullable(),
    })),
  }),
  errors: ["FORBIDDEN"],
  async run(service, caller) {
    const mailboxes = await visibleMailboxes(service, caller);
    const stats = await service.entries.getMany<MailboxStats>(
      mailboxes.map((each) => keys.mailboxStats(caller.userId, each.mailboxId)),
    );
    return {
      mailboxes: mailboxes.map((each, i) => ({
        mailbox_id: each.mailboxId,
        email_address: each.address,
        domain: each.domain,
        status: "active" as const,
        email_count: stats[i]?.emails ?? 0,
        last_email_date: stats[i] ? isoTime(stats[i].lastEmailAt) : null,
      })),
    };
  },
});
