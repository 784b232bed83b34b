import { z } from "zod";
import { isoTime, timestampField } from "../../core/clock.ts";
import { roles } from "../../core/roles/role.ts";
import type { Service } from "../../core/service.ts";
import type { Member } from "../member.ts";

export const roleField = z.enum(roles).meta({
  id: "Role",
  description: "What a person may do: each role may do all that the ones before it may",
});

export const notifyField = z.enum(["drafts", "none"]).describe(
  "Whether drafts that wait for approval are mailed to the person",
);

export const memberIdField = z.string().max(100).describe("member_id of list_members");

export const memberRecord = z.object({
  member_id: z.string(),
  name: z.string().describe("Empty until the person has accepted the invitation"),
  email: z.string().describe("With which the person logs in"),
  new_email: z.string().optional().describe(
    "Only while an address waits to replace `email`: it does once the link that was mailed to it is opened",
  ),
  role: roleField,
  status: z.enum(["active", "invited"]),
  notify: notifyField,
  created_at: timestampField,
  last_seen: timestampField.nullable().describe(
    "Time of the last request of a session, a minute late at most; null before the first",
  ),
}).meta({ id: "Member", description: "A person of the account" });

export function memberRecordOf(
  { credentials }: Pick<Service, "credentials">,
  member: Member,
): z.input<typeof memberRecord> {
  const seenAt = credentials.unwrittenUse(member.memberId) ?? member.lastUsedAt;
  return {
    member_id: member.memberId,
    name: member.name,
    email: member.email,
    ...(member.newEmail === undefined ? {} : { new_email: member.newEmail }),
    role: member.role,
    status: member.status,
    notify: member.notify,
    created_at: isoTime(member.createdAt),
    last_seen: seenAt === null ? null : isoTime(seenAt),
  };
}
