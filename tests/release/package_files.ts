import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";
import { run } from "../../sdk/run.ts";
import { version } from "./versions.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** An archive's files by path: of a wheel, or of a tarball, whose paths have its top folder. */
export async function filesOf(archive: string): Promise<Map<string, string>> {
  const decoder = new TextDecoder();
  if (archive.endsWith(".whl")) {
    const entries = Object.entries(unzipSync(await Deno.readFile(archive)));
    return new Map(entries.map(([path, bytes]) => [path, decoder.decode(bytes)]));
  }
  const folder = await Deno.makeTempDir();
  await run("tar", ["-xzf", archive, "-C", folder]);
  const files = new Map<string, string>();
  for await (const path of pathsIn(folder)) {
    files.set(path.slice(folder.length + 1), await Deno.readTextFile(path));
  }
  await Deno.remove(folder, { recursive: true });
  return files;
}

async function* pathsIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* pathsIn(join(folder, name));
    else yield join(folder, name);
  }
}

/** The paths that `tests/release/package_files.json` has for an archive, under its name without the version. */
export async function listed(archive: string): Promise<string[]> {
  const lists = JSON.parse(await Deno.readTextFile(`${root}tests/release/package_files.json`));
  const name = basename(archive).replace(version, "VERSION");
  return lists[name].map((path: string) => path.replace("VERSION", version));
}

/** The secret of a webhook that begins with MfKQ9r8G is the example of Standard Webhooks and of our documents. */
const secrets =
  /-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:lbxi?|lbxa|npm|pypi|ghp|whsec)_(?!MfKQ9r8G)\w{20,}/;

/** Asserts that an archive has exactly its files, the licence of the project, and nothing that is to stay here. */
export async function assertPackage(archive: string): Promise<void> {
  const files = await filesOf(archive);
  assert.deepEqual([...files.keys()].sort(), await listed(archive));
  const licences = [...files].filter(([path]) => basename(path) === "LICENSE");
  const licence = await Deno.readTextFile(`${root}LICENSE`);
  assert.ok(licences.length > 0 && licences.every(([, text]) => text === licence), "LICENSE");
  for (const [path, text] of files) {
    assert.doesNotMatch(text, secrets, path);
    assert.ok(!text.includes(root), `${path} names a folder of this machine`);
    const [, map] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(text) ?? [];
    if (map) {
      assert.ok(files.has(join(dirname(path), map)), `${path}: ${map} is not in the package`);
    }
    assert.doesNotMatch(
      text,
      /^\/\/ \S*(node_modules|npm)\//m,
      `${path}: code of others, without its licence`,
    );
    if (path.endsWith(".md")) assert.doesNotMatch(text, /\]\((?![a-z]+:|#)/, `${path}: a link`);
    if (!path.endsWith(".map")) continue;
    for (const source of JSON.parse(text).sources as string[]) {
      assert.match(source, /^\.\.\/src\/\w+\.ts$/, path);
    }
  }
}
