import type { Clock } from "../../domain/core/clock.ts";
import { hasSpareDescriptors } from "../../domain/core/work/spare_descriptors.ts";
import { RecentWork } from "../../domain/core/work/recent_work.ts";
import { type Embedder, EmbeddingsError } from "../../domain/ports/embeddings.ts";
import { type Answer, EncoderThread } from "./encoder_thread.ts";
import { mostTokens } from "./encoders/encoder.ts";
import type { EncoderSet } from "./encoders/encoder_set.ts";

/** After the thread has died, another is started after this time at the earliest. */
const restartMs = 10_000;
/** As `restartMs`, if the encoders could not be loaded: a file is damaged, or memory is short. */
const reloadMs = 60_000;
/**
 * A thread that fails for so many texts in a row is started again, because a file or its memory is damaged. A mail whose
 * passages are too long for the model fails eight times.
 */
const mostFailures = 10;
/** The thread ends, and gives back its memory, so long after the last text of each kind. */
const awakeMs = { passage: 60_000, question: 15 * 60_000 };
/** What a question waits for encoders that load. */
const questionMs = 1_500;

export interface LocalEmbedderOptions {
  clock: Pick<Clock, "after" | "elapsed">;
  /** Is told how long each text took, ms. */
  worked?: (ms: number) => void;
  /** Is told of each failure, but not of a deadline that passed. */
  failed?: (why: string) => void;
  /** What the thread runs, for tests. */
  module?: URL;
}

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
 * Encoders on this machine, in a thread of their own at the lowest priority, which starts with a text and ends without
 * work. Texts are embedded one after another, those of the call with the earliest deadline first: a question waits for
 * at most one text of a mail. Accounts whose searches wait take turns.
 */
export function createLocalEmbedder(
  set: EncoderSet,
  { clock, worked, failed, module }: LocalEmbedderOptions,
): Embedder & { close(): void } {
  const calls = new Set<Call>();
  let thread: EncoderThread | null = null;
  let working: Call | null = null;
  let begunAt = 0;
  let failures = 0;
  const { elapsed } = clock;
  const work = new RecentWork({ elapsed });
  let startAgainAt = -Infinity;
  let awakeUntil = -Infinity;
  let cancelSleep: (() => void) | null = null;

  function start(): EncoderThread {
    const program = module ?? new URL("./encoder_worker.ts", import.meta.url);
    const made: EncoderThread = new EncoderThread(program, set.sources, answered, (why) => {
      if (made === thread) fail(why, restartMs);
    });
    return made;
  }

  function end() {
    thread?.end();
    thread = null;
    if (working?.userId) work.end(working.userId, begunAt);
    working = null;
    failures = 0;
    cancelSleep?.();
    cancelSleep = null;
  }

  function fail(why: string, againMs: number) {
    end();
    startAgainAt = elapsed() + againMs;
    failed?.(why);
    rejectAll(why);
  }

  function rejectAll(why: string) {
    const lost = [...calls];
    calls.clear();
    for (const { reject } of lost) reject(new EmbeddingsError(why));
  }

  /** Ends the thread once nothing was asked for long enough. A text may take longer than that on a busy machine. */
  function sleepLater() {
    cancelSleep ??= clock.after(Math.max(1_000, awakeUntil - elapsed()), () => {
      cancelSleep = null;
      if (calls.size > 0 || working || elapsed() < awakeUntil) sleepLater();
      else end();
    });
  }

  function answered(answer: Answer) {
    const call = working;
    working = null;
    if (call?.userId) work.end(call.userId, begunAt);
    if ("error" in answer) {
      if (answer.reason === "unloaded") return fail(answer.error, reloadMs);
      if (answer.reason === "failed") {
        if (++failures === mostFailures) return fail(answer.error, restartMs);
        failed?.(answer.error);
      }
      if (call && calls.delete(call)) call.reject(new EmbeddingsError(answer.error, null, true));
    } else {
      failures = 0;
      worked?.(answer.ms);
      if (call && calls.has(call) && call.vectors.push(answer.vector) === call.texts.length) {
        calls.delete(call);
        call.resolve(call.vectors);
      }
    }
    next();
  }

  function next() {
    if (working || calls.size === 0) return;
    if (!thread && !hasSpareDescriptors()) return fail("too many open files", restartMs);
    working = first();
    begunAt = elapsed();
    if (working.userId) work.begin(working.userId, begunAt);
    thread ??= start();
    const isQuestion = working.userId !== null;
    awakeUntil = Math.max(awakeUntil, begunAt + awakeMs[isQuestion ? "question" : "passage"]);
    sleepLater();
    thread.ask({ text: working.texts[working.vectors.length], isQuestion });
  }

  function first(): Call {
    const next = [...calls].reduce((a, b) => b.deadline < a.deadline ? b : a);
    if (next.userId === null) return next;
    const searches = [...calls].filter(({ userId }) => userId !== null);
    const worked = (call: Call) => work.of(call.userId!);
    return searches.reduce((first, each) => worked(each) < worked(first) ? each : first);
  }

  return {
    model: set.model,
    inBackground: true,
    questionMs,
    passages: { tokens: mostTokens, ofEmail: 4 },
    parts: set.parts,
    cosines: set.cosines,
    async embed(texts, { timeoutMs, userId = null }) {
      if (texts.length === 0) return [];
      const now = elapsed();
      if (!thread && now < startAgainAt) {
        throw new EmbeddingsError("the encoders have just failed", startAgainAt - now);
      }
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
      const call: Call = { texts, vectors: [], deadline: now + timeoutMs, userId, resolve, reject };
      calls.add(call);
      const cancel = clock.after(timeoutMs, () => {
        calls.delete(call);
        reject(new EmbeddingsError(`the encoders took longer than ${timeoutMs} ms`));
      });
      next();
      return await promise.finally(cancel);
    },
    close() {
      end();
      rejectAll("the service is stopping");
    },
  };
}
