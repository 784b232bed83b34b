/// <reference lib="deno.worker" />
import { servePassages } from "../../fulltext/passage_worker.ts";

// The second thread of the embedded index, started by `PassageThread`.
servePassages(self);
