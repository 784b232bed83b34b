import { fileURLToPath } from "node:url";
import { version } from "../../assemble.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Where the version stands besides `assemble.ts`, which the OpenAPI document, MCP and health read. */
const places: readonly (readonly [path: string, pattern: RegExp])[] = [
  ["sdk/typescript/package.json", /"version": "(.+?)"/],
  ["sdk/python/pyproject.toml", /^version = "(.+?)"/m],
  ["deploy/Dockerfile", /org\.opencontainers\.image\.version="(.+?)"/],
  ["CHANGELOG.md", /^## (\S+)/m],
  ["docs/specification.md", /The interface of Letterbox, version (\d+\.\d+\.\d+)/],
  ["docs/specification.md", /"version": "(\d+\.\d+\.\d+)"/],
  ["routes/reference/example_values.ts", /\bversion: "(.+?)"/],
];

/** The places whose version is not that of `assemble.ts`, as `path: what it has`. */
export async function otherVersions(): Promise<string[]> {
  const other: string[] = [];
  for (const [path, pattern] of places) {
    const found = pattern.exec(await Deno.readTextFile(root + path))?.[1] ?? "none";
    if (found !== version) other.push(`${path}: ${found}`);
  }
  return other;
}

/** The newest entry of CHANGELOG.md without its heading. */
export async function newestEntry(): Promise<string> {
  const text = await Deno.readTextFile(`${root}CHANGELOG.md`);
  return /^## .*\n([^]*?)(?=^## |$(?![^]))/m.exec(text)![1].trim();
}

export { version };
