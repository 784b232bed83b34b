// deno task fuzz [--seconds 600] [--seed N]: texts of grammars against every function that reads mail
import process from "node:process";
import { command, runCommandLine, wholeNumber } from "../../../commands/command_line.ts";
import type { Finding } from "./fuzz.ts";
import { fuzzTargets } from "./targets.ts";
import type { FuzzNews, FuzzOrder } from "./worker.ts";

const program = command({
  description:
    `Gives texts of grammars, with a piece that repeats more and more often, to ${fuzzTargets.length} functions that read ` +
    "mail. Ends with 1 if one throws, takes more than linear time, or more than 30 s of processor time.",
  args: {
    seconds: { type: "string", default: "600", description: "how long it runs" },
    seed: { type: "string", description: "repeats the choices of an earlier run" },
  },
  async run({ seconds, seed = String(Date.now() % 1_000_000) }) {
    const untilMs = Date.now() + wholeNumber("--seconds", seconds, 1) * 1_000;
    console.log(`seed ${seed}`);
    const { trials, findings } = await fuzz(wholeNumber("--seed", seed, 0), untilMs);
    print(trials, findings);
    Deno.exit(findings.length === 0 ? 0 : 1);
  },
});

function print(trials: number, findings: Finding[]): void {
  const byTarget = Map.groupBy(findings, ({ target }) => target);
  for (const [target, found] of byTarget) {
    console.log(`- ${target}: ${found.length} findings`);
    for (const { trial, what, input } of found.slice(0, 5)) {
      console.log(`  trial ${trial} ${what}\n    ${JSON.stringify(input)}`);
    }
  }
  console.log(
    `${trials} trials of ${fuzzTargets.length} functions, ` +
      (findings.length === 0
        ? "all in linear time and without an exception"
        : `${findings.length} findings`),
  );
}

async function fuzz(
  seed: number,
  untilMs: number,
): Promise<{ trials: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  let firstTrial = 0;
  for (;;) {
    const { next, ended } = await runWorker({ seed, firstTrial, untilMs }, findings);
    if (ended) return { trials: next, findings };
    firstTrial = next;
  }
}

/** A trial that takes so much processor time hangs. */
const hangMs = 30_000;
/** If a trial takes so long without, the machine slept or others use it: it is tried again once. */
const stallSeconds = 60;
const stalled = new Set<number>();

/**
 * Runs trials until the time is over, or one of them hangs. On a machine that others used a trial of 80 ms did not end
 * for half a minute, so the processor time counts.
 */
function runWorker(
  order: FuzzOrder,
  findings: Finding[],
): Promise<{ next: number; ended: boolean }> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    let trial = order.firstTrial;
    let begunAt = processMs();
    let seconds = 0;
    const watchdog = setInterval(() => {
      const hangs = processMs() - begunAt >= hangMs;
      if (!hangs && ++seconds < stallSeconds) return;
      const isOver = Date.now() > order.untilMs;
      if (!hangs && !stalled.has(trial)) {
        stalled.add(trial);
        return end(trial, isOver);
      }
      const target = fuzzTargets[trial % fuzzTargets.length].name;
      const input = { before: "", piece: `of trial ${trial}`, after: "" };
      findings.push({ target, trial, what: "did not end", input });
      end(trial + 1, isOver);
    }, 1_000);
    const end = (next: number, ended: boolean) => {
      clearInterval(watchdog);
      worker.terminate();
      resolve({ next, ended });
    };
    worker.onmessage = ({ data }: MessageEvent<FuzzNews>) => {
      if ("finding" in data) findings.push(data.finding);
      else if ("ended" in data) end(data.ended, true);
      else {
        trial = data.trial;
        begunAt = processMs();
        seconds = 0;
      }
    };
    worker.postMessage(order);
  });
}

/** Processor time of all threads so far. */
function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

await runCommandLine("deno task fuzz", program, Deno.args);
