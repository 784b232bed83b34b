import assert from "node:assert/strict";
import { WorkerThread } from "../../../../domain/core/work/worker_thread.ts";

/** A thread whose Workers answer at once, and whose time goes on with `pass`. */
function thread() {
  const alarms = new Set<{ leftMs: number; run: () => void }>();
  const state = { started: 0, ended: 0, alarms };
  const startWorker = () => {
    state.started++;
    const worker = {
      onmessage: (_event: { data: unknown }) => {},
      postMessage: () => {
        worker.onmessage({ data: "begun" });
        worker.onmessage({ data: { answer: true } });
      },
      terminate: () => void state.ended++,
    };
    return worker as unknown as Worker;
  };
  const made = new WorkerThread<Uint8Array, { answer: true }>({
    startWorker,
    deadlineMs: 5_000,
    bytesOf: (question) => question.length,
    clock: {
      after(leftMs, run) {
        const alarm = { leftMs, run };
        alarms.add(alarm);
        return () => alarms.delete(alarm);
      },
    },
  });
  const pass = (ms: number) => {
    for (const alarm of [...alarms]) {
      alarm.leftMs -= ms;
      if (alarm.leftMs <= 0 && alarms.delete(alarm)) alarm.run();
    }
  };
  return { thread: made, state, pass };
}

Deno.test("a Worker is used again for a minute after its last answer, and is ended then", async () => {
  const { thread: kept, state, pass } = thread();
  await kept.ask(new Uint8Array(1));
  pass(59_000);
  await kept.ask(new Uint8Array(1));
  pass(59_000);
  assert.deepEqual([state.started, state.ended], [1, 0]);
  pass(1_000);
  assert.equal(state.ended, 1);
  assert.equal(state.alarms.size, 0, "no timer is left");
  await kept.ask(new Uint8Array(1));
  assert.equal(state.started, 2);
  kept.close();
  assert.deepEqual([state.ended, state.alarms.size], [2, 0]);
});

Deno.test("a Worker is ended at once after 16 MiB of questions, because its heap has grown", async () => {
  const { thread: kept, state } = thread();
  await kept.ask(new Uint8Array(16 * 1024 * 1024));
  assert.equal(state.ended, 0);
  await kept.ask(new Uint8Array(1));
  assert.deepEqual([state.started, state.ended, state.alarms.size], [1, 1, 0]);
});
