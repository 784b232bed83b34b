import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { ofLengthOne, pooled, type Pooling } from "./pooling.ts";
import { RowTable } from "./row_table.ts";
import { openTokenizer } from "./tokenizer.ts";
import { demandRoom, demandUndamaged } from "./checked_files.ts";

/** Tokens of a text that an encoder reads. */
export const mostTokens = 128;

/** Where an encoder is, and how it is used. */
export interface EncoderSource {
  /** Paths. */
  model: string;
  tokenizer: string;
  /** True: the graph takes rows of the table of pieces (the files `rows.*`), not ids. */
  hasRows: boolean;
  /** For a graph that gives a vector for each token. */
  pooling: readonly Pooling[];
  /** What stands before a text. */
  prompts: { question: string; passage: string };
  /** SHA-256 by path, for files that must be as they were published. */
  sums: Readonly<Record<string, string>>;
}

export interface Encoder {
  /** A vector of length 1. */
  embed(text: string, isQuestion: boolean): Promise<Float32Array>;
}

// More threads do not start under Deno.
env.wasm.numThreads = 1;
env.logLevel = "error";

/** Thrown for a text without a word that the encoder knows: its vector would say nothing of it. */
export class Unreadable extends Error {}

/**
 * Loads an encoder.
 *
 * @param demandsWords true: texts of which it knows no word are Unreadable.
 * @throws Error that names the file which is damaged or cannot be used.
 */
async function openEncoder(source: EncoderSource, demandsWords: boolean): Promise<Encoder> {
  await demandUndamaged(source.sums);
  const tokenize = await naming(
    source.tokenizer,
    async () => openTokenizer(await Deno.readFile(source.tokenizer)),
  );
  const session = await naming(source.model, async () => {
    const { size } = await Deno.stat(source.model);
    demandRoom(size, availableMemory());
    return await InferenceSession.create(readApart(source.model, size), sessionOptions);
  });
  const table = source.hasRows ? new RowTable(dirname(source.model)) : null;
  const output = tokenOutputs.find((name) => session.outputNames.includes(name)) ??
    session.outputNames[0];
  return {
    async embed(text, isQuestion) {
      const prompt = isQuestion ? source.prompts.question : source.prompts.passage;
      const { ids, isKnown } = tokenize(prompt + text, mostTokens);
      if (demandsWords && !isKnown) {
        throw new Unreadable("the encoder knows no word of this text, nor its script");
      }
      const shape = [1, ids.length];
      const of = (value: (n: number) => number) =>
        new Tensor("int64", BigInt64Array.from(ids, (_, n) => BigInt(value(n))), shape);
      const inputs = {
        rows: () => new Tensor("float32", table!.rows(ids), [...shape, table!.width]),
        input_ids: () => of((n) => ids[n]),
        attention_mask: () => of(() => 1),
        token_type_ids: () => of(() => 0),
      };
      const given = session.inputNames.map((name) =>
        [name, inputs[name as keyof typeof inputs]()] as const
      );
      const results = await session.run(Object.fromEntries(given), [output]);
      const { data, dims } = results[output];
      if (!(data instanceof Float32Array)) throw new Error(`${output} has no float32 numbers`);
      return dims.length === 3 ? pooled(data, dims[2], source.pooling) : ofLengthOne(data);
    },
  };
}

/** It logs errors alone. */
const sessionOptions = { executionProviders: ["wasm"], logSeverityLevel: 3 } as const;

/** Outputs with a vector for each token, by their usual names. */
const tokenOutputs = ["last_hidden_state", "token_embeddings"];

/** Reads a file outside the heap of the C library, which would keep the memory after the thread has ended. */
function readApart(path: string, size: number): Uint8Array {
  const pages = Math.max(1, Math.ceil(size / 65_536));
  const bytes = new Uint8Array(new WebAssembly.Memory({ initial: pages }).buffer, 0, size);
  using file = Deno.openSync(path);
  for (let n = 0; n < size;) {
    const read = file.readSync(bytes.subarray(n, n + (1 << 20)));
    if (read === null) throw new Error("it is cut off");
    n += read;
  }
  return bytes;
}

function availableMemory(): number {
  const limit = process.constrainedMemory();
  return Math.min(process.availableMemory(), limit > 0 ? limit : Infinity);
}

async function naming<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${join(basename(dirname(path)), basename(path))} cannot be used: ${reason}`);
  }
}

/**
 * Loads encoders; the vectors of a text by each are put one after another. The first reads the most languages: what it
 * cannot read is Unreadable. To be called in a Worker: once
 * onnxruntime-web has run in the first thread, Workers that start later have no `self` (Deno 2.9.6).
 */
export async function openEncoders(sources: readonly EncoderSource[]): Promise<Encoder> {
  const encoders: Encoder[] = [];
  for (const source of sources) {
    encoders.push(await openEncoder(source, encoders.length === 0));
    // The files that were read, 20 MB and more.
    (globalThis as { gc?: () => void }).gc?.();
  }
  return {
    async embed(text, isQuestion) {
      const vectors: Float32Array[] = [];
      for (const encoder of encoders) vectors.push(await encoder.embed(text, isQuestion));
      const whole = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const vector of vectors) {
        whole.set(vector, at);
        at += vector.length;
      }
      return whole;
    },
  };
}
