/// <reference lib="deno.worker" />
import { IdleMemory } from "../../domain/core/work/idle_memory.ts";
import { RecentWork } from "../../domain/core/work/recent_work.ts";
import { serveIndex } from "../../fulltext/worker.ts";

/** A call that adds a batch of emails leaves more garbage than a request. */
const workOfCall = 5;
const memory = new IdleMemory((delayMs, run) => void setTimeout(run, delayMs));

const elapsed = () => performance.now();

// The thread of the embedded index, started by `openEmbeddedIndex`.
serveIndex(self, {
  elapsed,
  work: new RecentWork({ elapsed }),
  fillRandom: (numbers) => crypto.getRandomValues(numbers),
  worked: () => memory.note(workOfCall),
});
