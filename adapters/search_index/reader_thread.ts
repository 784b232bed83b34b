/// <reference lib="deno.worker" />
import { IdleMemory } from "../../domain/core/work/idle_memory.ts";
import { serveReader } from "../../fulltext/reader_worker.ts";

const memory = new IdleMemory((delayMs, run) => void setTimeout(run, delayMs));

// The second thread of the embedded index, started by `ReaderThread`.
serveReader(self, {
  fillRandom: (numbers) => crypto.getRandomValues(numbers),
  worked: () => memory.note(),
});
