// `deno task bench instances`: how long operations wait for a remote database, and what they cost there.
import type { Figure } from "./figure.ts";
import { measureThroughput } from "./instances/throughput.ts";
import type { BenchOptions } from "./options.ts";
import {
  measureRoundTrips,
  mostInTurn,
  type OperationName,
} from "../tests/remote_kv/round_trips.ts";

export const description =
  "Instances: round trips over a stand-in of a remote database, and mail to several processes on it";

export async function run(options: BenchOptions): Promise<Figure[]> {
  return [...await roundTrips(options), ...await measureThroughput(options)];
}

async function roundTrips({ say, rounds = 5 }: BenchOptions): Promise<Figure[]> {
  say(`each operation ${rounds} times; a read takes 5 to 15 ms, a commit 20 to 40`);
  const measured = await measureRoundTrips({ rounds });
  return Object.entries(measured).map(([name, found]) => ({
    name: `${name}: requests in turn`,
    ours: found.inTurn,
    unit: `of ${mostInTurn[name as OperationName]}`,
    note:
      `${found.reads} reads of ${found.readUnits} units, ${found.writes} commits of ${found.writeUnits} write units, ${
        (found.writtenBytes / 1_000).toFixed(1)
      } kB written, ${found.ms.toFixed(0)} ms`,
  }));
}
