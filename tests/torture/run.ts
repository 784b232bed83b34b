// deno task torture [--seconds 300] [--seed N] [--senders 8]: sends mail to a service that is killed many times
// deno task torture --instances: to three processes on a stand-in of a remote database, with faults
import { command, runCommandLine, wholeNumber } from "../../commands/command_line.ts";
import { tortureInstances } from "./instances/instances.ts";
import { torture } from "./torture.ts";

const program = command({
  description:
    "Sends mail to a service that is killed many times, then checks that nothing was lost",
  args: {
    seconds: { type: "string", default: "300", description: "how long mail is sent" },
    seed: { type: "string", description: "repeats the choices of an earlier run" },
    senders: { type: "string", default: "8", description: "number of parallel senders" },
    instances: {
      type: "boolean",
      description: "three processes on a stand-in of a remote database, with faults; one is killed",
    },
  },
  async run({ seconds, seed = String(Date.now() % 1_000_000), senders, instances }) {
    const numbers = {
      seed: wholeNumber("--seed", seed, 0),
      seconds: wholeNumber("--seconds", seconds, 1),
      senders: wholeNumber("--senders", senders, 1),
    };
    if (instances) {
      console.log(`seed ${seed}`);
      // The deadline of a commit is 5 s: the outcome of the later ones must be looked up. While the database is away, a
      // request may read for 3 s, wait for its turn for 6 s, look for the outcome before it for 2.5 s, and have a second
      // for its commit and 2.5 s for its outcome.
      const faults = { hangsMs: 15_000, lateMs: [2_000, 5_500], awayMs: [300, 7_000] } as const;
      return print(await tortureInstances({ ...numbers, ...faults, isComplete: true }));
    }
    const hasStrace = await canTrace();
    console.log(`seed ${seed}${hasStrace ? "" : "; no strace: no kills at chosen fsyncs"}`);
    print(
      await torture({ ...numbers, lifeMs: [50, 3_000], fsyncShare: hasStrace ? 0.4 : 0 }),
    );
  },
});

/** Ends the process: with 1 if a promise was broken. */
function print({ violations, ...report }: { violations: string[] }): void {
  console.table(report);
  for (const violation of violations.slice(0, 50)) console.log(`- ${violation}`);
  console.log(violations.length === 0 ? "nothing was lost" : `${violations.length} violations`);
  Deno.exit(violations.length === 0 ? 0 : 1);
}

async function canTrace(): Promise<boolean> {
  const strace = new Deno.Command("strace", { args: ["-V"], stdout: "null", stderr: "null" });
  return await strace.output().then(({ success }) => success, () => false);
}

await runCommandLine("deno task torture", program, Deno.args);
