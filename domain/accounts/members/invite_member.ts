import { z } from "zod";
import { isRecent } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { operation } from "../../core/operation.ts";
import { isAtLeast, requireRole } from "../../core/roles/least_role.ts";
import type { Role } from "../../core/roles/role.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { type Member } from "../member.ts";
import { accountFields } from "../registration/new_account.ts";
import { mustConfirm, type User } from "../user.ts";
import { invitationMs, newInvitationLink } from "./invitation.ts";
import { listInvited, unlistInvited } from "./invited_by_email.ts";
import { memberRecord, memberRecordOf, roleField } from "./member_record.ts";
import { readPeople, selfIn } from "./people.ts";

const maxMembers = 25;
const mailsADay = 10;
const dayMs = 86_400_000;

/** `POST /api/members`. */
export const inviteMember = operation({
  name: "invite_member",
  title: "Invite a person",
  description:
    "Invites somebody to the account for 7 days. The answer has the link with which the person accepts, shown only here; " +
    "it is mailed too where mail can leave. Another invitation of the same email replaces the earlier one.",
  scope: null,
  audit: "change",
  input: z.object({ email: accountFields.email, role: roleField }),
  output: memberRecord.extend({
    invitation_url: z.string().describe("Where the person accepts; only in this answer"),
    mailed: z.boolean().describe(
      "Whether a link goes out by mail; at most 10 a day, and none before the account is confirmed",
    ),
  }).meta({ id: "InvitedMember" }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "CONFLICT"],
  async run(service, caller, { email, role }, call) {
    const { userId } = caller;
    const now = service.clock.now();
    const invited: Member = {
      ...{ userId, memberId: service.ids.timed(now), name: "", email, role, status: "invited" },
      ...{ passwordHash: null, isConfirmed: false, notify: notifyOf(role) },
      ...{ createdAt: now, lastUsedAt: null, invitedUntil: now + invitationMs },
    };
    const made = await service.database.transact(async (tx) => {
      const people = await readPeople(tx, userId, now);
      const { user, members } = people;
      const self = selfIn(people, caller);
      requireRole(self, "invite_member");
      if (role === "owner") requireRole(self, "change_owners");
      const isSame = (member: Member) => member.email.toLowerCase() === email.toLowerCase();
      const same = members.filter(isSame);
      if (same.some(({ status }) => status === "active")) {
        throw new ServiceError("CONFLICT", "This person is in the account already.");
      }
      // What is replaced is withdrawn.
      if (same.some((each) => each.role === "owner")) requireRole(self, "change_owners");
      same.forEach((each) => unlistInvited(tx, each));
      const others = members.filter((each) => !isSame(each)).map(({ memberId }) => memberId);
      if (others.length >= maxMembers) {
        const message = `An account has room for ${maxMembers} people, invitations included.`;
        throw new ServiceError("FORBIDDEN", message, { count: others.length, limit: maxMembers });
      }
      for (const memberId of user.memberIds) {
        if (!others.includes(memberId)) tx.delete(keys.member(userId, memberId));
      }
      const memberIds = [...others, invited.memberId];
      tx.set(keys.user(userId), { ...user, memberIds } satisfies User);
      tx.set(keys.member(userId, invited.memberId), invited);
      listInvited(tx, invited);
      const invitation_url = newInvitationLink(tx, service, invited, { isMailed: false });
      const mailed = await mayMail(tx, service, user);
      if (mailed) {
        const { memberId } = invited;
        service.jobs.add(tx, "send_invitation", { userId, memberId, by: self.name });
      }
      call.audit({}, tx);
      return { invitation_url, mailed };
    });
    service.credentials.forget(userId);
    return { ...memberRecordOf(service, invited), ...made };
  },
});

/** Those who decide what goes out are told of what waits. */
function notifyOf(role: Role): Member["notify"] {
  return isAtLeast(role, "admin") ? "drafts" : "none";
}

/** Whether another invitation may be mailed today; if so it counts. */
async function mayMail(
  tx: Tx,
  { settings, clock }: Service,
  user: User,
): Promise<boolean> {
  if (!settings.SMTP_URL || mustConfirm(user, settings)) return false;
  const now = clock.now();
  const key = keys.invitationsMailed(user.userId);
  const mailed = (await tx.get<number[]>(key) ?? []).filter((at) => isRecent(at, now, dayMs));
  if (mailed.length >= mailsADay) return false;
  tx.set(key, [...mailed, now], { expireInMs: dayMs });
  return true;
}
