import { domainOfAddress } from "../../core/host_name.ts";
import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";
import { authorDomains } from "../reading/author_domains.ts";
import { compared, contains } from "../reading/compared.ts";
import type { Proof } from "../reading/parsing/parsed_bodies.ts";
import { nullIfDeleted, whileThere } from "../reading/parsing/stored_message.ts";
import { verificationOf } from "../reading/verification_record.ts";
import { storedEmail } from "../record/read_email.ts";
import type { EmailRow } from "../record/email_row.ts";
import { arrivalsAfter } from "./arrivals_after.ts";
import { type Expectation, keptMs } from "./expectation.ts";

/**
 * Assigns mail to the expectations of a mailbox: each email, in order of arrival, goes to the oldest expectation that
 * it meets. The result does not depend on when or how often this runs, so it runs when an expectation is read, and an
 * arrival costs nothing.
 */
export async function meetExpectations(
  service: Service,
  userId: string,
  mailboxId: string,
): Promise<void> {
  const all = await expectationsOf(service, userId, mailboxId);
  const waiting = all.filter(({ met }) => met === null);
  if (waiting.length === 0) return;
  const taken = new Set(all.flatMap(({ met }) => met ? [met.emailId] : []));
  const after = waiting.map(({ after }) => after).reduce((a, b) => a < b ? a : b);
  for await (const row of arrivalsAfter(service, userId, mailboxId, { after })) {
    if (taken.has(row.emailId)) continue;
    const met = await firstMetBy(service, userId, row, waiting);
    // Later mail waits until the sender of this one is checked.
    if (met === "not checked") break;
    if (!met) continue;
    waiting.splice(waiting.indexOf(met.expectation), 1);
    await record(service, userId, met);
    if (waiting.length === 0) break;
  }
}

/** The expectations of a mailbox, oldest first, deleted ones that were met included. */
export async function expectationsOf(
  { database }: Service,
  userId: string,
  mailboxId: string,
): Promise<Expectation[]> {
  const rows = await database.collect<Expectation>({ prefix: keys.expectations(userId) });
  return rows.map(({ value }) => ({ ...value })).filter((each) => each.mailboxId === mailboxId);
}

interface Met {
  expectation: Expectation;
  by: NonNullable<Expectation["met"]>;
}

async function firstMetBy(
  service: Service,
  userId: string,
  row: EmailRow,
  waiting: readonly Expectation[],
): Promise<Met | "not checked" | null> {
  const domain = domainOfAddress(row.from.address);
  const candidates = waiting.filter((each) =>
    domain !== null && row.direction === "inbound" && row.emailId > each.after &&
    !each.earlier?.includes(row.emailId) && row.receivedAt < each.expiresAt &&
    isOrIsBelow(domain, each.fromDomain) && hasSubject(row, each)
  );
  if (candidates.length === 0) return null;
  if (row.auth === null) return "not checked";
  const { auth } = row;
  if (auth.verdict !== "pass" && auth.verdict !== "none") return null;
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
async function proofOf(service: Service, userId: string, emailId: string): Promise<Proof | null> {
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
  service: Service,
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

async function record(service: Service, userId: string, { expectation, by }: Met): Promise<void> {
  const key = keys.expectation(userId, expectation.expectationId);
  await service.database.transact(async (tx) => {
    const current = await tx.get<Expectation>(key);
    if (!current || current.met) return;
    const expireInMs = keptMs(current, service.clock.now());
    tx.set(key, { ...current, met: by }, { expireInMs });
  });
}

function isOrIsBelow(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}

function hasSubject({ subject }: EmailRow, expectation: Expectation): boolean {
  return expectation.subject === null || contains(subject, compared(expectation.subject));
}
