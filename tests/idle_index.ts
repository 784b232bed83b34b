import { type EmbeddedIndex, openEmbeddedIndex } from "../adapters/search_index/embedded.ts";

const idle: EmbeddedIndex[] = [];

/**
 * An empty search index in memory, whose thread is up: a service checks the sender of a mail in a job of its own if the
 * index takes long. Once it is closed, the next test of the file has its thread: a start costs more than most tests.
 */
export async function indexOfTest(): Promise<EmbeddedIndex> {
  const index = idle.pop() ?? openEmbeddedIndex({ path: null });
  await index.isEmpty();
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
