import type { IndexEngine } from "./index/engine.ts";
import type { SearchQuery, WeightedPassageQuery } from "./types.ts";

/** The first message to a worker: opens the file, or an index in memory for null. It has no answer. */
export interface OpenIndex {
  path: string | null;
}

/** The methods of the engine that a message may call. */
export type IndexMethod = Exclude<keyof IndexEngine, "work">;

/** Calls one method of the engine. */
export interface IndexCall {
  /** Chosen by the caller; the answer repeats it. */
  callId: number;
  method: IndexMethod;
  args: unknown[];
}

/** Asks a worker that only reads: calls one method of the reader. */
export type ReaderCall = { callId: number } & ReaderQuery;

export type ReaderQuery =
  | { method: "open"; query: string }
  | { method: "search"; query: SearchQuery }
  | { method: "passages"; query: WeightedPassageQuery };

/** The answer to a call: its value, or the message of its error. */
export type IndexAnswer =
  | { callId: number; value: unknown }
  | { callId: number; error: string };

/**
 * Comes without a call, before the next answer: a file was opened that holds no email. It is new, or was damaged and
 * replaced.
 */
export interface IndexEmpty {
  isEmpty: true;
}

/** The worker's side of the connection, such as `self` in a Web Worker. */
export interface IndexPort {
  onmessage: ((event: MessageEvent<OpenIndex | IndexCall>) => void) | null;
  postMessage(message: IndexAnswer | IndexEmpty): void;
}
