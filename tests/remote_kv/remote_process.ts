import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type Call, type Costs, costsOf } from "./counts.ts";
import type { Faults } from "./faults.ts";
import type { RemoteKv } from "./remote_kv.ts";

/** A line to the process: each is answered with a RemoteReport about the time before it. */
export interface RemoteOrder {
  /** From now on. Their count begins anew. */
  faults?: Faults;
  /** Forget the requests that were served, after they were reported. */
  clear?: boolean;
}

/** What the process has served since it was last cleared. */
export interface RemoteReport {
  costs: Costs;
  faultsInjected: number;
  refusals: string[];
  /** How often commits lost a race, by the tables of the rows that had changed. */
  conflicts: Record<string, number>;
}

export function reportOf(remote: RemoteKv): RemoteReport {
  const { calls, faultsInjected, refusals } = remote;
  return { costs: costsOf(calls), faultsInjected, refusals, conflicts: conflictsOf(calls) };
}

function conflictsOf(calls: readonly Call[]): Record<string, number> {
  const conflicts: Record<string, number> = {};
  for (const { lost } of calls) {
    for (const table of lost ?? []) conflicts[table] = (conflicts[table] ?? 0) + 1;
  }
  return conflicts;
}

/** The stand-in in a process of its own, so that it shares neither thread nor heap with what a benchmark measures. */
export interface RemoteProcess extends AsyncDisposable {
  url: string;
  /** The settings of a service on it. */
  env: Record<string, string>;
  order(order: RemoteOrder): Promise<RemoteReport>;
}

/** `args`: those of serve.ts. */
export async function startRemote(...args: string[]): Promise<RemoteProcess> {
  const program = fileURLToPath(new URL("serve.ts", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const lines = createInterface({ input: Readable.fromWeb(child.stdout as never) })
    [Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the stand-in has ended");
    return value as string;
  };
  const url = await line();
  let turn: Promise<unknown> = Promise.resolve();
  return {
    url,
    env: { KV_PATH: url, DENO_KV_ACCESS_TOKEN: "any" },
    order(order) {
      const answered = turn.then(async () => {
        await input.write(new TextEncoder().encode(`${JSON.stringify(order)}\n`));
        return JSON.parse(await line()) as RemoteReport;
      });
      turn = answered.catch(() => {});
      return answered;
    },
    async [Symbol.asyncDispose]() {
      await input.close().catch(() => {});
      await child.status;
    },
  };
}
