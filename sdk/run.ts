export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** What the program reads; without it an empty input. */
  input?: string;
}

/** Runs a program and returns what it printed. Throws with all of its output if it fails or does not exist. */
export async function run(
  program: string,
  args: string[],
  { cwd, env, input = "" }: RunOptions = {},
): Promise<string> {
  const pipes = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command(program, { args, cwd, env, ...pipes }).spawn();
  const writer = child.stdin.getWriter();
  // A program that reads no input may have ended.
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { success, stdout, stderr } = await child.output();
  const text = new TextDecoder().decode(stdout);
  if (success) return text;
  throw new Error(`${program} ${args.join(" ")}\n${text}${new TextDecoder().decode(stderr)}`);
}
