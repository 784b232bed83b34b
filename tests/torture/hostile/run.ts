// deno task hostile [--seconds 600] [--seed N]: hostile mail of every kind and size to the real service
import { parseArgs } from "node:util";
import { hostile, type HostileReport, promises } from "./hostile.ts";
import { hostileKinds, hostileSizes } from "./hostile_kinds.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    seconds: { type: "string", default: "600" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(
    `deno task hostile [--seconds 600] [--seed N]

Posts ${hostileKinds.length} kinds of hostile mail in ${hostileSizes.length} sizes to the service, one at a time, until all were
posted or the seconds are over; then stops and kills the service at work. Prints the worst freeze of
the main thread by kind. Ends with 1 where a promise was broken.`,
  );
  Deno.exit(0);
}

console.log(`seed ${values.seed}`);
const report = await hostile({ seed: Number(values.seed), seconds: Number(values.seconds) });
print(report);
Deno.exit(report.violations.length === 0 ? 0 : 1);

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
