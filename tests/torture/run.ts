// deno task torture [--seconds 300] [--seed N] [--senders 8]: sends mail to a service that is killed all the time
import { parseArgs } from "node:util";
import { torture } from "./torture.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    seconds: { type: "string", default: "300" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    senders: { type: "string", default: "8" },
  },
});

const hasStrace = await new Deno.Command("strace", { args: ["-V"], stdout: "null", stderr: "null" })
  .output().then(({ success }) => success, () => false);
console.log(`seed ${values.seed}${hasStrace ? "" : "; no strace: no kills at chosen fsyncs"}`);
const { violations, ...report } = await torture({
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  senders: Number(values.senders),
  lifeMs: [50, 3_000],
  fsyncShare: hasStrace ? 0.4 : 0,
});
console.table(report);
for (const violation of violations.slice(0, 50)) console.log(`- ${violation}`);
console.log(violations.length === 0 ? "nothing was lost" : `${violations.length} violations`);
Deno.exit(violations.length === 0 ? 0 : 1);
