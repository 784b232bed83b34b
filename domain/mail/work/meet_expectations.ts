import { parseAuthors } from "../../../mime/headers/parse_head.ts";
import { domainOfAddress } from "../../core/host_name.ts";
import type { Reads } from "../read/reads.ts";
import { clockSlackMs } from "../../core/clock.ts";
import { growingCache } from "../../core/work/growing_cache.ts";
import { readBeginning } from "../../store/blobs.ts";
import * as keys from "../../store/keys.ts";
import { compared, contains } from "../read/person_filters.ts";
import type { Proof } from "../read/parsing/parsed_bodies.ts";
import { nullIfDeleted, whileThere } from "../read/parsing/stored_message.ts";
import { verificationOf } from "../read/get_verification.ts";
import type { Email } from "../record/email.ts";
import { storedEmail } from "../record/read_email.ts";
import { type EmailRow, hasArrived } from "../record/email_row.ts";
import { arrivalsAfter } from "./arrivals_after.ts";
import { type Expectation, writeMet } from "./expectation.ts";

/**
 * Assigns mail to the expectations of a mailbox: each email, in order of arrival, goes to the oldest expectation that
 * it meets. It runs when an expectation is read, so an arrival costs nothing. Who calls while a look is at work shares
 * the next one.
 */
export function meetExpectations(
  service: Reads,
  userId: string,
  mailboxId: string,
): Promise<void> {
  return looksOf(service).shared(mailboxId, () => look(service, userId, mailboxId));
}

/** In one process ids are in order of arrival, but for the time of a commit. */
const exclusiveSlackMs = 15_000;
/** An expectation that ended so long ago gets no mail any more: what came in time is there, and checked again. */
const lateMs = 300_000;

async function look(service: Reads, userId: string, mailboxId: string): Promise<void> {
  const { database, clock } = service;
  const now = clock.now();
  const { judged } = looksOf(service);
  const open = await openExpectations(service, userId, mailboxId);
  if (open.length === 0) return;
  const waiting = [...open];
  const places = open.map((each) => judged.get(each.expectationId)?.emailId ?? each.after);
  const after = places.reduce((a, b) => a < b ? a : b);
  // An instance whose clock is behind can still give a later email an earlier id.
  const finalUntil = now - (database.exclusive ? exclusiveSlackMs : 2 * clockSlackMs);
  let last = after;
  let isFinal = true, isComplete = true;
  for await (const row of arrivalsAfter(service, userId, mailboxId, { after })) {
    const met = await firstMetBy(service, userId, row, waiting);
    // Later mail waits until the sender of this one is checked.
    if (met === "not checked") {
      isComplete = false;
      break;
    }
    if (met === "error" && row.receivedAt > now - lateMs) isFinal = isComplete = false;
    if (row.receivedAt > finalUntil) isFinal = false;
    if (isFinal) last = row.emailId;
    if (met === null || met === "error") continue;
    waiting.splice(waiting.indexOf(met.expectation), 1);
    // Another process was faster: what it left is read again.
    if (!await record(service, userId, met)) return await look(service, userId, mailboxId);
    if (waiting.length === 0) break;
  }
  for (const each of waiting) {
    const { expectationId, expiresAt } = each;
    if (isComplete && expiresAt < now - lateMs) {
      const key = keys.openExpectation(userId, mailboxId, expectationId);
      await database.transact((tx) => tx.delete(key));
    } else if (last > each.after) judged.set(expectationId, { emailId: last });
  }
}

/** The expectations of a mailbox that mail can still meet, oldest first. */
export async function openExpectations(
  service: Reads,
  userId: string,
  mailboxId: string,
): Promise<Expectation[]> {
  const rows = await service.database.collect<Expectation>({
    prefix: keys.openExpectations(userId, mailboxId),
  });
  return rows.map(({ value }) => ({ ...value }));
}

interface Met {
  expectation: Expectation;
  by: NonNullable<Expectation["met"]>;
}

async function firstMetBy(
  service: Reads,
  userId: string,
  row: EmailRow,
  waiting: readonly Expectation[],
): Promise<Met | "not checked" | "error" | null> {
  const domain = domainOfAddress(row.from.address);
  const candidates = waiting.filter((each) =>
    domain !== null && hasArrived(row) && isOrIsBelow(domain, each.fromDomain) &&
    row.emailId > each.after && row.receivedAt < each.expiresAt && hasSubject(row, each) &&
    !each.earlier.includes(row.emailId)
  );
  if (candidates.length === 0) return null;
  if (row.auth === null) return "not checked";
  const { auth } = row;
  // It is checked again, and may then be one that meets an expectation.
  if (auth.verdict === "error") return "error";
  if (auth.verdict === "fail") return null;
  if (await service.database.get(keys.expectedEmail(userId, row.emailId))) return null;
  const proof = await proofOf(service, userId, row.emailId);
  if (!proof) return null;
  const { code, link } = proof;
  // The domain that is compared is the one that was checked.
  const expectation = candidates.find(({ kind, fromDomain }) =>
    auth.domain !== null && isOrIsBelow(auth.domain, fromDomain) &&
    (kind === "any" || (kind === "code" ? code !== null : link !== null))
  );
  if (!expectation) return null;
  return { expectation, by: { emailId: row.emailId, code, link, auth } };
}

/**
 * What an email proves; null if it was deleted, or has several authors: then it proves nothing about any of them. It is
 * read once: while an expectation waits, each look and each change of the account comes past all mail since its creation.
 */
async function proofOf(service: Reads, userId: string, emailId: string): Promise<Proof | null> {
  const { proofs } = service.parsedBodies;
  const known = proofs.get(emailId);
  if (known) return await known;
  const work = readProof(service, userId, emailId);
  proofs.set(emailId, work);
  try {
    return await work;
  } catch (error) {
    // Such as a database that did not answer: the next look tries again.
    proofs.delete(emailId);
    throw error;
  }
}

async function readProof(
  service: Reads,
  userId: string,
  emailId: string,
): Promise<Proof | null> {
  const email = await storedEmail(service.database, userId, emailId);
  if (!email) return null;
  const domains = await nullIfDeleted(whileThere(service, email, authorDomains(service, email)));
  if (domains?.length !== 1) return null;
  const found = await nullIfDeleted(verificationOf(service, email));
  return found && { code: found.best_code, link: found.best_link };
}

/** Bytes of a message that are searched for its From fields. */
const headBytes = 256 * 1024;

/** The domain of each author that a message names, in lower-case ASCII; null for an address without a domain. */
async function authorDomains(
  { database }: Reads,
  email: Email,
): Promise<(string | null)[]> {
  const head = await readBeginning(database, email.raw, headBytes);
  return parseAuthors(head).map(({ address }) => domainOfAddress(address));
}

/** Writes what met an expectation; false if it has met another email, is gone, or the email has met another one. */
async function record(
  service: Reads,
  userId: string,
  { expectation, by }: Met,
): Promise<boolean> {
  const { mailboxId, expectationId } = expectation;
  return await service.database.transact(async (tx) => {
    const [current, taken] = await Promise.all([
      tx.get<Expectation>(keys.expectation(userId, expectationId)),
      tx.get(keys.expectedEmail(userId, by.emailId)),
    ]);
    const isOpen = current !== null && current.met === null;
    if (!isOpen) tx.delete(keys.openExpectation(userId, mailboxId, expectationId));
    else if (!taken) writeMet(tx, userId, current, by, service.clock.now());
    return isOpen && !taken;
  });
}

function isOrIsBelow(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}

function hasSubject({ subject }: EmailRow, expectation: Expectation): boolean {
  return expectation.subject === null || contains(subject, compared(expectation.subject));
}

/** Expectations that are remembered; each is two ids. */
const maxRemembered = 20_000;

/** What this process remembers of looking for the mail of expectations, so that no look begins again from the start. */
class Looks {
  /** By expectation: the email up to which all mail was judged and did not meet it. */
  readonly judged = growingCache<string, { emailId: string }>(maxRemembered);
  private readonly atWork = new Map<string, { now: Promise<void>; next: Promise<void> | null }>();

  /** Runs `work` after the run that is at work for this subject. All who call meanwhile share that next run. */
  shared(subject: string, work: () => Promise<void>): Promise<void> {
    const known = this.atWork.get(subject);
    if (known) {
      known.next ??= known.now.catch(() => {}).then(() => this.begin(subject, work));
      return known.next;
    }
    return this.begin(subject, work);
  }

  private begin(subject: string, work: () => Promise<void>): Promise<void> {
    const run = { now: work(), next: null };
    this.atWork.set(subject, run);
    const end = () => {
      if (this.atWork.get(subject) === run) this.atWork.delete(subject);
    };
    run.now.then(end, end);
    return run.now;
  }
}

const looks = new WeakMap<Reads, Looks>();

function looksOf(service: Reads): Looks {
  let known = looks.get(service);
  if (!known) looks.set(service, known = new Looks());
  return known;
}
