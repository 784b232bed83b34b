// deno task nightly [--only WORD]: every part, one after another, also after one that failed; at the end a line for each.
import { fileURLToPath } from "node:url";
import { command, runCommandLine, UsageError } from "../commands/command_line.ts";

interface Part {
  name: string;
  /** Arguments of deno. */
  args: string[];
  env?: Record<string, string>;
}

const root = fileURLToPath(new URL("../", import.meta.url));
const suites = [...Deno.readDirSync(`${root}tests/suites`)]
  .map(({ name }) => `tests/suites/${name}`).filter((path) => path.endsWith("_test.ts"));
const test = ["test", "-A", "--no-check", "--parallel", ...suites.sort()];
const minutes = ["--seconds", "300"];
const parts: Part[] = [
  { name: "suites", args: test },
  { name: "browser", args: ["task", "test:browser"] },
  { name: "two", args: test, env: { TEST_INSTANCES: "2" } },
  { name: "remote", args: ["task", "test:remote"] },
  { name: "hostile", args: ["task", "hostile", ...minutes] },
  { name: "fuzz", args: ["task", "fuzz", ...minutes] },
  { name: "torture", args: ["task", "torture", ...minutes] },
];

/** Runs a part, with its output, and returns its line of the summary. */
async function run({ name, args, env }: Part): Promise<{ line: string; success: boolean }> {
  console.log(`\n== ${name}: deno ${args.join(" ")}`);
  const begunAt = performance.now();
  const { success } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    // Whatever runs this: no test of the night is left out.
    env: { TEST_NIGHTLY: "1", ...env },
  }).spawn().status;
  const seconds = Math.round((performance.now() - begunAt) / 1_000);
  return { line: `${success ? "ok" : "FAILED"} ${name}, ${seconds} s`, success };
}

const program = command({
  description: "Every test in every form, hostile mail, the fuzzer and kills; takes an hour or two",
  args: {
    only: {
      type: "string",
      description: `a part: ${parts.map(({ name }) => name).join(", ")}`,
    },
  },
  async run({ only }) {
    const chosen = parts.filter(({ name }) => only === undefined || name === only);
    if (chosen.length === 0) throw new UsageError(`deno task nightly has no part ${only}`);
    const results = [];
    for (const part of chosen) results.push(await run(part));
    console.log(`\n${results.map(({ line }) => line).join("\n")}`);
    Deno.exit(results.every(({ success }) => success) ? 0 : 1);
  },
});

await runCommandLine("deno task nightly", program, Deno.args);
