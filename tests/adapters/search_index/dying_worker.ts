// The worker of the embedded index, with somebody before it who kills it when a test says so.
import "./worker_killer.ts";
import "../../../fulltext/worker.ts";
