import type { ArgsDef } from "citty";
import { join, resolve } from "node:path";
import { UsageError, wholeNumber } from "../commands/command_line.ts";

/** What every benchmark takes, whether it has a use for it or not. */
export const commonOptions = {
  mail: {
    type: "string",
    description: "folder of messages, one a file, in place of invented ones",
  },
  json: { type: "string", description: "file to write the figures to" },
  rounds: { type: "string", description: "how often the benchmarks with rounds measure" },
  messages: { type: "string", description: "at most so many messages, for a short run" },
  compare: {
    type: "string",
    description: "folder of another checkout, measured in turn with this one, not the bare work",
  },
  client: {
    type: "enum",
    options: ["sockets", "fetch"],
    description: "what sends the requests of arrivals and reads; default sockets, which cost least",
  },
} satisfies ArgsDef;

/** The common options, as they were given. */
export type CommonArgs = { [name in keyof typeof commonOptions]?: string };

/** The values of the common options. */
interface Read {
  mail: string | undefined;
  rounds: number | undefined;
  messages: number | undefined;
  /** The folder of the other checkout. */
  compare: string | undefined;
  client: "sockets" | "fetch";
}

/** What a benchmark is run with. */
export interface BenchOptions extends Read {
  /** Shows how far the benchmark is, on stderr. */
  say(text: string): void;
}

/** Throws UsageError. */
export async function readOptions(given: CommonArgs): Promise<Read> {
  return {
    mail: given.mail,
    rounds: numberOf("--rounds", given.rounds),
    messages: numberOf("--messages", given.messages),
    compare: given.compare === undefined ? undefined : await checkoutAt(given.compare),
    client: given.client === "fetch" ? "fetch" : "sockets",
  };
}

/** A number that was given as text; undefined if none was. Throws UsageError. */
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
