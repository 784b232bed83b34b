// deno task hostile [--seconds 600] [--seed N]: hostile mail of every kind and size to the real service
import { command, runCommandLine, wholeNumber } from "../../../commands/command_line.ts";
import { hostile, type HostileReport, promises } from "./hostile.ts";
import { hostileKinds, hostileSizes } from "./kinds.ts";

const program = command({
  description:
    `Posts ${hostileKinds.length} kinds of hostile mail in ${hostileSizes.length} sizes to the service, one at a time, until all ` +
    "were posted or the seconds are over. Then stops and kills the service at work. Prints the longest freeze of the main " +
    "thread of each kind. Ends with 1 if a promise was broken.",
  args: {
    seconds: { type: "string", default: "600", description: "longest time of posting" },
    seed: { type: "string", description: "repeats the choices of an earlier run" },
  },
  async run({ seconds, seed = String(Date.now() % 1_000_000) }) {
    const numbers = {
      seed: wholeNumber("--seed", seed, 0),
      seconds: wholeNumber("--seconds", seconds, 1),
    };
    console.log(`seed ${seed}`);
    const report = await hostile(numbers);
    print(report);
    Deno.exit(report.violations.length === 0 ? 0 : 1);
  },
});

function print({ kinds, watched, stopMs, startMs, ...report }: HostileReport): void {
  console.log(
    "| kind | messages | freeze | at | indexed after | problem |\n| --- | --- | --- | --- | --- | --- |",
  );
  for (const { kind, messages, freezeMs, size, processedMs, problem } of kinds) {
    const cells = [
      kind,
      messages,
      ms(freezeMs),
      `${size / 1024} KiB`,
      ms(processedMs),
      problem ?? "",
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  console.log(`${kinds.length} of ${hostileKinds.length} kinds, ${report.messages} messages taken`);
  if (report.notReached > 0) console.log(`${report.notReached} messages: no time for them`);
  spread("health", watched.health, promises.healthMs);
  spread("small mail of another account, read", watched.readable, promises.smallMailMs);
  spread("small mail of another account, indexed", watched.processed, promises.smallMailMs);
  spread("SIGTERM at work", stopMs, promises.stopMs);
  spread("start after SIGTERM and kill -9 at work", startMs, promises.startMs);
  for (const violation of report.violations) console.log(`- ${violation}`);
  console.log(
    report.violations.length === 0
      ? "every promise was kept"
      : `${report.violations.length} violations`,
  );
}

function spread(name: string, times: number[], most: number): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => ms(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  console.log(
    `${name}: median ${at(0.5)}, 99th of 100 ${at(0.99)}, worst ${at(1)} (at most ${
      ms(most)
    }; ${sorted.length} times)`,
  );
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}

await runCommandLine("deno task hostile", program, Deno.args);
