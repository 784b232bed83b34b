/// <reference lib="deno.worker" />
import { serveIndex } from "../../fulltext/worker.ts";

// The thread of the embedded index, started by `openEmbeddedIndex`.
serveIndex(self, () => performance.now(), (numbers) => crypto.getRandomValues(numbers));
