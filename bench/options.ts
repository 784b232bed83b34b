import type { ArgsDef } from "citty";
import { join, resolve } from "node:path";
import { UsageError, wholeNumber } from "../commands/command_line.ts";

/** The options that every benchmark accepts, even if it does not use them. */
export const commonOptions = {
  mail: {
    type: "string",
    description: "folder of messages, one a file, in place of invented ones",
  },
  json: { type: "string", description: "file to write the figures to" },
  rounds: { type: "string", description: "how often the benchmarks with rounds measure" },
  messages: { type: "string", description: "at most this many messages, for a short run" },
  compare: {
    type: "string",
    description: "folder of another checkout, measured in turn with this one, not the bare work",
  },
} satisfies ArgsDef;

/** The common options, as they were given. */
export type CommonArgs = { [name in keyof typeof commonOptions]?: string };

/** The input of a benchmark. */
export interface BenchOptions extends Awaited<ReturnType<typeof readOptions>> {
  /** Shows how far the benchmark is, on stderr. */
  say(text: string): void;
}

/** The values of the common options; `compare` is the folder of the other checkout. Throws UsageError. */
export async function readOptions(given: CommonArgs) {
  return {
    mail: given.mail,
    rounds: numberOf("--rounds", given.rounds),
    messages: numberOf("--messages", given.messages),
    compare: given.compare === undefined ? undefined : await checkoutAt(given.compare),
  };
}

/** The number in a text; undefined without a text. Throws UsageError. */
export function numberOf(option: string, given: string | undefined): number | undefined {
  return given === undefined ? undefined : wholeNumber(option, given, 1);
}

async function checkoutAt(folder: string): Promise<string> {
  for (const file of ["main.ts", "deno.json"]) {
    const isFile = await Deno.stat(join(folder, file)).then((info) => info.isFile, () => false);
    if (!isFile) throw new UsageError(`--compare ${folder} is no checkout: it has no ${file}`);
  }
  return resolve(folder);
}
