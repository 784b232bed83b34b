// `deno task bench agents`: the daily work of agents, on a real process, in large numbers.
import type { BenchOptions } from "../options.ts";
import type { Figure } from "../figure.ts";
import { follow } from "./follow.ts";
import { idle } from "./idle.ts";
import { signUp } from "./sign_ups.ts";

export const description =
  "Agents: 200 sign-ups with a code over SMTP, followers of 5,000 changes over kills, of one instance and of two, 1,000 idle waits";

/** `messages`: the number of sign-ups, of idle waits, and a fifth of it of followed emails, for a short run. */
export async function run(options: BenchOptions): Promise<Figure[]> {
  return [
    ...await signUp(options),
    ...await follow(options),
    ...await follow(options, 2),
    ...await idle(options),
  ];
}
