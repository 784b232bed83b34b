import assert from "node:assert/strict";
import { findClient } from "../../../domain/apps/clients.ts";
import { account, FakeClock, testService } from "../../service.ts";
import { ScriptedTarget } from "../../domain/webhooks/scripted_target.ts";
import { appsOf, connect } from "./connect.ts";

// SPEC: oauth.documents
Deno.test("an app with a metadata document connects without a registration, however long its URL is", async () => {
  const clock = new FakeClock(), target = new ScriptedTarget(clock);
  await using test = await testService({ parts: { clock, webhookTarget: target } });
  const owner = await account(test);
  for (const length of [40, 2_048]) {
    const clientId = "https://app.example/".padEnd(length, "x");
    const redirectUri = "http://127.0.0.1/callback";
    const document = {
      client_id: clientId,
      client_name: "By document",
      redirect_uris: [redirectUri],
    };
    target.documents.set(clientId, JSON.stringify(document));
    const { access_token: token } = await connect(test, owner, { clientId, redirectUri });
    assert.equal((await test.request("/v1/api/emails", { token })).status, 200);
    const app = (await appsOf(test, owner)).at(-1);
    assert.deepEqual([app.client_name, app.client_host], ["By document", "127.0.0.1"]);
  }
  const rows = await Array.fromAsync(test.kv.list({ prefix: ["oauth_clients"] }));
  assert.deepEqual(rows, []);
  assert.equal(await findClient(test.service, "x".repeat(9_000), owner.userId), null);
});
