import assert from "node:assert/strict";
import { account, data, deliver, FakeClock, mailbox, message, testService } from "../../service.ts";
import type { Attempt } from "../../../domain/webhooks/delivery.ts";
import { withAttempt } from "../../../domain/webhooks/delivery.ts";
import { ScriptedTarget } from "./scripted_target.ts";

class AnsweringTarget extends ScriptedTarget {
  override async post(post: Parameters<ScriptedTarget["post"]>[0]) {
    const outcome = await super.post(post);
    return outcome.ok ? { ...outcome, answer: "no such customer" } : outcome;
  }
}

Deno.test("a delivery shows when it began, where it went, what was sent and what came back", async () => {
  const clock = new FakeClock();
  const target = new AnsweringTarget(clock);
  target.reply = (_, nth) => nth === 1 ? 422 : nth === 2 ? "refused" : 200;
  await using test = await testService({ parts: { clock, webhookTarget: target } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const url = "https://hook.example.com/in";
  const json = { url, events: ["email.received"] };
  const { webhook_id } = await data(
    test.request("/v1/api/webhooks", { token: owner.key, json }),
  );
  const log = `/v1/api/webhooks/${webhook_id}/deliveries`;
  await deliver(test, box.email_address, message({ Subject: "Order 7" }));
  await test.settle();
  for (let n = 0; n < 3; n++) await test.advance(1_000);
  const [row] = await data(test.request(log, { token: owner.key }));
  assert.deepEqual([row.url, row.created_at], [url, "2026-11-20T10:00:00.000Z"]);
  assert.ok(!("payload" in row) && !("answer" in row.attempts[0]), "lists stay small");

  const moved = "https://other.example.com/in";
  await test.request(`/v1/api/webhooks/${webhook_id}`, {
    ...{ method: "PATCH", token: owner.key, json: { url: moved } },
  });
  const path = `${log}/${row.delivery_id}`;
  const full = await data(test.request(path, { token: owner.key }));
  const { payload, attempts, ...rest } = full;
  assert.equal(payload, target.posts[0].body);
  assert.equal(JSON.parse(payload).data.subject, "Order 7");
  assert.deepEqual(
    attempts.map((
      each: { http_status: number; answer: string },
    ) => [each.http_status, each.answer]),
    [[422, "no such customer"], [null, null], [200, "no such customer"]],
  );
  const { attempts: _, ...listed } = row;
  assert.deepEqual(rest, listed, "the URL is still that of the attempt");
  const { cookie } = owner;
  const copy = await data(test.request(path.replace("/v1", ""), { headers: { cookie } }));
  assert.deepEqual(copy, full);

  const scoped = { name: "hooks", scopes: ["webhooks:write"] };
  const { apiKey } = await data(test.request("/v1/api/keys", { token: owner.key, json: scoped }));
  const blind = await data(test.request(path, { token: apiKey }));
  assert.deepEqual(blind, { ...full, payload: null }, "deliveries about mail require emails:read");
  const stranger = await account(test);
  assert.equal((await test.request(path, { token: stranger.key })).status, 404);
});

Deno.test("a row keeps 50 attempts, and the answers of the newest ten", () => {
  let attempts: Attempt[] = [];
  for (let at = 0; at < 60; at++) {
    const answer = `${at}`;
    attempts = withAttempt(attempts, { at, httpStatus: 500, error: "no", durationMs: 1, answer });
  }
  assert.deepEqual(attempts.map(({ at }) => at), Array.from({ length: 50 }, (_, n) => n + 10));
  assert.deepEqual(
    attempts.flatMap(({ answer }) => answer ?? []),
    Array.from({ length: 10 }, (_, n) => `${n + 50}`),
  );
});
