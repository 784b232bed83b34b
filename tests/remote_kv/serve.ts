// deno run -A tests/remote_kv/serve.ts [--port N] [--read 5-15] [--write 20-40] [--path FILE] [--seed N]: the stand-in
// in a process of its own, for KV_PATH=http://127.0.0.1:N/ with any DENO_KV_ACCESS_TOKEN. It ends when its input ends.
import { createInterface } from "node:readline";
import process from "node:process";
import { command, runCommandLine, UsageError, wholeNumber } from "../../commands/command_line.ts";
import { seeded } from "../torture/seeded.ts";
import { type RemoteOrder, type RemoteReport, reportOf } from "./remote_process.ts";
import { RemoteKv } from "./remote_kv.ts";

const program = command({
  description: "A stand-in of a remote Deno KV, with latency and faults; takes orders as lines",
  args: {
    port: { type: "string", default: "0", description: "the port to listen on; 0: a free one" },
    read: { type: "string", default: "5-15", description: "how long a read takes, ms" },
    write: { type: "string", default: "20-40", description: "how long a commit takes, ms" },
    path: { type: "string", description: "a file that keeps the rows; without it, memory does" },
    seed: { type: "string", description: "repeats the latencies and faults of an earlier run" },
  },
  async run({ port, read, write, path, seed = String(Date.now() % 1_000_000) }) {
    const remote = new RemoteKv({
      port: wholeNumber("--port", port, 0),
      readMs: spanOf("--read", read),
      writeMs: spanOf("--write", write),
      path,
      random: seeded(wholeNumber("--seed", seed, 0)),
    });
    console.log(remote.url);
    for await (const line of createInterface({ input: process.stdin })) {
      const order = JSON.parse(line) as RemoteOrder;
      const report: RemoteReport = reportOf(remote);
      if (order.faults) remote.faults = order.faults;
      if (order.clear) remote.clear();
      console.log(JSON.stringify(report));
    }
    Deno.exit(0);
  },
});

function spanOf(option: string, text: string): [number, number] {
  const [least, most] = text.split("-").map(Number);
  if (!(least >= 0 && most >= least)) {
    throw new UsageError(`${option} is two numbers, such as 5-15`);
  }
  return [least, most];
}

await runCommandLine("tests/remote_kv/serve.ts", program, Deno.args);
