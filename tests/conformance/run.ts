// What others say of the service's surfaces: the official MCP conformance suite, the MCP inspector's strict listing and
// the Redocly linter, each against a whole service on loopback. `deno task conformance`; downloads them on first use.
import { serveWithKey } from "./serve.ts";

/** Scenarios for a server of tools; the others call tools, resources and prompts of the suite's own by name. */
const scenarios = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];
const eras = ["legacy", "auto", "modern"];

const conformance = "npm:@modelcontextprotocol/conformance@0.1.16";
const redocly = "npm:@redocly/cli@2.77.0";
/** It needs Node 22.19, and hangs in the newer eras under Deno. */
const inspector = ["-y", "-p", "node@24", "-p", "@modelcontextprotocol/inspector@2.12.0", "-c"];

async function run(name: string, command: string, args: string[]): Promise<boolean> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, stdin: "null" })
    .output();
  console.log(`${success ? "ok    " : "FAILED"} ${name}`);
  if (!success) {
    for (const text of [stdout, stderr]) console.log(new TextDecoder().decode(text).slice(-3_000));
  }
  return success;
}

const deno = (...args: string[]) => ["run", "-A", "--no-config", ...args];

const results: boolean[] = [];
{
  await using service = await serveWithKey();
  const url = `${service.base}/v1/mcp`;
  for (const scenario of scenarios) {
    const args = deno(conformance, "server", "--url", url, "--scenario", scenario);
    results.push(await run(`conformance ${scenario}`, Deno.execPath(), args));
  }
  for (const era of eras) {
    const line = `mcp-inspector --cli ${url} --transport http --protocol-era ${era} ` +
      `--header 'Authorization: Bearer ${service.key}' --method tools/list --strict --format json`;
    results.push(await run(`inspector --strict, ${era}`, "npx", [...inspector, line]));
  }
  const folder = await Deno.makeTempDir();
  const document = await (await fetch(`${service.base}/openapi.json`)).text();
  await Deno.writeTextFile(
    `${folder}/openapi.json`,
    // The linter warns of localhost, which a real service's document does not name.
    document.replaceAll(service.base, "https://letterbox.invalid"),
  );
  const config = new URL("redocly.yaml", import.meta.url).pathname;
  const lint = deno(redocly, "lint", `${folder}/openapi.json`, "--config", config);
  results.push(await run("redocly lint", Deno.execPath(), [...lint, "--max-problems", "50"]));
  await Deno.remove(folder, { recursive: true });
}
console.log(`${results.filter(Boolean).length} of ${results.length} hold`);
Deno.exit(results.every(Boolean) ? 0 : 1);
