#!/usr/bin/env node
// letterbox: mail from the command line, for people and shell scripts.
import process from "node:process";
import { parseArgs } from "node:util";
import { knownNames } from "../../../domain/core/nearest_name.ts";
import { Letterbox, LetterboxError } from "../src/index.ts";
import about from "../package.json" with { type: "json" };
import { commands } from "./commands.ts";
import { completion } from "./completion.ts";
import { readConfig } from "./config.ts";
import type { Values } from "./options.ts";
import { reasonOf } from "./reason.ts";
import { paint, plain, print } from "./terminal.ts";
import { UsageError } from "./usage_error.ts";

const common = ["url", "key", "json!", "help!"];

/** What to do about an error if its message does not say it. */
const advice: Record<string, string> = {
  UNAUTHORIZED: "check the key or the inbound token, or run `letterbox login`",
  FORBIDDEN: "the key lacks a scope: make another in the dashboard or with POST /v1/api/keys",
  CONNECTION_FAILED: "is the service running at {url}? --url or LETTERBOX_URL names another",
  UNEXPECTED_ANSWER: "is {url} a Letterbox service?",
  RATE_LIMIT_EXCEEDED: "wait, or move to a larger plan",
};

function help(name?: string): string {
  const line = (left: string, right: string) => `  ${left.padEnd(12)}${right}`;
  const each = name === undefined ? undefined : commands[name];
  if (!each) {
    return [
      "letterbox COMMAND [OPTIONS]",
      "",
      ...Object.entries(commands).map(([name, { about }]) => line(name, about)),
      line("completion", "prints the shell's completion: completion bash | zsh | fish"),
      "",
      "Every command takes --json, --url (LETTERBOX_URL), --key (LETTERBOX_API_KEY) and --help;",
      "--version alone shows the version.",
      "Examples:",
      ...Object.values(commands).slice(0, 7).map(({ example }) => `  ${example}`),
    ].join("\n");
  }
  return [`letterbox ${each.usage}`, "", each.about, "", "Example:", `  ${each.example}`].join(
    "\n",
  );
}

function read(name: string, args: string[]): { values: Values; words: string[] } {
  const options = Object.fromEntries([...common, ...commands[name].options].map((each) => [
    each.replace(/[!*]$/, ""),
    { type: each.endsWith("!") ? "boolean" : "string", multiple: each.endsWith("*") } as const,
  ]));
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as Values, words: positionals };
  } catch (error) {
    const [what] = (error as Error).message.split(". ");
    const [, unknown] = /^Unknown option '-+(.+)'$/.exec(what) ?? [];
    const instead = unknown
      ? `; ${knownNames(unknown, Object.keys(options), "options", (option) => `--${option}`)}`
      : "";
    throw new UsageError(`${what}${instead}; see letterbox ${name} --help`);
  }
}

/** The URL of the service: it may come from a login of long ago. */
let base = "http://localhost:8000";

async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    return print(help(args[0]));
  }
  if (name === "--version") return print(about.version);
  if (name === "completion") return print(completion(args[0], commands, common));
  if (!Object.hasOwn(commands, name)) {
    const instead = knownNames(name, [...Object.keys(commands), "completion", "help"], "commands");
    throw new UsageError(`there is no command ${name}; ${instead}; letterbox help lists all`);
  }
  const { values, words } = read(name, args);
  if (values.help) return print(help(name));
  const [surplus] = words.slice(commands[name].words ?? 0);
  if (surplus !== undefined) {
    throw new UsageError(`${surplus} belongs to no option; see letterbox ${name} --help`);
  }
  const stored = await readConfig();
  const { LETTERBOX_URL, LETTERBOX_API_KEY } = process.env;
  base = values.url || LETTERBOX_URL || stored.url || base;
  if (!/^https?:\/\//.test(base)) {
    throw new UsageError(`the URL must begin with http:// or https://, not ${base}`);
  }
  const storedKey = name === "login" ? undefined : stored.key;
  const key = values.key || LETTERBOX_API_KEY || storedKey || "";
  if (!key && name !== "login" && name !== "import") {
    throw new UsageError("there is no key: run `letterbox login`, or set LETTERBOX_API_KEY");
  }
  const client = new Letterbox({ baseUrl: base, apiKey: key || "none" });
  await commands[name].run({ client, base: base.replace(/\/+$/, ""), key, values, words });
}

process.stdout.on("error", () => process.exit(0));
try {
  await main(process.argv.slice(2));
} catch (error) {
  const { code = "", message } = error as LetterboxError;
  const isOfService = error instanceof LetterboxError;
  const what = isOfService ? `${code}: ${message}` : message;
  process.stderr.write(`${paint("red", "letterbox")}: ${what}\n`);
  if (isOfService && advice[code]) {
    process.stderr.write(`  ${advice[code].replace("{url}", () => base)}\n`);
    const reason = reasonOf(error);
    if (reason) process.stderr.write(`  the connection says: ${plain(reason)}\n`);
  }
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
