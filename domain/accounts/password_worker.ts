/** The thread of `passwords.ts`: argon2id in WebAssembly blocks the thread that it runs on for 70 ms. */
import { parentPort } from "node:worker_threads";
import { type Argon2Answer, type Argon2Task, runArgon2 } from "./argon2.ts";

parentPort?.on("message", async ({ id, task }: { id: number; task: Argon2Task }) => {
  const answer: Argon2Answer = await runArgon2(task).then(
    (value) => ({ id, value }),
    (error) => ({ id, error: error instanceof Error ? error.message : String(error) }),
  );
  parentPort?.postMessage(answer);
});
