/// <reference lib="deno.worker" />
import { IdleMemory } from "../../domain/core/work/idle_memory.ts";
import { servePassages } from "../../fulltext/passage_worker.ts";

const memory = new IdleMemory((delayMs, run) => void setTimeout(run, delayMs));

// The second thread of the embedded index, started by `PassageThread`.
servePassages(self, { worked: () => memory.note() });
