import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { relative } from "node:path";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Module {
  local: string;
  dependencies: { specifier: string; target: string }[];
}

/** main.ts and everything it imports, as Deno itself resolves it. */
async function modules(): Promise<Module[]> {
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    cwd: root,
  }).output();
  const info = JSON.parse(new TextDecoder().decode(output.stdout));
  const path = (url: string) =>
    url.startsWith("file:") ? relative(root, fileURLToPath(url)).replaceAll("\\", "/") : url;
  type Raw = {
    specifier: string;
    dependencies?: {
      specifier: string;
      code?: { specifier?: string };
      type?: { specifier?: string };
    }[];
  };
  return (info.modules as Raw[]).filter((each) => each.specifier.startsWith("file:")).map((
    each,
  ) => ({
    local: path(each.specifier),
    dependencies: (each.dependencies ?? []).map((dependency) => ({
      specifier: dependency.specifier,
      target: path(
        dependency.code?.specifier ?? dependency.type?.specifier ?? dependency.specifier,
      ),
    })),
  }));
}

Deno.test("dependencies point inwards: main -> routes, workers -> domain -> port types", async () => {
  const wrong: string[] = [];
  const all = await modules();
  assert.ok(all.length > 50, "the graph was read");
  for (const { local, dependencies } of all) {
    const inside = local.split("/")[0];
    for (const { specifier, target } of dependencies) {
      const forbidden = (inside === "domain" && /^(routes|workers|main\.ts)/.test(target)) ||
        (inside === "domain" && /^(npm:)?(hono|@modelcontextprotocol)\b/.test(specifier)) ||
        (inside === "routes" && target.startsWith("workers/")) ||
        (inside === "workers" && target.startsWith("routes/")) ||
        (inside === "routes" || inside === "workers" ||
            (inside === "domain" && !local.startsWith("domain/ports/"))) &&
          /^domain\/ports\/[^/]+\/(?!port\.ts$)/.test(target);
      if (forbidden) wrong.push(`${local} -> ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

async function sources(folder: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const entry of Deno.readDir(`${root}/${folder}`)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await sources(path));
    else if (/\.tsx?$/.test(entry.name)) {
      found.push([path, await Deno.readTextFile(`${root}/${path}`)]);
    }
  }
  return found;
}

Deno.test("only domain/settings.ts reads the environment, only domain/store builds keys and touches the database", async () => {
  const wrong: string[] = [];
  for (const folder of ["domain", "routes", "workers"]) {
    for (const [path, text] of await sources(folder)) {
      if (/Deno\.env/.test(text) && path !== "domain/settings.ts") {
        wrong.push(`${path} reads the environment`);
      }
      if (/\bkv\.(get|set|delete|list|atomic)\b/.test(text) && !path.startsWith("domain/store/")) {
        wrong.push(`${path} touches kv`);
      }
      if (
        /Date\.now\(\)|new Date\(\)/.test(text) &&
        !/^domain\/(clock|log)\.ts$|^domain\/ports\//.test(path)
      ) wrong.push(`${path} reads the time itself`);
      if (/\.(get|set|delete|peek)(<[^>]*>)?\(\[/.test(text) && path !== "domain/store/keys.ts") {
        wrong.push(`${path} builds a key`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});
