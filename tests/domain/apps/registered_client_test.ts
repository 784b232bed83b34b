import assert from "node:assert/strict";
import { findClient } from "../../../domain/apps/clients.ts";
import { registerClient, removeUnusedClients } from "../../../domain/apps/registered_client.ts";
import * as keys from "../../../domain/store/keys.ts";
import { account, type TestService, testService } from "../../service.ts";
import { connect, redirectUri, register } from "../../routes/oauth/connect.ts";

const day = 86_400_000;
const asked = { name: "n", redirectUris: [redirectUri] };
const registerFrom = async ({ service }: TestService, address: string) =>
  (await registerClient(service, address, asked)).clientId;
const isThere = async ({ service }: TestService, clientId: string) =>
  await findClient(service, clientId, null) !== null;
const countOf = ({ service }: TestService) => service.database.get(keys.unusedClientCount());

async function rowsOf({ kv }: TestService): Promise<string[]> {
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  return rows.map(({ key }) => key.join(" ")).filter((key) => key.startsWith("oauth_clients"));
}

// SPEC: oauth.registrations
Deno.test("of 101 registrations of an address the oldest goes, and no other address loses one", async () => {
  await using test = await testService({ instances: 1 });
  const other = await registerFrom(test, "192.0.2.2");
  const made = [];
  for (let n = 0; n < 101; n++) made.push(await registerFrom(test, "192.0.2.1"));
  assert.equal(await isThere(test, made[0]), false);
  assert.ok(await isThere(test, made[1]));
  assert.ok(await isThere(test, made[100]));
  assert.ok(await isThere(test, other));
  assert.equal(await countOf(test), 101);
  assert.equal((await rowsOf(test)).length, 2 * 101 + 2 + 1);
});

// SPEC: oauth.registrations
Deno.test("at 10,000 registrations without a grant the oldest of all goes", async () => {
  await using test = await testService({ instances: 1 });
  const oldest = await registerFrom(test, "192.0.2.1");
  const second = await registerFrom(test, "192.0.2.2");
  await test.service.database.transact((tx) => tx.set(keys.unusedClientCount(), 10_000));
  const [third, fourth] = await Promise.all([
    registerFrom(test, "192.0.2.3"),
    registerFrom(test, "192.0.2.4"),
  ]);
  for (const gone of [oldest, second]) assert.equal(await isThere(test, gone), false);
  for (const kept of [third, fourth]) assert.ok(await isThere(test, kept));
  assert.equal(await countOf(test), 10_000);
});

// SPEC: oauth.registrations
Deno.test("a registration without a grant ends after 30 days, one that had a grant never", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const unused = await register(test);
  const { clientId: used, grantId } = await connect(test, owner);
  await test.request(`/api/apps/${grantId}`, { method: "DELETE", token: owner.accessToken });
  assert.equal(await countOf(test), 1);
  await test.advance(30 * day - 1);
  assert.ok(await isThere(test, unused));
  await test.advance(2);
  assert.equal(await isThere(test, unused), false);
  assert.equal(await removeUnusedClients(test.service, () => true), 1);
  assert.equal(await removeUnusedClients(test.service, () => true), 0);
  assert.ok(await isThere(test, used));
  await test.advance(1_000 * day);
  assert.ok(await isThere(test, used));
  assert.deepEqual(await rowsOf(test), [`oauth_clients ${used}`, "oauth_clients_unused_count"]);
  assert.equal(await countOf(test), 0);
});

Deno.test("registrations with a grant do not count in those of their address", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { clientId } = await connect(test, owner);
  for (let n = 0; n < 101; n++) await registerFrom(test, "192.0.2.1");
  assert.ok(await isThere(test, clientId));
});

Deno.test("rows that contradict each other stop no registration", async () => {
  await using test = await testService({ instances: 1 });
  const lost = await registerFrom(test, "192.0.2.1");
  await test.service.database.transact((tx) => {
    tx.set(keys.unusedClientCount(), 10_000);
    tx.delete(keys.oauthClient(lost));
  });
  assert.ok(await isThere(test, await registerFrom(test, "192.0.2.2")));
  await test.service.database.transact((tx) => {
    tx.set(keys.unusedClientCount(), 20_000);
    tx.delete(keys.unusedClient(lost));
  });
  assert.ok(await isThere(test, await registerFrom(test, "192.0.2.3")));
  assert.ok(await isThere(test, await registerFrom(test, "192.0.2.4")));
});
