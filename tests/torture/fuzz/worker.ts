/// <reference lib="deno.worker" />
// Runs trials one after the other, in its own thread: a trial that hangs can only be stopped from outside.
import { type Finding, fuzzOnce } from "./fuzz.ts";
import { fuzzTargets } from "./targets.ts";

export interface FuzzOrder {
  seed: number;
  firstTrial: number;
  untilMs: number;
}

/** Sent before each trial, and with each finding. */
export type FuzzNews = { trial: number } | { finding: Finding } | { ended: number };

self.onmessage = async ({ data }: MessageEvent<FuzzOrder>) => {
  const tell = (news: FuzzNews) => self.postMessage(news);
  let trial = data.firstTrial;
  for (; Date.now() < data.untilMs; trial++) {
    tell({ trial });
    const finding = await fuzzOnce(fuzzTargets, data.seed, trial);
    if (finding) tell({ finding });
  }
  tell({ ended: trial });
};
