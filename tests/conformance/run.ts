// `deno task conformance`: runs the official MCP conformance suite, the MCP inspector's strict listing and the Redocly
// linter against a whole service on loopback; downloads them on first use.
import { stripVTControlCharacters } from "node:util";
import { command, runCommandLine } from "../../commands/command_line.ts";
import { build } from "../../sdk/build.ts";
import { allowInBrowser, callbackPort, registerSuite } from "./log_in.ts";
import {
  authorizationHolds,
  failedChecks,
  ofAuthorization,
  type Run,
  scenarios,
  unaccounted,
} from "./scenarios.ts";
import { serveWithKey } from "./serve.ts";

const eras = ["legacy", "auto", "modern"];

/** The release has the revisions of 2025; only the next version has that of 2026. */
const suites = {
  "2025-11-25": "npm:@modelcontextprotocol/conformance@0.1.16",
  "2026-07-28": "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
};
const redocly = "npm:@redocly/cli@2.77.0";
/** It needs Node 22.19, and hangs in the newer eras under Deno. */
const inspector = ["-y", "-p", "node@24", "-p", "@modelcontextprotocol/inspector@2.12.0", "-c"];

interface Ended {
  success: boolean;
  text: string;
}

async function output(command: string, args: string[]): Promise<Ended> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, stdin: "null" })
    .output();
  const text = [stdout, stderr].map((each) => new TextDecoder().decode(each)).join("");
  return { success, text: stripVTControlCharacters(text) };
}

function tell(name: string, success: boolean, text: string): boolean {
  console.log(`${success ? "ok    " : "FAILED"} ${name}`);
  if (!success) console.log(text.slice(-6_000));
  return success;
}

async function run(name: string, command: string, args: string[]): Promise<boolean> {
  const { success, text } = await output(command, args);
  return tell(name, success, text);
}

/** Runs one scenario in each of its revisions. */
async function runScenario(url: string, name: string, how: Run): Promise<boolean[]> {
  const ended: boolean[] = [];
  for (const revision of how.revisions) {
    const args = ["server", "--url", url, "--scenario", name, "--spec-version", revision];
    const { success, text } = await output(Deno.execPath(), deno(suites[revision], ...args));
    const failed = failedChecks(text, how);
    const holds = failed?.length === 0 && (success || how.except !== undefined);
    ended.push(tell(`conformance ${name}, ${revision}`, holds, text));
  }
  return ended;
}

/** Runs the scenarios of authorization servers; a person allows the suite when it prints the page to open. */
async function runAuthorization(
  { base, accessToken }: { base: string; accessToken: string },
  revision: Run["revisions"][number],
): Promise<boolean> {
  const args = [
    ...["authorization", "--url", base, "--client-id", await registerSuite(base)],
    ...["--resource", `${base}/v1/mcp`, "--port", `${callbackPort}`, "--spec-version", revision],
  ];
  const suite = new Deno.Command(Deno.execPath(), {
    args: deno(suites["2026-07-28"], ...args),
    ...{ stdin: "null", stdout: "piped", stderr: "null" },
  }).spawn();
  let text = "", isAsked = false;
  for await (const piece of suite.stdout.pipeThrough(new TextDecoderStream())) {
    text += stripVTControlCharacters(piece);
    const page = text.split("\n").slice(0, -1).find((line) =>
      line.startsWith(`${base}/oauth/authorize?`)
    );
    if (page && !isAsked) await allowInBrowser(page, accessToken);
    isAsked ||= page !== undefined;
  }
  const { success } = await suite.status;
  const holds = success && isAsked && authorizationHolds(text);
  return tell(`conformance ${ofAuthorization.join(", ")}, ${revision}`, holds, text);
}

const deno = (...args: string[]) => ["run", "-A", "--no-config", ...args];

/** Runs all checks; returns for each whether it holds. */
async function runAll(): Promise<boolean[]> {
  const results: boolean[] = [];
  await using service = await serveWithKey();
  const url = `${service.base}/v1/mcp`;
  const list = await output(Deno.execPath(), deno(suites["2026-07-28"], "list"));
  const unknown = unaccounted(list.text);
  results.push(
    tell("every scenario of the suite is accounted for", unknown.length === 0, `${unknown}`),
  );
  for (const [name, how] of Object.entries(scenarios)) {
    if (typeof how !== "string") results.push(...await runScenario(url, name, how));
  }
  for (const revision of ["2025-11-25", "2026-07-28"] as const) {
    results.push(await runAuthorization(service, revision));
  }
  for (const toolset of ["", "?toolset=full"]) {
    for (const era of eras) {
      const line =
        `mcp-inspector --cli '${url}${toolset}' --transport http --protocol-era ${era} ` +
        `--header 'Authorization: Bearer ${service.key}' --method tools/list --strict --format json`;
      const name = `inspector --strict ${toolset}, ${era}`;
      results.push(await run(name, "npx", [...inspector, line]));
    }
  }
  const folder = await Deno.makeTempDir();
  await build(folder);
  for (const tool of ["tools/list --strict", "tools/call --tool-name list_mailboxes"]) {
    const line = `mcp-inspector --cli node '${folder}/letterbox-mcp.js' --transport stdio ` +
      `-e 'LETTERBOX_URL=${service.base}' -e 'LETTERBOX_API_KEY=${service.key}' ` +
      `--method ${tool} --format json`;
    results.push(await run(`inspector ${tool}, letterbox-mcp`, "npx", [...inspector, line]));
  }
  const document = await (await fetch(`${service.base}/openapi.json`)).text();
  await Deno.writeTextFile(
    `${folder}/openapi.json`,
    // The linter warns about localhost, which a real service's document does not contain.
    document.replaceAll(service.base, "https://letterbox.invalid"),
  );
  const config = new URL("redocly.yaml", import.meta.url).pathname;
  const lint = deno(redocly, "lint", `${folder}/openapi.json`, "--config", config);
  results.push(await run("redocly lint", Deno.execPath(), [...lint, "--max-problems", "50"]));
  await Deno.remove(folder, { recursive: true });
  return results;
}

const program = command({
  description:
    "The MCP conformance suite, the MCP inspector and the Redocly linter against a whole service; downloads them",
  async run() {
    const results = await runAll();
    console.log(`${results.filter(Boolean).length} of ${results.length} hold`);
    Deno.exit(results.every(Boolean) ? 0 : 1);
  },
});

await runCommandLine("deno task conformance", program, Deno.args);
