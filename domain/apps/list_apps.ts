import { z } from "zod";
import { isMember, type Member, personOf } from "../accounts/member.ts";
import { readPeople } from "../accounts/members/people.ts";
import { scopeField } from "../core/caller.ts";
import { isoTime, timestampField } from "../core/clock.ts";
import { notFound } from "../core/errors.ts";
import { operation } from "../core/operation.ts";
import { requireRole } from "../core/roles/least_role.ts";
import type { Service } from "../core/service.ts";
import { readableRows } from "../core/work/skip_damaged.ts";
import * as keys from "../store/keys.ts";
import { endGrant, type Grant } from "./grant.ts";
import { redirectHost } from "./redirects.ts";

const appRecord = z.object({
  grant_id: z.string(),
  client_name: z.string().describe("What the app calls itself"),
  client_host: z.string().describe(
    "The host to which the person was sent back; of an app with a scheme of its own, scheme and host",
  ),
  scopes: z.array(scopeField),
  mailbox_ids: z.array(z.string()).nullable().describe("The mailboxes that it sees; null: all"),
  allowed_by: z.object({ member_id: z.string(), name: z.string() }).describe(
    "The person who allowed it, and can disconnect it whatever the role",
  ),
  created_at: timestampField,
  last_used: timestampField.nullable().describe(
    "Time of the last call, at most 5 s late; null before the first",
  ),
}).meta({ id: "App", description: "An app that a person allowed" });

/** `GET /api/apps`. */
export const listApps = operation({
  name: "list_apps",
  title: "List connected apps",
  description: "The apps that people of the account allowed, and what each may do, oldest first.",
  scope: null,
  audit: "none",
  input: z.object({}),
  output: z.object({ apps: z.array(appRecord) }),
  // With MCP_OAUTH=off.
  errors: ["NOT_FOUND"],
  async run(service, { userId }) {
    const rows = await service.database.collect<Grant>({ prefix: keys.grants(userId) });
    const now = service.clock.now();
    const { user, members } = await readPeople(service.database, userId, now);
    const live = rows.filter(({ value }) =>
      !(value?.expiresAt <= now) && (!value || isMember(user, value))
    );
    return { apps: readableRows(service.log, live, (grant) => recordOf(service, members, grant)) };
  },
});

/** `DELETE /api/apps/{grant_id}`. */
export const revokeApp = operation({
  name: "revoke_app",
  title: "Disconnect an app",
  description:
    "Ends what a person allowed an app: all its tokens are refused from then on, what waits and streams for it ends, and the webhooks that it made become inactive.",
  scope: null,
  audit: "change",
  input: z.object({ grant_id: z.string().max(100) }),
  output: z.object({ revoked: z.literal(true) }).meta({ id: "RevokedApp" }),
  errors: ["NOT_FOUND", "FORBIDDEN"],
  async run(service, caller, { grant_id }, call) {
    const { userId } = caller;
    await service.database.transact(async (tx) => {
      const grant = await tx.get<Grant>(keys.grant(userId, grant_id));
      if (!grant || grant.expiresAt <= service.clock.now()) throw notFound("app");
      const isOwn = personOf(grant).memberId === personOf(caller).memberId;
      if (!isOwn) requireRole(caller, "revoke_app_of_another");
      endGrant(tx, service, grant);
      call.audit({}, tx);
    });
    service.credentials.forget(userId);
    return { revoked: true as const };
  },
});

function recordOf(
  service: Service,
  members: readonly Member[],
  grant: Grant,
): z.input<typeof appRecord> {
  const lastUsedAt = service.credentials.unwrittenUse(grant.grantId) ?? grant.lastUsedAt;
  const { memberId } = personOf(grant);
  const { name = "" } = members.find((each) => each.memberId === memberId) ?? {};
  return {
    grant_id: grant.grantId,
    client_name: grant.client.name,
    client_host: redirectHost(grant.client.redirectUri),
    scopes: [...grant.scopes],
    mailbox_ids: grant.mailboxIds ? [...grant.mailboxIds] : null,
    allowed_by: { member_id: memberId, name },
    created_at: isoTime(grant.createdAt),
    last_used: lastUsedAt === null ? null : isoTime(lastUsedAt),
  };
}
