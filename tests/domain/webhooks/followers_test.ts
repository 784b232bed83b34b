import assert from "node:assert/strict";
import { writeEvent } from "../../../domain/webhooks/emit.ts";
import type { StoredEvent } from "../../../domain/webhooks/delivery.ts";
import type { EventName } from "../../../domain/webhooks/events.ts";
import { account, data, FakeClock, testService } from "../../service.ts";
import { ScriptedTarget } from "./scripted_target.ts";

Deno.test("an event whose job runs before that of the event it follows is delivered after it, and not lost", async () => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  await using test = await testService({ parts: { clock, webhookTarget: target } });
  const { userId, key: token } = await account(test);
  const events: EventName[] = ["email.received", "email.processed"];
  const json = { url: "https://hook.example.com/in", events };
  await data(test.request("/v1/api/webhooks", { token, json }));
  const [first, second] = events.map((name): StoredEvent => ({
    ...{ eventId: `of ${name}`, name, body: JSON.stringify({ event: name }) },
    ...{ emailId: null, mailboxId: null, fannedOut: false, followers: [] },
    follows: name === "email.processed" ? "of email.received" : null,
  }));
  const { database, jobs } = test.service;
  await database.transact((tx) => {
    writeEvent(tx, userId, first);
    writeEvent(tx, userId, second);
    jobs.add(tx, "fan_out_event", { userId, eventId: second.eventId });
  });
  await test.settle();
  assert.deepEqual(target.events, []);
  await database.transact((tx) => {
    jobs.add(tx, "fan_out_event", { userId, eventId: first.eventId });
  });
  await test.settle();
  assert.deepEqual(target.events, events);
});
