import { type Figure, figureOf } from "./figure.ts";
import { atConnections, load } from "./load.ts";
import { benchMessages } from "./mail.ts";
import type { BenchOptions } from "./options.ts";
import { inTurn, type Side, sidesOf } from "./sides.ts";

export const description =
  "Mail in at 1, 8 and 32 connections, until acknowledged and until findable; five rounds";
export const comparable = true;

const connectionCounts = [1, 8, 32];
/** Memory and disk are reported for this number of connections. */
const usual = 8;
/** A process that has nothing to do returns memory after some seconds. */
const restSeconds = 8;

/** Processes and stores are fresh each time; this checkout and the other side run in turn. */
export async function run(options: BenchOptions): Promise<Figure[]> {
  const { rounds = 5, say } = options;
  const messages = await benchMessages(options);
  const rawBytes = messages.reduce((sum, { length }) => sum + length, 0);
  const sides = sidesOf(options);
  const runs = new Map<string, [Run[], Run[]]>();
  for (let round = 0; round < rounds; round++) {
    for (const connections of connectionCounts) {
      const both = runs.get(`${connections}`) ?? [[], []];
      runs.set(`${connections}`, both);
      for (const side of inTurn(sides, round)) {
        const run = await oneRun(side, messages, connections);
        both[sides.indexOf(side)].push(run);
        say(
          `round ${round + 1} of ${rounds}, ${atConnections(connections)}, ${side.name}: ` +
            `${run.acknowledged.toFixed(0)}/s acknowledged, ${run.findable.toFixed(0)}/s findable`,
        );
      }
    }
  }
  return connectionCounts.flatMap((connections) => {
    const [ours, bare] = runs.get(`${connections}`)!;
    const of = (pick: (run: Run) => number) => ({ ours: ours.map(pick), bare: bare.map(pick) });
    const at = atConnections(connections);
    const p50 = figureOf("", "ms", of((run) => run.p50));
    const p95 = figureOf("", "ms", of((run) => run.p95));
    const times = `p50 ${p50.ours.toFixed(1)} ms, p95 ${p95.ours.toFixed(1)} ms`;
    const cpu = "processor time of an arrival until";
    const figures = [
      figureOf(`arrivals acknowledged, ${at}`, "/s", of((run) => run.acknowledged), times),
      figureOf(`arrivals until findable, ${at}`, "/s", of((run) => run.findable)),
      figureOf(`${cpu} acknowledged, ${at}`, "ms", of((run) => run.acknowledgedCpuMs)),
      figureOf(`${cpu} findable, ${at}`, "ms", of((run) => run.findableCpuMs)),
    ];
    if (connections !== usual) return figures;
    const share = (pick: (run: Run) => number) => of((run) => pick(run) / rawBytes);
    const store = figureOf("", "", share((run) => run.disk.store));
    const index = figureOf("", "", share((run) => run.disk.index));
    const running = figureOf("", "", share((run) => run.running.store + run.running.index));
    const peak = figureOf("", "MB", of((run) => run.peakMB));
    return [
      ...figures,
      figureOf(
        `resident after ${messages.length} in one burst, ${at}`,
        "MB",
        of((run) => run.residentMB),
        `at most ${peak.ours.toFixed(0)} MB`,
      ),
      figureOf(`resident ${restSeconds} s later, ${at}`, "MB", of((run) => run.restedMB)),
      figureOf(
        "store and index, of the raw bytes",
        "times",
        share((run) => run.disk.store + run.disk.index),
        `store ${store.ours.toFixed(2)}, index ${index.ours.toFixed(2)}; while the service runs ` +
          `${running.ours.toFixed(2)}, with the logs of SQLite`,
      ),
    ];
  });
}

/** Messages a second, processor time of a message, and what the process held at the end. */
interface Run {
  acknowledged: number;
  findable: number;
  acknowledgedCpuMs: number;
  findableCpuMs: number;
  p50: number;
  p95: number;
  residentMB: number;
  /** The same `restSeconds` later. */
  restedMB: number;
  peakMB: number;
  /** Bytes of the files before the process ends, with the write-ahead logs. */
  running: { store: number; index: number };
  /** Bytes of the files after the process has ended. */
  disk: { store: number; index: number };
}

async function oneRun(side: Side, messages: Uint8Array[], connections: number): Promise<Run> {
  await using target = await side.start();
  const { server, client } = target;
  const cpuBefore = server.cpuSeconds();
  const cpuMs = () => (server.cpuSeconds() - cpuBefore) * 1_000 / messages.length;
  const startedAt = performance.now();
  const times = await load(
    messages.length,
    connections,
    (i) => client.ask(target.arrival(messages[i], i)),
  );
  const acknowledgedCpuMs = cpuMs();
  await target.settled();
  const findableSeconds = (performance.now() - startedAt) / 1_000;
  const findableCpuMs = cpuMs(), residentMB = server.residentMB();
  if (connections === usual) await new Promise((done) => setTimeout(done, restSeconds * 1_000));
  return {
    acknowledged: messages.length / times.seconds,
    findable: messages.length / findableSeconds,
    acknowledgedCpuMs,
    findableCpuMs,
    p50: times.p50,
    p95: times.p95,
    residentMB,
    restedMB: server.residentMB(),
    peakMB: server.peakMB(),
    running: server.diskBytes(),
    disk: await server.stop(),
  };
}
