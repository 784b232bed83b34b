import { wholeNumber } from "../commands/command_line.ts";

/** What every benchmark takes, whether it has a use for it or not. */
export const commonOptions = {
  mail: {
    type: "string",
    description: "folder of messages, one a file, in place of invented ones",
  },
  json: { type: "string", description: "file to write the figures to" },
  rounds: { type: "string", description: "how often the benchmarks with rounds measure" },
} as const;

export interface BenchOptions {
  mail?: string;
  rounds?: number;
}

/** A number that was given as text; undefined if none was. Throws UsageError. */
export function numberOf(option: string, given: string | undefined): number | undefined {
  return given === undefined ? undefined : wholeNumber(option, given, 1);
}
