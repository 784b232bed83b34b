// The archives of both SDKs, as they are published.
import { fileURLToPath } from "node:url";
import { build } from "./build.ts";
import { run } from "./run.ts";

const here = fileURLToPath(new URL("./", import.meta.url));

export interface Packing {
  /** The folder that receives the archives. */
  out: string;
  /**
   * The public URL of the repository, such as that of a copy which releases: npm's provenance requires it in the package.
   * Without it the packages name none.
   */
  repository?: string;
}

/** Builds letterbox-sdk and packs it with npm. Returns the path of the tarball. */
export async function packNpm({ out, repository }: Packing): Promise<string> {
  return await inTemporaryFolder(async (folder) => {
    await build(`${folder}/dist`);
    const about = JSON.parse(await Deno.readTextFile(`${here}typescript/package.json`));
    if (repository) {
      const url = `git+${repository}.git`;
      about.repository = { type: "git", url, directory: "sdk/typescript" };
    }
    await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify(about, null, 2));
    for (const name of ["README.md", "LICENSE"]) {
      await Deno.copyFile(`${here}typescript/${name}`, `${folder}/${name}`);
    }
    const args = ["pack", "--json", "--offline", "--ignore-scripts", "--pack-destination", out];
    const [{ filename }] = JSON.parse(await run("npm", args, { cwd: folder }));
    return `${out}/${filename}`;
  });
}

/** Builds letterbox-mail: a wheel and a source archive. `python` has the module `build`. Returns their paths. */
export async function packPython(python: string, { out, repository }: Packing): Promise<string[]> {
  return await inTemporaryFolder(async (folder) => {
    const about = await Deno.readTextFile(`${here}python/pyproject.toml`);
    const urls = repository ? `\n[project.urls]\nSource = "${repository}"\n` : "";
    await Deno.writeTextFile(`${folder}/pyproject.toml`, about + urls);
    await Deno.mkdir(`${folder}/letterbox`);
    for (const name of ["README.md", "LICENSE", ...await modulesOf("letterbox")]) {
      await Deno.copyFile(`${here}python/${name}`, `${folder}/${name}`);
    }
    await run(python, ["-m", "build", "--outdir", `${folder}/dist`, folder]);
    const archives: string[] = [];
    for await (const { name } of Deno.readDir(`${folder}/dist`)) {
      await Deno.copyFile(`${folder}/dist/${name}`, `${out}/${name}`);
      archives.push(`${out}/${name}`);
    }
    return archives.sort();
  });
}

async function modulesOf(name: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(`${here}python/${name}`));
  return entries.filter(({ isFile }) => isFile).map((each) => `${name}/${each.name}`);
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
