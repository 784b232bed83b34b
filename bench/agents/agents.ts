// `deno task bench agents`: what agents do all day, on a real process, at the numbers where it would hurt.
import type { BenchOptions } from "../options.ts";
import type { Figure } from "../figure.ts";
import { follow } from "./followers.ts";
import { idle } from "./idle.ts";
import { signUp } from "./sign_ups.ts";

export const description =
  "Agents: 200 sign-ups with a code over SMTP, followers of 5,000 changes over a kill, 1,000 idle waits";

/** `messages`: so many sign-ups, a fifth of the followed emails, and idle waits, for a short run. */
export async function run(options: BenchOptions): Promise<Figure[]> {
  return [...await signUp(options), ...await follow(options), ...await idle(options)];
}
