// `deno task sdk:build`: the package letterbox-sdk in sdk/typescript/dist, for `npm pack`.
import * as esbuild from "esbuild";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { command, runCommandLine } from "../commands/command_line.ts";

const here = new URL("./typescript/", import.meta.url);
const path = (name: string) => fileURLToPath(new URL(name, here));

/** Writes the library, its two programs and the declarations into `folder`. Throws if a file does not compile. */
export async function build(folder: string): Promise<void> {
  const common = {
    bundle: true,
    format: "esm",
    target: "es2022",
    outdir: folder,
    // The comments with the names of files begin here.
    absWorkingDir: path("../.."),
  } as const;
  await esbuild.build({
    ...common,
    entryPoints: { index: path("src/index.ts") },
    minify: true,
    sourcemap: "linked",
    platform: "neutral",
    plugins: [withoutNames],
  });
  await esbuild.build({
    ...common,
    entryPoints: {
      letterbox: path("bin/letterbox.ts"),
      "letterbox-mcp": path("bin/letterbox_mcp.ts"),
    },
    platform: "node",
  });
  await esbuild.stop();
  await nameSources(`${folder}/index.js.map`);
  declarations(folder);
}

/** Names the sources in a map from the package: esbuild names them from where it is built. */
async function nameSources(file: string): Promise<void> {
  const map = JSON.parse(await Deno.readTextFile(file));
  map.sources = map.sources.map((source: string) => `../src/${basename(source)}`);
  await Deno.writeTextFile(file, JSON.stringify(map));
}

/** Only types read the names of the operations in the table of routes: without them the library is 0.8 KB smaller. */
const withoutNames: esbuild.Plugin = {
  name: "without-names",
  setup(build) {
    build.onLoad({ filter: /src\/routes\.ts$/ }, async ({ path }) => ({
      contents: (await Deno.readTextFile(path)).replace(/"\w+( [A-Z]+ \/)/g, '"$1'),
      loader: "ts",
    }));
  },
};

function declarations(folder: string): void {
  const program = ts.createProgram([path("src/index.ts")], {
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
    outDir: folder,
    rootDir: path("src"),
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    strict: true,
    types: [],
  });
  // A reader of the package resolves `./x.js` to `./x.d.ts`.
  const write = (name: string, text: string) =>
    Deno.writeTextFileSync(name, text.replace(/(from "\.\/\w+)\.ts"/g, '$1.js"'));
  const { diagnostics } = program.emit(undefined, write);
  const wrong = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (wrong.length > 0) {
    throw new Error(ts.formatDiagnostics(wrong, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => path("."),
      getNewLine: () => "\n",
    }));
  }
}

if (import.meta.main) {
  const program = command({
    description: "Builds the npm package letterbox-sdk into sdk/typescript/dist",
    async run() {
      await build(path("dist"));
      const { size } = await Deno.stat(path("dist/index.js"));
      console.log(`${size} bytes`);
    },
  });
  await runCommandLine("deno task sdk:build", program, Deno.args);
}
