import { z } from "zod";
import { invalidField, notFound } from "../../core/errors.ts";
import { operation } from "../../core/operation.ts";
import { isAtLeast, requireRole } from "../../core/roles/least_role.ts";
import * as keys from "../../store/keys.ts";
import { type Member, personOf } from "../member.ts";
import { askToConfirm } from "../registration/email_verification.ts";
import { accountFields } from "../registration/new_account.ts";
import { endWhatIsBeyond } from "./end_member.ts";
import {
  memberIdField,
  memberRecord,
  memberRecordOf,
  notifyField,
  roleField,
} from "./member_record.ts";
import { readPeople, requireOtherOwner, selfIn } from "./people.ts";

/** `PATCH /api/members/{id}`. */
export const updateMember = operation({
  name: "update_member",
  title: "Change a person",
  description:
    "Changes the role of a person, or whether waiting drafts are mailed; of yourself also name and email. A new email counts " +
    "once the link that is mailed to it was opened; until then the old one logs in. A lower role narrows the person's apps " +
    "and ends the keys that can do more than the role.",
  scope: null,
  audit: "change",
  input: z.object({
    member_id: memberIdField,
    role: roleField.optional(),
    notify: notifyField.optional(),
    name: accountFields.name.optional().describe("Your own only"),
    email: accountFields.email.optional().describe("Your own only"),
  }),
  output: memberRecord,
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND", "CONFLICT", "RATE_LIMIT_EXCEEDED"],
  async run(service, caller, { member_id, role, notify, name, email }, call) {
    const { userId } = caller;
    const isSelf = personOf(caller).memberId === member_id;
    if ([role, notify, name, email].every((given) => given === undefined)) {
      throw invalidField("body", "must have role, notify, name or email");
    }
    if (!isSelf && name !== undefined) throw invalidField("name", "can only be your own");
    if (!isSelf && email !== undefined) throw invalidField("email", "can only be your own");
    const { before, after } = await service.database.transact(async (tx) => {
      const people = await readPeople(tx, userId, service.clock.now());
      const self = selfIn(people, caller);
      const before = people.members.find(({ memberId }) => memberId === member_id);
      if (!before) throw notFound("member");
      const lower = role !== undefined && !isAtLeast(role, before.role);
      if (!isSelf || (role !== undefined && !lower && role !== before.role)) {
        requireRole(self, "update_another_member");
        if (before.role === "owner" || role === "owner") requireRole(self, "change_owners");
      }
      if (lower) requireOtherOwner(people, before);
      const after: Member = {
        ...before,
        ...(role === undefined ? {} : { role }),
        ...(notify === undefined ? {} : { notify }),
        ...(name === undefined ? {} : { name }),
      };
      if (email !== undefined) {
        delete after.newEmail;
        if (email.toLowerCase() !== before.email.toLowerCase()) {
          after.newEmail = email;
          await askToConfirm(tx, service, after);
        }
      }
      tx.set(keys.member(userId, member_id), after);
      if (lower) {
        tx.append(userId, null);
        service.jobs.add(tx, "end_member", { userId, memberId: member_id });
      }
      call.audit({}, tx);
      return { before, after };
    });
    service.credentials.forget(userId);
    if (after.role !== before.role) await endWhatIsBeyond(service, after);
    return memberRecordOf(service, after);
  },
});
