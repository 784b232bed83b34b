// The thread of the embedded index, with a listener in front that kills it when a test asks for that.
import "./worker_killer.ts";
import "../../../adapters/search_index/index_thread.ts";
