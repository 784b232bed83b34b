import { z } from "zod";
import { personOf, readMember } from "../accounts/member.ts";
import { mustConfirm, readUser } from "../accounts/user.ts";
import { roleField } from "../accounts/members/member_record.ts";
import { allowedTo } from "../core/roles/least_role.ts";
import { isoTime, timestampField } from "../core/clock.ts";
import { operation } from "../core/operation.ts";
import { planField, planLimits } from "../core/plans.ts";
import type { Settings } from "../core/settings.ts";

export const getAccount = operation({
  name: "get_account",
  title: "Get the account",
  description:
    "Who is signed in, what the plan allows, where the service is reached, and which shared domains a mailbox may have.",
  scope: null,
  audit: "none",
  input: z.object({}),
  output: z.object({
    userId: z.string(),
    name: z.string().describe("Of the person who is signed in; so are email, memberId and role"),
    email: z.string(),
    memberId: z.string(),
    role: roleField,
    may: z.array(z.string()).describe(
      "The operations, by name, that the role may do, and parts of operations that want more than the whole",
    ),
    plan: planField,
    createdAt: timestampField,
    mustConfirmEmail: z.boolean().describe(
      "Mail goes to own mailboxes only until the account's address is confirmed",
    ),
    limits: planLimits,
    baseUrl: z.string().describe("The public address of the service"),
    mxHost: z.string().describe("The host that the MX record of a custom domain names"),
    sharedDomains: z.array(z.string()).describe("Domains on which every account has mailboxes"),
    inboundHint: z.string().nullable().describe(
      "How mail gets in on a machine that the internet does not reach, in a sentence; null if mail is sent as usual",
    ),
  }).meta({ id: "Account" }),
  errors: ["NOT_FOUND"],
  async run({ database, settings, plans }, caller) {
    const [user, { name, email, memberId, role }] = await Promise.all([
      readUser(database, caller.userId),
      readMember(database, personOf(caller)),
    ]);
    return {
      userId: user.userId,
      name,
      email,
      memberId,
      role,
      may: allowedTo(role),
      plan: user.plan,
      createdAt: isoTime(user.createdAt),
      mustConfirmEmail: mustConfirm(user, settings),
      limits: plans[user.plan],
      baseUrl: settings.BASE_URL,
      mxHost: settings.MX_HOST,
      sharedDomains: settings.SHARED_DOMAINS,
      inboundHint: inboundHint(settings),
    };
  },
});

/** The token of the inbound route belongs to the operator: the hint says where it is, not what it is. */
function inboundHint({ mode, SMTP_LISTEN_PORT: port, BASE_URL }: Settings): string | null {
  if (mode !== "dev") return null;
  const route = `by POST ${BASE_URL}/inbound/raw with the inbound token of the first start`;
  return port === undefined
    ? `On this machine mail comes in ${route}.`
    : `On this machine mail comes in by SMTP at ${
      new URL(BASE_URL).hostname
    }:${port}, or ${route}.`;
}
