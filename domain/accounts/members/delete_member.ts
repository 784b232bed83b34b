import { z } from "zod";
import { notFound } from "../../core/errors.ts";
import { operation } from "../../core/operation.ts";
import { requireRole } from "../../core/roles/least_role.ts";
import * as keys from "../../store/keys.ts";
import { type ApiKey, withoutEnded } from "../api_key.ts";
import { freeEmail, personOf } from "../member.ts";
import { unpin } from "../provider/pins.ts";
import type { User } from "../user.ts";
import { unlistInvited } from "./invited_by_email.ts";
import { endWhatIsBeyond } from "./end_member.ts";
import { memberIdField } from "./member_record.ts";
import { readPeople, requireOtherOwner, selfIn } from "./people.ts";

/** `DELETE /api/members/{id}`. */
export const deleteMember = operation({
  name: "delete_member",
  title: "Remove a person",
  description:
    "Removes a person from the account, or withdraws an invitation; yourself: you leave. The person's sessions, apps and API " +
    "keys, and what waits and streams for them, end at once; what the person did stays.",
  scope: null,
  audit: "change",
  input: z.object({ member_id: memberIdField }),
  output: z.object({
    deleted: z.literal(true),
    key_ids: z.array(z.string()).describe("The API keys that ended with the person"),
  }).meta({ id: "DeletedMember" }),
  errors: ["NOT_FOUND", "FORBIDDEN", "CONFLICT"],
  async run(service, caller, { member_id }, call) {
    const { userId } = caller;
    const { database, clock } = service;
    const rows = await database.collect<ApiKey>({ prefix: keys.apiKeys(userId) });
    const keyIds = await database.transact(async (tx) => {
      const people = await readPeople(tx, userId, clock.now());
      const self = selfIn(people, caller);
      const member = people.members.find(({ memberId }) => memberId === member_id);
      if (!member) throw notFound("member");
      if (member !== self) {
        requireRole(self, "delete_another_member");
        if (member.role === "owner") requireRole(self, "change_owners");
      }
      requireOtherOwner(people, member);
      const { user } = people;
      const own = withoutEnded(rows.map(({ value }) => value), user.memberIds).filter((key) =>
        personOf(key).memberId === member_id &&
        (key.expiresAt === null || key.expiresAt > clock.now())
      );
      // From here on everything of the person is dead: each check of a credential asks for the account's people.
      const memberIds = user.memberIds.filter((memberId) => memberId !== member_id);
      tx.set(keys.user(userId), { ...user, memberIds } satisfies User);
      tx.delete(keys.member(userId, member_id));
      unpin(tx, member);
      if (member.status === "active") freeEmail(tx, member.email);
      else unlistInvited(tx, member);
      tx.append(userId, null);
      service.jobs.add(tx, "end_member", { userId, memberId: member_id });
      call.audit({}, tx);
      return own.map(({ keyId }) => keyId);
    });
    service.credentials.forget(userId);
    await endWhatIsBeyond(service, { userId, memberId: member_id });
    return { deleted: true as const, key_ids: keyIds };
  },
});
