/// <reference lib="deno.worker" />
// Runs trials one after the other; a thread of its own, because a trial that never ends can only be ended from outside.
import { type Finding, fuzzOnce } from "./fuzz.ts";
import { fuzzTargets } from "./targets.ts";

export interface FuzzOrder {
  seed: number;
  firstTrial: number;
  untilMs: number;
}

/** Said before each trial, and of what it found. */
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
