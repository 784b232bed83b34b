import assert from "node:assert/strict";
import { account, data, FakeClock, testService } from "../service.ts";
import { ScriptedTarget } from "../domain/webhooks/scripted_target.ts";

// SPEC: event.key_created, webhooks.new_key_silent
Deno.test("api_key.created can be subscribed to, but is not emitted yet", async () => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  await using test = await testService({ parts: { clock, webhookTarget: target } });
  const { key: token } = await account(test);
  const json = { url: "https://hook.example/", events: ["api_key.created"] };
  const made = await data(test.request("/v1/api/webhooks", { token, json }));
  assert.deepEqual(made.events, ["api_key.created"]);
  await data(test.request("/v1/api/keys", { token, json: { name: "another" } }));
  await test.settle();
  await test.advance(60_000);
  assert.deepEqual(target.posts, []);
  const log = await test.request(`/v1/api/webhooks/${made.webhook_id}/deliveries`, { token });
  assert.deepEqual((await log.json()).data, []);
});
