import { z } from "zod";
import { freeEmail, type Member, personOf, readMember } from "../accounts/member.ts";
import { isRecentSignIn } from "../accounts/sessions.ts";
import { readUser } from "../accounts/user.ts";
import { subscriptionsOf } from "../billing/customer.ts";
import { noteEnded } from "../billing/ended_accounts.ts";
import { answered, paymentsOf } from "../billing/provider.ts";
import type { SubscriptionState } from "../billing/subscription_rules.ts";
import { invalidField, ServiceError } from "../core/errors.ts";
import type { Caller } from "../core/caller.ts";
import { operation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";

/** `DELETE /api/account`. */
export const endAccount = operation({
  name: "end_account",
  title: "Delete the account",
  description:
    "Deletes the account and all its mail; this cannot be undone. From then on its sessions, keys and" +
    " webhooks are dead, its mail is refused, nothing that waits is sent, " +
    "and its domains are free. A running subscription is ended first. What is stored is removed soon after; addresses are held as after the deletion of a " +
    "mailbox. confirm_email must be the email with which you log in. Without a password, and with PASSWORD_LOGIN=off, " +
    "you must have signed in in the last 10 minutes.",
  scope: null,
  // Its rows of the audit go with it.
  audit: "none",
  input: z.object({
    confirm_email: z.string().max(320).describe("The email with which you log in"),
    password: z.string().max(1_024).optional().describe(
      "Your password; absent: you have none, or the service takes none",
    ),
  }),
  output: z.object({ deleted: z.literal(true) }).meta({ id: "EndedAccount" }),
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  async run(service, caller, { confirm_email, password }) {
    const { userId } = caller;
    const user = await readUser(service.database, userId);
    const person = await readMember(service.database, personOf(caller));
    if (confirm_email.toLowerCase() !== person.email.toLowerCase()) {
      throw invalidField("confirm_email", "must be the email with which you log in");
    }
    await confirmPerson(service, caller, person, password);
    const canceled = new Set<string>();
    const subscriptions = await subscriptionsOf(service.database, user);
    for (const id of running(subscriptions)) {
      await answered(service, () => paymentsOf(service).cancel(id));
      canceled.add(id);
    }
    const endedAt = service.clock.now();
    await service.database.transact(async (tx) => {
      const now = await readUser(tx, userId);
      const since = running(await subscriptionsOf(tx, now));
      const { passwordHash } = await readMember(tx, person);
      if (passwordHash !== person.passwordHash || since.some((id) => !canceled.has(id))) {
        throw new ServiceError("CONFLICT", "The account changed meanwhile; try again.");
      }
      tx.delete(keys.user(userId));
      for (const memberId of now.memberIds) {
        const member = await tx.get<Member>(keys.member(userId, memberId));
        if (member?.status === "active") freeEmail(tx, member.email);
      }
      noteEnded(tx, service, userId);
      service.jobs.add(tx, "purge_account", { userId, endedAt });
      // This ends its event streams on other instances.
      tx.append(userId, null);
    });
    service.credentials.forget(userId);
    service.log.info("account.ended", { user_id: userId });
    return { deleted: true as const };
  },
});

/** Throws UNAUTHORIZED if the password is wrong, or if the sign-in that takes its place is not of late. */
async function confirmPerson(
  service: Service,
  caller: Caller,
  { email, passwordHash }: Member,
  password: string | undefined,
): Promise<void> {
  if (passwordHash === null || service.settings.PASSWORD_LOGIN === "off") {
    if (await isRecentSignIn(service, caller)) return;
    throw new ServiceError(
      "UNAUTHORIZED",
      "This needs a sign-in of the last 10 minutes: sign out, sign in and try again.",
    );
  }
  if (password === undefined) throw invalidField("password", "is required");
  // Wrong passwords count like failed logins; those of one session count together.
  const right = await service.loginGuard.attempt(
    email,
    `session ${caller.sessionId ?? ""}`,
    () => service.passwords.verify(password, passwordHash),
    { hasSession: true },
  );
  if (!right) throw new ServiceError("UNAUTHORIZED", "The password is wrong.");
}

/** The ids of those that have not ended, as far as the events say. */
function running(subscriptions: SubscriptionState[]): string[] {
  return subscriptions.filter(({ ended }) => ended?.value !== true)
    .map(({ subscriptionId }) => subscriptionId);
}
