import { fileURLToPath } from "node:url";
import { runCommandLine } from "../../commands/command_line.ts";
import { StartError } from "../../domain/core/settings/start_error.ts";
import { letterbox } from "../../main.ts";

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

/** Runs a command of main.ts as a program, as a person does. */
export async function runProgram(args: string[], env: Record<string, string>): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
    args: ["run", "-A", "--no-check", "main.ts", ...args],
    env: { NO_COLOR: "1", ...env },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** One at a time: they replace what the whole process has. */
let last: Promise<unknown> = Promise.resolve();

/**
 * The same in this process, with these settings and no others: a program takes 0.4 s of processor to start. Each command
 * is a program in one test at least, because only that ends by itself.
 */
export function runHere(args: string[], env: Record<string, string>): Promise<Ended> {
  const ended = last.then(() => run(args, env));
  last = ended.catch(() => {});
  return ended;
}

async function run(args: string[], env: Record<string, string>): Promise<Ended> {
  const out: string[] = [], err: string[] = [];
  using replaced = new DisposableStack();
  const replace = <T extends object, K extends keyof T>(object: T, name: K, value: T[K]) => {
    const before = object[name];
    object[name] = value;
    replaced.defer(() => object[name] = before);
  };
  replace(console, "log", (...line) => out.push(`${line.join(" ")}\n`));
  replace(console, "error", (...line) => err.push(`${line.join(" ")}\n`));
  replace(Deno, "exit", (code = 0) => {
    throw new Exit(code);
  });
  const { PATH = "", HOME = "" } = Deno.env.toObject();
  const settings = { PATH, HOME, ...env };
  replace(Deno.env, "toObject", () => settings);
  replace(Deno.env, "get", (name) => settings[name as keyof typeof settings]);
  const code = await runCommandLine("deno task", letterbox, args).then(() => 0, (error) => {
    if (error instanceof Exit) return error.code;
    if (!(error instanceof StartError)) throw error;
    err.push(`${error.message}\n`);
    return 1;
  });
  return { code, stdout: out.join(""), stderr: err.join("") };
}
