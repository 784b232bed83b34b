/// <reference lib="deno.worker" />
import { setImmediate } from "node:timers";
import { EmbeddedEngine } from "./index/engine.ts";
import type { IndexAnswer, IndexCall } from "../adapters/search_index/embedded.ts";

/**
 * The thread behind `openEmbeddedIndex`: one call at a time, searches before waiting writes,
 * upkeep in small steps when nothing waits.
 */
const calls: IndexCall[] = [];
const urgentCalls = new Set<IndexCall["method"]>(["search", "passages", "searchVectors", "check"]);
let engine: EmbeddedEngine | null = null;
let openError = "the search index is not open";
let scheduled = false;

self.onmessage = ({ data }: MessageEvent<IndexCall | { path: string | null }>) => {
  if ("path" in data) return open(data.path);
  calls.push(data);
  schedule();
};

function open(path: string | null) {
  try {
    engine = new EmbeddedEngine(path);
  } catch (error) {
    openError = `the search index cannot be opened: ${(error as Error).message}`;
  }
}

function schedule() {
  if (scheduled) return;
  scheduled = true;
  // A timer of 0 ms waits for one; messages that came meanwhile are taken either way.
  setImmediate(runNext);
}

function runNext() {
  scheduled = false;
  const urgent = calls.findIndex(({ method }) => urgentCalls.has(method));
  const [call] = calls.splice(Math.max(urgent, 0), 1);
  let more = false;
  if (call) self.postMessage(answer(call));
  else more = upkeep();
  if (calls.length > 0 || call || more) schedule();
}

/** What goes wrong in upkeep goes wrong again in the next write, which says so. */
function upkeep(): boolean {
  try {
    return engine?.work() ?? false;
  } catch {
    return false;
  }
}

function answer({ callId, method, args }: IndexCall): IndexAnswer {
  try {
    if (!engine && method === "close") return { callId, value: undefined };
    if (!engine) throw new Error(openError);
    const run = engine[method] as (...args: unknown[]) => unknown;
    return { callId, value: run.apply(engine, args) };
  } catch (error) {
    return { callId, error: (error as Error).message };
  }
}
