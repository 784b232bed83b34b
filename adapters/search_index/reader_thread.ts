/// <reference lib="deno.worker" />
import { IdleMemory } from "../../domain/core/work/idle_memory.ts";
import { RecentWork } from "../../domain/core/work/recent_work.ts";
import { serveReader } from "../../fulltext/reader_worker.ts";

const memory = new IdleMemory((delayMs, run) => void setTimeout(run, delayMs));

const elapsed = () => performance.now();

// The second thread of the embedded index, started by `ReaderThread`.
serveReader(self, {
  elapsed,
  work: new RecentWork({ elapsed }),
  fillRandom: (numbers) => crypto.getRandomValues(numbers),
  worked: () => memory.note(),
});
