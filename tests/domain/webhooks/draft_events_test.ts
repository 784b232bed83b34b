import assert from "node:assert/strict";
import { type DraftEventName, draftEvents } from "../../../domain/core/draft_events.ts";
import { eventPayloads } from "../../../domain/webhooks/events.ts";
import { Dispatcher } from "../../../workers/dispatch.ts";
import { workers } from "../../../workers/workers.ts";
import { account, data, FakeClock, mailbox, testService } from "../../service.ts";
import { ScriptedTarget } from "./scripted_target.ts";

Deno.test("data of a draft's event is its row of the changes, with the draft's status, hash and reasons", async () => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  await using test = await testService({ parts: { clock, webhookTarget: target } });
  const owner = await account(test), box = await mailbox(test, owner);
  const ask = (method: string, path: string, json?: unknown) =>
    data(test.request(`/v1/api${path}`, { method, token: owner.key, json }));
  // More webhooks than one commit of deliveries takes: all get the same bytes.
  await Promise.all(
    Array.from(
      { length: 30 },
      (_, n) =>
        ask("POST", "/webhooks", { url: `https://hook.example.com/${n}`, events: draftEvents }),
    ),
  );
  const { draft_id } = await ask("POST", "/drafts", {
    mailbox_id: box.mailbox_id,
    to: ["ann@one.example"],
    subject: "s",
    body_text: "b",
  });
  await ask("PATCH", `/drafts/${draft_id}`, { subject: "t" });
  await ask("POST", `/drafts/${draft_id}/send`, {});
  await test.settle();
  const changes = (await ask("GET", "/changes") as { event: string; change_id: string }[])
    .filter(({ event }) => event.startsWith("draft."));
  assert.deepEqual(changes.map(({ event }) => event), [
    ...["draft.created", "draft.updated", "draft.sent"],
  ]);
  for (const change of changes) {
    const bodies = target.posts.map((post) => post.body)
      .filter((body) => JSON.parse(body).event === change.event);
    assert.equal(bodies.length, 30);
    assert.equal(new Set(bodies).size, 1);
    const name = change.event as DraftEventName;
    const { status, content_hash, reasons, ...row } =
      eventPayloads[name].parse(JSON.parse(bodies[0])).data;
    assert.deepEqual(row, change);
    assert.equal(status, name === "draft.sent" ? "sent" : "draft");
    assert.match(content_hash, /^[0-9a-f]{64}$/);
    assert.deepEqual(reasons, []);
  }
});

Deno.test("two like changes of a draft within one millisecond have the ids of their own rows", async () => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  // The jobs of both changes run after them.
  await using test = await testService({ parts: { clock, webhookTarget: target }, instances: 1 });
  const owner = await account(test), box = await mailbox(test, owner);
  const ask = (method: string, path: string, json?: unknown) =>
    data(test.request(`/v1/api${path}`, { method, token: owner.key, json }));
  const url = "https://hook.example.com/";
  await ask("POST", "/webhooks", { url, events: ["draft.updated"] });
  const { draft_id } = await ask("POST", "/drafts", {
    mailbox_id: box.mailbox_id,
    to: ["ann@one.example"],
    subject: "s",
    body_text: "b",
  });
  await test.dispatcher.stop();
  for (const subject of ["t", "u"]) await ask("PATCH", `/drafts/${draft_id}`, { subject });
  const next = new Dispatcher(test.service, workers);
  await next.start();
  await next.settled();
  await next.stop();
  const changes = (await ask("GET", "/changes") as { event: string; change_id: string }[])
    .filter(({ event }) => event === "draft.updated").map(({ change_id }) => change_id);
  const sent = target.posts.map(({ body }) => JSON.parse(body).data.change_id);
  assert.deepEqual(sent.toSorted(), changes);
});
