import type { VectorIndex } from "../../domain/ports/vector_index.ts";
import type { SearchIndex } from "../../domain/ports/search_index.ts";
import { IndexWorker, type IndexWorkerOptions } from "./index_worker.ts";
import { ReaderThread } from "./reader.ts";

/** The full-text index, together with one of vectors, which needs an embedding provider. */
export interface EmbeddedIndex extends SearchIndex {
  readonly vectors: VectorIndex;
  /** Whether it holds no email, as after its file was lost, damaged or of another version. */
  isEmpty(): Promise<boolean>;
  /**
   * Calls `refill` each time an empty file is opened from now on: the one before was lost or damaged while the service
   * ran.
   */
  whenEmptied(refill: () => void): void;
}

/**
 * The search index without a provider: SQLite in a Web Worker, so that neither indexing nor a search delays the thread
 * that answers requests. While searches queue, a second worker answers some of them.
 */
export function openEmbeddedIndex(options: IndexWorkerOptions): EmbeddedIndex {
  let refill = () => {};
  const index = new IndexWorker(options, {
    // The reader may have the file before open.
    fileChanged: () => reader?.stop(),
    emptied: () => refill(),
  });
  // An index in memory has no file for another thread to read.
  const reader = options.path === null ? null : new ReaderThread(options.path, index);
  const check = () => index.check();
  return {
    name: "embedded",
    exact: true,
    complete: true,
    add: (emails) => emails.length === 0 ? Promise.resolve() : index.ask("add", emails),
    remove: (userId, emailIds) => index.ask("remove", userId, emailIds),
    removeMailbox: (userId, mailboxId) => index.ask("removeMailbox", userId, mailboxId),
    removeAccount: (userId) => index.ask("removeAccount", userId),
    async search(query) {
      const { hits, total } = await (reader ?? index).search(query);
      return { hits, total };
    },
    passages: (query) => (reader ?? index).passages(query),
    reset: () => index.ask("reset"),
    isEmpty: () => index.read("isEmpty"),
    whenEmptied(then) {
      refill = then;
    },
    vectors: {
      name: "embedded",
      exact: true,
      add: (emails) => emails.length === 0 ? Promise.resolve() : index.ask("addVectors", emails),
      remove: (userId, emailIds) => index.ask("removeVectors", userId, emailIds),
      // The full-text index removes the vectors together with the emails.
      removeMailbox: () => Promise.resolve(),
      search: (query) => index.read("searchVectors", query),
      lacking: {
        count: (query) => index.read("countLacking", query),
        newest: (query) => index.read("newestLacking", query),
        accounts: (model) => index.read("lackingAccounts", model),
      },
      reset: () => index.ask("resetVectors"),
      check,
    },
    check,
    async close() {
      reader?.stop();
      await index.close();
    },
  };
}
