import assert from "node:assert/strict";
import type { Job } from "../../domain/store/jobs.ts";
import { DeliveryQueue } from "../../workers/delivery_queue.ts";

let made = 0;

function job(webhookId: string, userId = "user", attempts = 0): Job<"deliver_webhook"> {
  const jobId = `job-${made++}`;
  const payload = { userId, webhookId, deliveryId: jobId, eventId: jobId };
  return { jobId, kind: "deliver_webhook", payload, runAt: 0, attempts, createdAt: 0, dueAt: 0 };
}

function takeAll(queue: DeliveryQueue): Job<"deliver_webhook">[] {
  const taken = [];
  for (let next = queue.take(); next; next = queue.take()) taken.push(next);
  return taken;
}

function fill(queue: DeliveryQueue, webhookId: string, count: number, userId = "user") {
  for (let i = 0; i < count; i++) queue.push(job(webhookId, userId));
}

function inFlight(jobs: Job<"deliver_webhook">[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { payload } of jobs) counts[payload.webhookId] = (counts[payload.webhookId] ?? 0) + 1;
  return counts;
}

Deno.test("queues take turns, each in the order of its jobs", () => {
  const queue = new DeliveryQueue();
  const a = [job("a"), job("a"), job("a")], b = [job("b"), job("b")];
  for (const each of [...a, ...b]) queue.push(each);
  const first = takeAll(queue);
  assert.deepEqual(first, [a[0], b[0]]);
  for (const each of first) queue.done(each, 5);
  assert.deepEqual(takeAll(queue), [a[1], b[1], a[2]]);
  assert.equal(queue.size, 0);
});

Deno.test("a queue begins with one at a time, grows to sixteen while its receiver is prompt, shrinks to one when it hangs", () => {
  const queue = new DeliveryQueue();
  fill(queue, "a", 200);
  const widths = [];
  for (const durationMs of [5, 5, 5, 5, 10_000]) {
    const taken = takeAll(queue);
    widths.push(taken.length);
    for (const each of taken) queue.done(each, durationMs);
  }
  widths.push(takeAll(queue).length);
  assert.deepEqual(widths, [1, 2, 8, 16, 16, 1]);
});

Deno.test("a quick refusal counts as prompt: a dead receiver that refuses at once delays nobody", () => {
  const queue = new DeliveryQueue();
  fill(queue, "a", 20);
  for (const each of takeAll(queue)) queue.done(each, 1);
  assert.equal(takeAll(queue).length, 2);
});

Deno.test("fifty receivers that hang leave room for a new one of the same account", () => {
  const queue = new DeliveryQueue();
  for (let i = 0; i < 50; i++) fill(queue, `hanging-${i}`, 40);
  assert.equal(takeAll(queue).length, 50);
  fill(queue, "other", 1);
  assert.deepEqual(inFlight(takeAll(queue)), { other: 1 });
});

Deno.test("a receiver known to be prompt is served at once, however many others hang", () => {
  const queue = new DeliveryQueue();
  fill(queue, "good", 1);
  queue.done(queue.take()!, 5);
  for (let i = 0; i < 1_000; i++) fill(queue, `hanging-${i}`, 5);
  assert.equal(takeAll(queue).length, 192);
  fill(queue, "good", 10);
  assert.deepEqual(inFlight(takeAll(queue)), { good: 2 });
});

Deno.test("an account with a thousand receivers that hang leaves slots to new receivers of others", () => {
  const queue = new DeliveryQueue();
  for (let i = 0; i < 1_000; i++) fill(queue, `hanging-${i}`, 5, "a");
  assert.equal(takeAll(queue).length, 192);
  fill(queue, "b-1", 2, "b");
  fill(queue, "b-2", 2, "b");
  assert.deepEqual(inFlight(takeAll(queue)), { "b-1": 1, "b-2": 1 });
});

Deno.test("a retry begins at once, before waiting deliveries and beyond the queue's width", () => {
  const queue = new DeliveryQueue();
  fill(queue, "a", 5);
  takeAll(queue);
  const retry = job("a", "user", 1);
  queue.push(retry);
  assert.equal(queue.take(), retry);
  queue.done(retry, 10_000);
  assert.equal(queue.take(), null);
});

Deno.test("attempts after the third wait in their queue, and free their slots when they end", () => {
  const queue = new DeliveryQueue();
  for (let n = 0; n < 50; n++) queue.push(job("a", "user", 3));
  const first = queue.take();
  assert.equal(first?.attempts, 3);
  assert.equal(queue.take(), null);
  queue.done(first, 10);
  assert.equal(
    [queue.take(), queue.take(), queue.take()].filter((each) => each !== null).length,
    2,
  );
});

Deno.test("a queue keeps a thousand waiting in memory and leaves the rest to the database", () => {
  const queue = new DeliveryQueue();
  fill(queue, "a", 1_000);
  assert.equal(queue.push(job("a")), false);
  assert.equal(queue.push(job("b")), true);
  assert.equal(queue.size, 1_001);
});

Deno.test("all slots are free again after any mixture of prompt and slow ends", () => {
  const queue = new DeliveryQueue();
  let seed = 7;
  const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
  let busy: Job<"deliver_webhook">[] = [];
  for (let round = 0; round < 3_000; round++) {
    queue.push(job(`w${random(40)}`, `u${random(3)}`, random(10) === 0 ? 1 : 0));
    if (random(2) === 0) {
      const taken = queue.take();
      if (taken) busy.push(taken);
    }
    if (busy.length > 0 && random(3) === 0) {
      queue.done(busy.splice(random(busy.length), 1)[0], random(2) * 5_000);
    }
  }
  while (busy.length > 0) {
    for (const each of busy) queue.done(each, 1);
    busy = takeAll(queue);
  }
  assert.equal(queue.size, 0);
  for (let i = 0; i < 200; i++) fill(queue, `fresh-${i}`, 2, "fresh");
  assert.equal(takeAll(queue).length, 192);
});
