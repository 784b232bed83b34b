/// <reference lib="deno.worker" />
import { IdleMemory } from "../../domain/core/work/idle_memory.ts";
import { serveIndex } from "../../fulltext/worker.ts";

/** A call that adds a batch of emails leaves more garbage than a request. */
const workOfCall = 5;
const memory = new IdleMemory((delayMs, run) => void setTimeout(run, delayMs));

// The thread of the embedded index, started by `openEmbeddedIndex`.
serveIndex(self, {
  elapsed: () => performance.now(),
  fillRandom: (numbers) => crypto.getRandomValues(numbers),
  worked: () => memory.note(workOfCall),
});
