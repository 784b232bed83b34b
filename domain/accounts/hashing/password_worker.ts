/** The thread of `../passwords.ts`: argon2id in WebAssembly blocks the thread that it runs on for 70 ms. */
import { parentPort } from "node:worker_threads";
import { type Argon2Answer, type Argon2Task, runArgon2 } from "./argon2.ts";

/** Each hash has a memory of 19 MiB of its own, which the collector of this thread would leave for seconds. */
const tasksPerCollection = 4;
let tasks = 0;

parentPort?.on("message", async ({ id, task }: { id: number; task: Argon2Task }) => {
  const answer: Argon2Answer = await runArgon2(task).then(
    (value) => ({ id, value }),
    (error) => ({ id, error: error instanceof Error ? error.message : String(error) }),
  );
  parentPort?.postMessage(answer);
  // Where --expose-gc is set, as in the tasks.
  if (++tasks % tasksPerCollection === 0) (globalThis as { gc?: () => void }).gc?.();
});
