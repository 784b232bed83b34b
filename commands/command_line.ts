import { stripVTControlCharacters } from "node:util";
import { type ArgsDef, parseArgs, type ParsedArgs, renderUsage } from "citty";
import { knownNames } from "../domain/core/nearest_name.ts";
import { type Mode, readSettings, type Settings, SettingsError } from "../domain/core/settings.ts";

/** A program, or one of the commands of a program. */
export interface Command {
  /** One sentence for `--help`. */
  description: string;
  /** Options and arguments, as citty describes them. */
  args: ArgsDef;
  /** Subcommands by name; the first argument chooses one. Loaded when needed. */
  commands: Record<string, () => Command | Promise<Command>>;
  /**
   * Parses the arguments and returns a function that runs the command. Throws UsageError. null if a subcommand is
   * required.
   */
  read: ((name: string, args: string[]) => () => void | Promise<void>) | null;
}

/** A wrong command line. The message is one sentence for the user. */
export class UsageError extends Error {}

/** Makes a command whose `run` gets typed arguments. */
export function command<const T extends ArgsDef = Record<never, never>>(definition: {
  description: string;
  args?: T;
  commands?: Command["commands"];
  run?(args: ParsedArgs<T>): void | Promise<void>;
}): Command {
  const { description, args = {}, commands = {}, run } = definition;
  const read = (name: string, given: string[]) => {
    const values = readArgs<T>(name, args, given);
    return () => run?.(values);
  };
  return { description, args, commands, read: run ? read : null };
}

/**
 * Runs the command that the arguments choose. `--help` only prints its help. At a UsageError, of the command line or of the
 * command itself, prints one sentence and exits with status 2.
 */
export async function runCommandLine(name: string, root: Command, args: string[]): Promise<void> {
  try {
    const { help, start } = await prepare(name, root, args);
    if (help === null) await start();
    else console.log(help);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    Deno.exit(2);
  }
}

/** Returns the help text if the arguments ask for it, else how to start the command. Throws UsageError. */
export async function prepare(
  name: string,
  root: Command,
  args: string[],
): Promise<{ help: string | null; start: () => Promise<void> }> {
  const [first, ...rest] = args;
  const names = Object.keys(root.commands);
  if (names.includes(first)) {
    return await prepare(`${name} ${first}`, await root.commands[first](), rest);
  }
  if (args.some((each) => each === "--help" || each === "-h")) {
    return { help: await helpOf(name, root), start: async () => {} };
  }
  if (names.length > 0 && first !== undefined && !first.startsWith("-")) {
    const instead = knownNames(first, names, "commands");
    throw new UsageError(`${name} has no command ${first}; ${instead}`);
  }
  if (!root.read) {
    readArgs(name, root.args, args);
    throw new UsageError(`${name} needs a command: ${names.join(", ")}`);
  }
  const start = root.read(name, args);
  return { help: null, start: async () => await start() };
}

/** Parses an option's whole number. Throws UsageError below `least`. */
export function wholeNumber(option: string, given: string, least: number): number {
  const value = Number(given);
  if (/^\d{1,15}$/.test(given) && value >= least) return value;
  throw new UsageError(`${option} must be a whole number, at least ${least}; it is ${given}`);
}

/** citty ignores unknown options, so they are refused here, before it checks for missing ones. */
function readArgs<T extends ArgsDef>(
  name: string,
  definitions: ArgsDef,
  args: string[],
): ParsedArgs<T> {
  const all = Object.entries(definitions);
  const optional = all.map(([key, each]) => [key, { ...each, required: false }]);
  const values = parsed<T>(name, Object.fromEntries(optional), args);
  const options = all.filter(([, { type }]) => type !== "positional").map(([key]) => key);
  for (const key of Object.keys(values)) {
    // citty gives `--dry-run` as dryRun too.
    const written = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (key === "_" || Object.hasOwn(definitions, written)) continue;
    const given = key.length > 1 ? `--${key}` : `-${key}`;
    const instead = knownNames(key, [...options, "help"], "options", (option) => `--${option}`);
    throw new UsageError(`${name} has no option ${given}; ${instead}`);
  }
  for (const key of options) {
    const isText = definitions[key].type !== "boolean";
    const value: unknown = values[key];
    if (isText && (value === "" || value === false)) {
      throw new UsageError(`${name}: --${key} needs a value`);
    }
  }
  const positionals = all.length - options.length;
  if (values._.length > positionals) {
    throw new UsageError(`${name} takes no argument ${values._[positionals]}`);
  }
  return parsed<T>(name, definitions, args);
}

function parsed<T extends ArgsDef>(
  name: string,
  definitions: ArgsDef,
  args: string[],
): ParsedArgs<T> {
  try {
    return parseArgs<T>(args, definitions);
  } catch (error) {
    // citty does not export its error class.
    if (!(error instanceof Error) || error.name !== "CLIError") throw error;
    const [first, ...rest] = stripVTControlCharacters(error.message);
    throw new UsageError(`${name}: ${first.toLowerCase()}${rest.join("")}`);
  }
}

async function helpOf(name: string, { description, args, commands }: Command): Promise<string> {
  const names = Object.keys(commands);
  const described = await Promise.all(names.map(async (each) => {
    const { description } = await commands[each]();
    return [each, { meta: { description } }];
  }));
  const usage = await renderUsage<ArgsDef>({
    meta: { name, description },
    args: { ...args, help: { type: "boolean", description: "shows this help" } },
    ...(names.length > 0 ? { subCommands: Object.fromEntries(described) } : {}),
  });
  return stripVTControlCharacters(usage);
}

/** The settings of the environment. If one is wrong, prints one sentence and exits with status 2. */
export function settingsOrExit(mode: Mode): Settings {
  try {
    return readSettings(mode);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    Deno.exit(2);
  }
}
