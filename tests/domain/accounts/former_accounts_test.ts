import assert from "node:assert/strict";
import type { ApiKey } from "../../../domain/accounts/api_key.ts";
import { personOf } from "../../../domain/accounts/member.ts";
import { firstPeople } from "../../../domain/accounts/former_accounts.ts";
import * as keys from "../../../domain/store/keys.ts";
import { account, data, type TestService, testService } from "../../service.ts";
import { colleague } from "./members/colleague.ts";

/** Writes the rows of an account as schema version 3 had them. */
async function asBefore({ service }: TestService, userId: string): Promise<void> {
  await service.database.transact(async (tx) => {
    const [user, member, listed] = await Promise.all([
      tx.get<Record<string, unknown>>(keys.user(userId)),
      tx.get<Record<string, unknown>>(keys.member(userId, userId)),
      tx.get(keys.sessionList(userId, userId)),
    ]);
    const { memberIds: _, ...account } = user!;
    const { name, email, passwordHash } = member!;
    tx.set(keys.user(userId), { ...account, name, email, passwordHash });
    tx.set(keys.memberByEmail(String(email)), userId);
    tx.delete(keys.member(userId, userId));
    tx.delete(keys.sessionList(userId, userId));
    tx.set(keys.formerSessionList(userId), listed);
  });
  const sessions = keys.session(userId, "").slice(0, -1);
  for (const prefix of [sessions, keys.apiKeys(userId)]) {
    for (const { key, value } of await service.database.collect<ApiKey>({ prefix })) {
      const { memberId: _, ...before } = value;
      await service.database.transact((tx) => tx.set(key, before));
    }
  }
}

// SPEC: members.former
Deno.test("an account of a version without people has its owner, whose id stays, with password, sessions and keys", async () => {
  await using test = await testService({ instances: 1 });
  const { service } = test;
  const owner = await account(test), other = await account(test);
  for (const { userId } of [owner, other]) await asBefore(test, userId);
  for (let turn = 0; turn < 2; turn++) await firstPeople.run(service.database, 0);
  service.credentials.forget(owner.userId);
  const [self, ...more] = await data(test.request("/api/members", { token: owner.accessToken }));
  assert.deepEqual(more, []);
  assert.deepEqual(
    [self.member_id, self.email, self.name, self.role, self.status, self.notify],
    [owner.userId, owner.email, "Test Account", "owner", "active", "drafts"],
  );
  const json = { email: owner.email, password: owner.password };
  for (let n = 0; n < 20; n++) {
    assert.equal((await test.request("/api/auth/login", { json })).status, 200);
  }
  const { status } = await test.request("/api/members", { token: owner.accessToken });
  assert.equal(status, 401, "the session of before is one of the 20");
  // A key of before ends with the owner.
  const second = await colleague(test, owner, "owner");
  assert.equal((await test.request("/v1/api/mailboxes", { token: owner.key })).status, 200);
  const gone = await data(test.request(`/api/members/${owner.userId}`, {
    ...{ method: "DELETE", token: second.accessToken },
  }));
  assert.deepEqual(gone.key_ids, [owner.keyId]);
  assert.equal((await test.request("/v1/api/mailboxes", { token: owner.key })).status, 401);
  assert.deepEqual(personOf({ userId: "u" }), { userId: "u", memberId: "u" });
});
