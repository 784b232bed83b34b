import { ServiceError } from "../../core/errors.ts";
import type { Guest } from "../../core/caller.ts";
import type { Service } from "../../core/service.ts";
import type { ProvedPerson } from "../../ports/identity_provider.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { type Member, type MemberRef, readMember } from "../member.ts";
import { becomeMember } from "../members/become_member.ts";
import { readInvited } from "../members/invitation.ts";
import { findInvited } from "../members/invited_by_email.ts";
import { invitationFor, useInvitation } from "../registration/invitations.ts";
import { writeAccount } from "../registration/new_account.ts";
import { beginSession, type Tokens } from "../sessions.ts";
import { findPinned, listPinned, pin } from "./pins.ts";
import { takePlace } from "./take_place.ts";

/**
 * Begins a session of the person whom the provider named: the one who signed in as this subject before, else the one
 * with this verified email, else the one who is invited with it, else a new account if REGISTRATION or an invitation of the operator allows it
 * (docs/specification.md "Sign-in with a provider"). Throws FORBIDDEN, with a message for the person.
 */
export async function signInByProvider(
  service: Service,
  { clientAddress }: Guest,
  who: ProvedPerson,
): Promise<Tokens> {
  const person = await findPerson(service, who) ??
    await newOwner(service, clientAddress, who).catch(async (error) => {
      const isTaken = error instanceof ServiceError && error.code === "CONFLICT";
      // Meanwhile another sign-in has made the account.
      const first = isTaken ? await findPerson(service, who) : null;
      if (first) return first;
      throw error;
    });
  return await beginSession(service, person);
}

/** null: nobody here has this subject or email. */
async function findPerson(service: Service, who: ProvedPerson): Promise<Member | null> {
  const { verifiedEmail } = who;
  const invited = verifiedEmail === null ? null : await findInvited(service, verifiedEmail);
  const known = await service.database.transact((tx) => knownPerson(tx, service, who, invited));
  if (!known) return null;
  const { person, isNew } = known;
  if (isNew) service.credentials.forget(person.userId);
  if (isNew === "replaced") {
    service.log.warn("account.person_replaced", { user_id: person.userId });
  }
  return person;
}

async function knownPerson(
  tx: Tx,
  service: Service,
  who: ProvedPerson,
  invited: MemberRef | null,
): Promise<{ person: Member; isNew?: "invited" | "replaced" } | null> {
  const pinned = await findPinned(tx, who);
  if (pinned) return { person: pinned };
  const email = verifiedEmailOf(service, who);
  const ref = await tx.get<MemberRef>(keys.memberByEmail(email.toLowerCase()));
  if (!ref) {
    const guest = invited && await readInvited(tx, service.clock.now(), invited);
    if (!guest) return null;
    const { issuer, subject } = who, pinned = { issuer, subject };
    const accepted = { name: nameIn(who, email), passwordHash: null, isConfirmed: true, pinned };
    const person = await becomeMember(tx, service, guest, accepted);
    listPinned(tx, person, pinned);
    return { person, isNew: "invited" };
  }
  const member = await readMember(tx, ref);
  // A provider may give an address to somebody else. The operator may also choose another provider.
  if (member.pinned?.issuer === who.issuer && member.pinned.subject !== who.subject) {
    throw new ServiceError(
      "FORBIDDEN",
      `Somebody else at ${nameOf(service)} has signed in with ${email} before. ` +
        "Ask an owner of your account to remove that person and to invite you.",
    );
  }
  if (!member.isConfirmed) {
    return { person: await takePlace(tx, service, member, who), isNew: "replaced" };
  }
  pin(tx, member, who);
  return { person: member };
}

async function newOwner(
  service: Service,
  clientAddress: string,
  who: ProvedPerson,
): Promise<Member> {
  const email = verifiedEmailOf(service, who);
  const isOpen = service.settings.REGISTRATION === "open";
  if (!isOpen && !await invitationFor(service.database, service, email)) throw unknown(email);
  const { issuer, subject } = who;
  const facts = { email, name: nameIn(who, email), password: null, isConfirmed: true };
  return await writeAccount(
    service,
    clientAddress,
    { ...facts, plan: "free", pinned: { issuer, subject } },
    async (tx, owner) => {
      listPinned(tx, owner, who);
      const invitation = isOpen ? null : await invitationFor(tx, service, email);
      if (invitation) useInvitation(tx, invitation, email);
      else if (!isOpen) throw unknown(email);
    },
  );
}

function verifiedEmailOf(service: Service, { verifiedEmail }: ProvedPerson): string {
  if (verifiedEmail !== null) return verifiedEmail;
  throw new ServiceError(
    "FORBIDDEN",
    `${nameOf(service)} did not say that your email address is verified. Ask whoever runs it.`,
  );
}

function unknown(email: string): ServiceError {
  return new ServiceError(
    "FORBIDDEN",
    `Nobody here has the address ${email}. Ask an owner or admin of your team's account to invite it, ` +
      "or whoever runs this service.",
  );
}

const nameIn = ({ name }: ProvedPerson, email: string) => name ?? email.split("@")[0];
const nameOf = ({ identityProvider }: Service) => identityProvider?.name ?? "The provider";
