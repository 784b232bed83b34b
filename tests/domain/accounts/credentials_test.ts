import assert from "node:assert/strict";
import { Credentials } from "../../../domain/accounts/credentials.ts";
import * as keys from "../../../domain/store/keys.ts";
import { account, data, testService } from "../../service.ts";

Deno.test("a key that is revoked while its rows are read is refused at the next request, not five seconds later", async () => {
  await using test = await testService();
  const { userId, key: secret, accessToken } = await account(test);
  const { service } = test;
  const userRow = JSON.stringify(keys.user(userId));
  const isRead = Promise.withResolvers<void>(), goOn = Promise.withResolvers<void>();
  const { database } = service;
  const held: typeof database = Object.create(database, {
    get: {
      value: async (key: Deno.KvKey) => {
        const row = await database.get(key);
        if (JSON.stringify(key) === userRow) {
          isRead.resolve();
          await goOn.promise;
        }
        return row;
      },
    },
  });
  const credentials = new Credentials({ ...service, database: held });
  const reading = credentials.callerOf({ kind: "key", secret });
  await isRead.promise;
  const [{ keyId }] = await data(test.request("/v1/api/keys", { token: accessToken }));
  await data(test.request(`/v1/api/keys/${keyId}`, { token: accessToken, method: "DELETE" }));
  credentials.forget(userId);
  goOn.resolve();
  assert.equal((await reading)?.keyId, keyId, "it was read before it was revoked");
  assert.equal(await credentials.callerOf({ kind: "key", secret }), null);
  await credentials.flush();
});
