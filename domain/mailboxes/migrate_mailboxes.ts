import { z } from "zod";
import { readDomain } from "../custom_domains/custom_domain.ts";
import { normaliseHost } from "../core/host_name.ts";
import { invalidField } from "../core/errors.ts";
import { operation, type OperationCall } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import { recordChange } from "../changes/change.ts";
import * as keys from "../store/keys.ts";
import { checkAddress, emailTaken, maxLocalCharacters } from "./check_address.ts";
import { failureOf } from "./create_mailbox.ts";
import { addressFacts, claimAddress, isFree, releaseAddress } from "./address_claims.ts";
import type { Route } from "./route.ts";
import type { Caller } from "../core/caller.ts";
import type { Mailbox } from "./mailbox.ts";
import { createHash } from "node:crypto";

/** The new address of one mailbox. */
interface Move {
  mailbox: Mailbox;
  address: string;
  domain: string;
  renamed: boolean;
}

export const migrateMailboxes = operation({
  name: "migrate_mailboxes",
  title: "Move a domain's mailboxes",
  description:
    "Gives every mailbox of a custom domain an address on another domain, with its mail. " +
    "A name that is taken there gets a dot and 6 hex characters. A preview (dry_run) changes nothing " +
    "and answers what a run would do now. A run that was interrupted is simply run again.",
  scope: null,
  audit: "change",
  input: z.object({
    domain_id: z.string().min(1).max(100),
    target_domain: z.string().min(1).max(1_000).describe(
      "A shared domain, or a verified one of the account",
    ),
    dry_run: z.boolean().default(true).describe("false moves the mailboxes; the default previews"),
  }),
  output: z.object({
    dry_run: z.boolean(),
    migrated_count: z.number().int(),
    renamed_count: z.number().int().describe("How many of them could not keep their name"),
    migrations: z.array(
      z.object({
        mailbox_id: z.string(),
        renamed: z.boolean().describe("Whether it could not keep its name"),
        from_email: z.string(),
        to_email: z.string(),
      }).meta({ id: "MailboxMigration" }),
    ),
  }).meta({ id: "DomainMigration" }),
  // The names passed the other rules when their mailboxes were made.
  errors: [
    "BAD_REQUEST",
    "MISSING_FIELDS",
    "VALIDATION_ERROR",
    "FORBIDDEN",
    "NOT_FOUND",
    "EMAIL_TAKEN",
    "DISALLOWED_LOCAL",
    "DOMAIN_NOT_ALLOWED",
  ],
  async run(service, caller, input, call) {
    const source = await readDomain(service.database, caller.userId, input.domain_id);
    const target = input.target_domain;
    if (normaliseHost(target) === source.name) {
      throw invalidField("target_domain", "must be another domain");
    }
    await judgeTarget(service, caller, target);
    const mailboxes = await mailboxesOn(service, caller.userId, source.name);
    // The whole list is checked first, so that a rule refuses a migration before anything has moved.
    const preview = await planAll(service, caller, mailboxes, target);
    if (input.dry_run) call.audit(null);
    const moves = input.dry_run ? preview : await moveAll(service, caller, mailboxes, target, call);
    if (!input.dry_run) {
      const facts = { user_id: caller.userId, from: source.name, to: target, moved: moves.length };
      service.log.info("mailboxes.migrated", facts);
    }
    return {
      dry_run: input.dry_run,
      migrated_count: moves.length,
      renamed_count: moves.filter((move) => move.renamed).length,
      migrations: moves.map((move) => ({
        mailbox_id: move.mailbox.mailboxId,
        renamed: move.renamed,
        from_email: move.mailbox.address,
        to_email: move.address,
      })),
    };
  },
});

/** Refuses a target that no mailbox can move to, even if there is no mailbox to move. */
async function judgeTarget(service: Service, caller: Caller, target: string): Promise<void> {
  const facts = await addressFacts(service.database, service, caller, target);
  const anyName = checkAddress({ local_part: "a-name-no-list-reserves", domain: target }, facts);
  if (!anyName.ok) throw failureOf(anyName);
}

/** In order of id: the same for a preview, a run, and the run that completes an interrupted one. */
async function mailboxesOn(service: Service, userId: string, domain: string): Promise<Mailbox[]> {
  const rows = await service.database.collect<true>({
    prefix: keys.mailboxesByDomain(userId, domain),
  });
  const ids = rows.map((row) => row.key.at(-1) as string);
  const mailboxes = await service.database.getMany<Mailbox>(
    ids.map((mailboxId) => keys.mailbox(userId, mailboxId)),
  );
  return mailboxes.filter((mailbox) => mailbox?.domain === domain) as Mailbox[];
}

async function planAll(
  service: Service,
  caller: Caller,
  mailboxes: Mailbox[],
  target: string,
): Promise<Move[]> {
  const promised = new Set<string>();
  const moves: Move[] = [];
  for (const mailbox of mailboxes) {
    const move = await planMove(service.database, service, caller, mailbox, target, promised);
    promised.add(move.address);
    moves.push(move);
  }
  return moves;
}

/** One commit for each mailbox: after a kill each has completely its old or completely its new address. */
async function moveAll(
  service: Service,
  caller: Caller,
  mailboxes: Mailbox[],
  target: string,
  call: OperationCall,
): Promise<Move[]> {
  const moves = await Promise.all(
    mailboxes.map((listed) =>
      service.database.transact(async (tx) => {
        const mailbox = await tx.get<Mailbox>(keys.mailbox(caller.userId, listed.mailboxId));
        if (mailbox === null || mailbox.domain !== listed.domain) return null;
        const move = await planMove(tx, service, caller, mailbox, target, none);
        await releaseAddress(tx, service, mailbox);
        await claimAddress(tx, service, { ...mailbox, address: move.address, domain: move.domain });
        const { mailboxId } = mailbox, at = service.clock.now();
        recordChange(tx, caller.userId, { event: "mailbox.renamed", at, mailboxId });
        call.audit({}, tx);
        return move;
      })
    ),
  );
  return moves.filter((move) => move !== null);
}

const none: ReadonlySet<string> = new Set();

/** The first name that passes the rules and is free; throws the error of the mailbox's own name if there is none. */
async function planMove(
  store: Pick<Tx, "get">,
  service: Service,
  caller: Caller,
  mailbox: Mailbox,
  target: string,
  promised: ReadonlySet<string>,
): Promise<Move> {
  const facts = await addressFacts(store, service, caller, target);
  const local = mailbox.address.slice(0, mailbox.address.lastIndexOf("@"));
  for (const candidate of migrationLocals(local, mailbox.mailboxId)) {
    const verdict = checkAddress({ local_part: candidate, domain: target }, facts);
    if (!verdict.ok) throw failureOf(verdict);
    const { address, domain } = verdict;
    const route = await store.get<Route>(keys.mailboxByAddress(address));
    if (promised.has(address) || !isFree(route, caller.userId, service.clock.now())) continue;
    return { mailbox, address, domain, renamed: candidate !== local };
  }
  throw failureOf(emailTaken(`${local}@${normaliseHost(target)}`));
}

const suffixHex = 6;
/** SHA-256 has 64 hexadecimal characters: ten whole suffixes. */
const suffixes = 10;

/**
 * The local parts that a migration tries for a mailbox, best first: its own; if that address is taken, its
 * own with a dot and 6 hex characters (docs/specification.md "Domains"); then nine more of this kind. The characters
 * depend on the mailbox id alone, so that a preview and the run after it agree. A name that is too long for the suffix is
 * cut first. Names were once allowed to have `..`; each becomes `.`.
 */
export function migrationLocals(local: string, mailboxId: string): string[] {
  const digest = createHash("sha256").update(mailboxId).digest("hex");
  const name = local.replace(/\.{2,}/g, ".");
  const base = name.slice(0, maxLocalCharacters - suffixHex - 1).replace(/[.-]+$/, "");
  return [
    name,
    ...Array.from(
      { length: suffixes },
      (_, n) => `${base}.${digest.slice(n * suffixHex, (n + 1) * suffixHex)}`,
    ),
  ];
}
