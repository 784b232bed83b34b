import { type EmbeddedIndex, openEmbeddedIndex } from "../adapters/search_index/embedded.ts";

const idle: EmbeddedIndex[] = [];

/**
 * An empty search index in memory. Once it is closed, the next test of the file has its thread: a start costs more than
 * most tests.
 */
export function indexOfTest(): EmbeddedIndex {
  const index = idle.pop() ?? openEmbeddedIndex({ path: null });
  let isClosed = false;
  return {
    ...index,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await index.reset();
      await index.vectors.reset();
      idle.push(index);
    },
  };
}
