// Each program of README.md in an empty project that has installed the packed client by its name.
import assert from "node:assert/strict";
import { run } from "../../sdk/run.ts";
import { code, readmeProgram, type Where } from "../sdk/readme_program.ts";
import { pythonIn } from "./python_tools.ts";
import { NotTried } from "./steps.ts";
import { version } from "./versions.ts";

export interface Installing {
  /** An empty folder. */
  folder: string;
  where: Where;
  /** The variables that lead to a registry with letterbox-sdk. */
  env: Record<string, string>;
}

/** The commands that install letterbox-sdk and that run `program.mjs`, by the name of the runtime. */
export const runtimes: Record<string, { install: string[]; start: string[] }> = {
  Node: { install: ["npm", "install", "letterbox-sdk"], start: ["node", "program.mjs"] },
  Deno: {
    install: [Deno.execPath(), "add", "npm:letterbox-sdk"],
    start: [Deno.execPath(), "run", "-A", "program.mjs"],
  },
  Bun: { install: ["bun", "add", "letterbox-sdk"], start: ["bun", "program.mjs"] },
};

/** Asserts that the ten lines of README.md run in an empty project of Node, Deno or Bun. */
export async function assertRuns(
  name: string,
  { folder, where, env }: Installing,
): Promise<string> {
  const { install: [program, ...args], start: [runtime, ...how] } = runtimes[name];
  const told = await run(runtime, ["--version"]).catch(() => {
    throw new NotTried(`there is no ${runtime}`);
  });
  await Deno.writeTextFile(`${folder}/package.json`, '{ "type": "module" }\n');
  await run(program, args, { cwd: folder, env });
  await Deno.writeTextFile(`${folder}/program.mjs`, await readmeProgram("ts", where));
  assert.equal(await run(runtime, how, { cwd: folder, env }), code);
  return `${name} ${/\d+\.\d+\.\d+/.exec(told)}`;
}

/** Asserts that the ten lines run in an empty environment of Python; `archives` is a folder with the wheel. */
export async function assertPythonRuns(
  { folder, where }: Installing,
  archives: string,
): Promise<string> {
  const python = await pythonIn(folder);
  const from = ["--no-index", "--find-links", archives, "--disable-pip-version-check"];
  await run(python, ["-m", "pip", "install", "--quiet", ...from, "letterbox-mail"]);
  const told = await run(python, ["--version"]);
  assert.equal(await run(python, ["-c", await readmeProgram("python", where)]), code);
  return told.trim();
}

/** Asserts that npx, in an empty folder, starts the MCP server of the package by its name. */
export async function assertNpxRuns({ folder, where, env }: Installing): Promise<string> {
  const settings = { LETTERBOX_URL: where.base, LETTERBOX_API_KEY: where.key };
  const request = (id: number, method: string, params = {}) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const clientInfo = { name: "release", version };
  const input =
    request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }) +
    request(2, "tools/list");
  const args = ["-y", "-p", "letterbox-sdk", "letterbox-mcp"];
  const text = await run("npx", args, { cwd: folder, env: { ...env, ...settings }, input });
  const answers = text.trim().split("\n").map((line) => JSON.parse(line).result);
  assert.equal(answers.find((each) => each.serverInfo)?.serverInfo.version, version);
  const { tools } = answers.find((each) => each.tools);
  assert.equal(tools.length, 8);
  const options = { cwd: folder, env };
  const told = await run("npx", ["-y", "-p", "letterbox-sdk", "letterbox", "--version"], options);
  assert.equal(told.trim(), version);
  return `${tools.length} tools`;
}
