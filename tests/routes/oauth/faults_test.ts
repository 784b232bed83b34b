import assert from "node:assert/strict";
import { type FaultKind, faultKinds } from "../../remote_kv/faults.ts";
import { RemoteKv } from "../../remote_kv/remote_kv.ts";
import { account, testService } from "../../service.ts";
import { appsOf, codeFor, exchange, read, refresh, register } from "./connect.ts";

const faults: FaultKind[] = faultKinds.filter((kind) => kind !== "late");

// SPEC: oauth.code_once
Deno.test("whatever happens to the write of an exchange, a code is used once or not at all", async (t) => {
  await using remote = new RemoteKv();
  await using test = await testService({ remote, instances: 1 });
  const owner = await account(test);
  const clientId = await register(test);
  for (const [n, fault] of faults.entries()) {
    await t.step(fault, async () => {
      const code = await codeFor(test, owner, clientId);
      remote.faults = { writes: { [fault]: 1 }, onlyTables: ["grant_families"], most: 1 };
      const first = await read(exchange(test, clientId, code));
      assert.equal(remote.faultsInjected, 1);
      remote.faults = {};
      const grants = (await appsOf(test, owner)).length;
      if (first.status !== 200) {
        assert.deepEqual([first.status, first.body.error], [503, "temporarily_unavailable"]);
        assert.equal(grants, n);
        assert.equal((await read(exchange(test, clientId, code))).status, 200);
      }
      assert.equal((await appsOf(test, owner)).length, n + 1);
    });
  }
});

// SPEC: oauth.refresh
Deno.test("whatever happens to the write of a refresh, the client can try again and its grant goes on", async () => {
  await using remote = new RemoteKv();
  await using test = await testService({ remote, instances: 1 });
  const owner = await account(test);
  const clientId = await register(test);
  const code = await codeFor(test, owner, clientId);
  let { refresh_token: token } = (await read(exchange(test, clientId, code))).body;
  for (const fault of faults) {
    remote.faults = { writes: { [fault]: 1 }, onlyTables: ["grant_families"], most: 1 };
    await read(refresh(test, token));
    remote.faults = {};
    const again = await read(refresh(test, token));
    assert.equal(again.status, 200, fault);
    token = again.body.refresh_token;
  }
  assert.equal((await appsOf(test, owner)).length, 1);
});
