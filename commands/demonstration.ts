import { createApiKey, listApiKeys, revokeApiKey } from "../domain/accounts/api_keys.ts";
import { createAccount } from "../domain/accounts/registration/operator_account.ts";
import { setPassword } from "../domain/accounts/set_password.ts";
import { setPlan } from "../domain/accounts/set_plan.ts";
import { findMemberByEmail } from "../domain/accounts/member.ts";
import { readUser } from "../domain/accounts/user.ts";
import type { Caller } from "../domain/core/caller.ts";
import { perform } from "../domain/core/operation.ts";
import type { Service } from "../domain/core/service.ts";
import { createMailbox } from "../domain/mailboxes/create_mailbox.ts";
import { listMailboxRecords } from "../domain/mailboxes/list_mailboxes.ts";
import * as keys from "../domain/store/keys.ts";

const email = "demo@example.com";
const keyName = "demonstration";
const guest = { clientAddress: "" };

/** The facts of the demonstration account that `dev` shows. Secrets are null if an earlier start showed them. */
export interface Demonstration {
  email: string;
  password: string | null;
  key: string | null;
  addresses: string[];
}

/**
 * For `dev` only: an account with a key and a mailbox, so that the first curl needs no preparation. It is on
 * `enterprise`, because a first tour reached the request limit of `free`. With `credentials` an existing account gets a new
 * password and a new key; its sessions and the earlier key end, its other keys stay.
 *
 * Returns null if the email belongs to an account that `dev` did not make; that account is not changed.
 */
export async function prepareDemonstration(
  service: Service,
  { credentials = false } = {},
): Promise<Demonstration | null> {
  const known = await findMemberByEmail(service, email);
  const mark = keys.mark("demonstration");
  if (known && await service.database.get(mark) === null) return null;
  // Written before the account: after a crash in between, the next start makes the account. A later start writes nothing,
  // so that it succeeds on a full disk too.
  if (!known) await service.database.transact((tx) => tx.set(mark, service.clock.now()));
  const password = known && !credentials ? null : newPassword(service);
  const { userId } = known ??
    await perform(createAccount, service, guest, { email, password, name: "Demonstration" });
  const caller: Caller = { userId, plan: "enterprise" };
  if ((await readUser(service.database, userId)).plan !== caller.plan) {
    await perform(setPlan, service, guest, { email, plan: caller.plan });
  }
  if (known && password !== null) await setPassword(service, known, password);
  const key = password === null ? null : await renewKey(service, caller);
  if (!known) {
    const domain = service.settings.SHARED_DOMAINS[0];
    await perform(createMailbox, service, caller, { local_part: "agent-demo", domain });
  }
  const { mailboxes } = await perform(listMailboxRecords, service, caller, {});
  return { email, password, key, addresses: mailboxes.map((each) => each.email_address) };
}

/** 96 random bits. */
function newPassword(service: Service): string {
  return service.ids.bytes(12).toBase64({ alphabet: "base64url" });
}

/** Makes a key and revokes those of earlier starts. */
async function renewKey(service: Service, caller: Caller): Promise<string> {
  const { keys: old } = await perform(listApiKeys, service, caller, {});
  const { apiKey } = await perform(createApiKey, service, caller, { name: keyName });
  for (const { name, keyId } of old) {
    if (name === keyName) await perform(revokeApiKey, service, caller, { keyId });
  }
  return apiKey;
}
